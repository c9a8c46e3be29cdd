import { MemoryBudget } from "#platform";
import {
  addCustomer,
  end,
  EXAMPLE_EVALUATION,
  EXAMPLE_TURNS,
  itemsOf,
  playSession,
  readExport,
  start,
  wholeExport,
} from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { SESSION_FIELDS } from "@svc/contract/session-fields";
import { describe, expect, vi } from "vitest";
import { createExporter, positionSince } from "./export.ts";
import type { ExportRequest } from "./export.ts";

async function read(...request: Parameters<typeof readExport>) {
  const page = await readExport(...request);
  const items = itemsOf(page);
  return { ...page, items, ids: items.map(({ id }) => id!) };
}

describe("a page", () => {
  databaseTest(
    "is ordered by start, oldest first, and goes on behind its last session",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const sessions = await Promise.all(
        Array.from({ length: 7 }, () => start(database.db, customer)),
      );
      // Settled in another order than started.
      for (const session of sessions.toReversed()) await end(database.db, session);
      const inOrder = sessions
        .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
        .map(({ id }) => id);
      const walked: string[] = [];
      let position = positionSince(0);
      for (;;) {
        const page = await read(database, customer, { after: position, limit: 2 });
        expect(page.items.length).toBeLessThanOrEqual(2);
        if (page.last === undefined) break;
        walked.push(...page.ids);
        position = page.last;
      }
      expect(walked).toEqual(inOrder);
    },
  );

  databaseTest(
    "begins after a whole second, with everything of the second that follows",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const session = await playSession(database.db, customer);
      const secs = Math.floor(session.createdAt.getTime() / 1_000);
      expect((await read(database, customer, { after: positionSince(secs) })).ids).toEqual([
        session.id,
      ]);
      expect((await read(database, customer, { after: positionSince(secs + 1) })).ids).toEqual([]);
      expect(
        (await read(database, customer, { after: positionSince(253_402_300_799) })).ids,
      ).toEqual([]);
    },
  );

  databaseTest("has every key that has a value, and no other", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const full = await playSession(database.db, customer, {
      metadata: { email: "ada@example.com" },
    });
    const bare = await playSession(database.db, customer, { turns: [] });
    const common = { agent_id: customer.agent.agentId };
    expect((await read(database, customer)).items).toEqual([
      {
        ...common,
        id: full.id,
        status: "processed",
        metadata: { email: "ada@example.com" },
        transcript: EXAMPLE_TURNS,
        summary: "They need a demo.",
        evaluation: EXAMPLE_EVALUATION,
        email: "ada@example.com",
        duration_secs: 1,
        created_at: full.createdAt.toISOString(),
      },
      { ...common, id: bare.id, status: "abandoned", created_at: bare.createdAt.toISOString() },
    ]);
  });

  databaseTest(
    "has only the fields that were selected, in their order, and none when none is known",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const session = await playSession(database.db, customer);
      const body = async (fields: ExportRequest["fields"]) =>
        (await read(database, customer, { fields })).text;
      expect(await body(["status", "id"])).toBe(
        `{"items":[{"status":"processed","id":"${session.id}"}]}`,
      );
      expect(await body(["email", "email_verified"])).toBe('{"items":[{}]}');
      expect(await body([])).toBe('{"items":[{}]}');
      for (const field of SESSION_FIELDS) {
        expect(
          Object.keys((await read(database, customer, { fields: [field] })).items[0]!).filter(
            (key) => key !== field,
          ),
        ).toEqual([]);
      }
    },
  );

  databaseTest("may be far larger than a typical one", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const content = 'é"\n'.repeat(100_000);
    const sessions = [];
    for (let i = 0; i < 3; i++)
      sessions.push(
        await playSession(database.db, customer, { turns: [{ role: "user", content }] }),
      );
    const { items } = await read(database, customer, { limit: 3 });
    expect(items.map(({ transcript }) => transcript?.[0]?.content === content)).toEqual([
      true,
      true,
      true,
    ]);
  });
});

/** Settled sessions with a transcript of so many megabytes each, as they could be stored before sessions were bounded. */
async function playLarge(database: TestDatabase, customer: Customer, megabytes: number[]) {
  const ids: string[] = [];
  for (const size of megabytes) {
    const { id } = await playSession(database.db, customer);
    await database.pool.query(
      `UPDATE session_exports SET transcript = '[{"role":"user","content":"' || repeat(md5(id::text) || ' \\"é', $2) || '"}]' WHERE id = $1`,
      [id, Math.ceil((size * 1_048_576) / 37)],
    );
    ids.push(id);
  }
  return ids;
}

describe("a page of more than one statement can read", () => {
  // P11
  databaseTest(
    "is what its sessions are when read one by one, in both formats",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const ids = await playLarge(database, customer, [3, 3, 0.1, 3, 12, 0.1, 0.1]);
      expect((await read(database, customer)).ids).toEqual(ids);
      for (const format of ["json", "csv"] as const) {
        const whole = await readExport(database, customer, { format });
        expect(whole.rest).toBeDefined();
        const each: string[] = [];
        for (let after = positionSince(0); ;) {
          const one = await readExport(database, customer, { format, after, limit: 1 });
          if (one.last === undefined) break;
          after = one.last;
          each.push(one.text);
        }
        const header = each[0]!.split("\r\n", 1)[0]!;
        const joined =
          format === "json"
            ? `{"items":[${each.map((text) => text.slice(10, -2)).join(",")}]}`
            : `${header}\r\n${each.map((text) => text.slice(header.length + 2)).join("")}`;
        expect(whole.text === joined, format).toBe(true);
        expect(whole.last?.id).toBe(ids.at(-1));
      }
      const small = await readExport(database, customer, { fields: ["id", "email"] });
      expect(small.rest).toBeUndefined();
    },
  );

  databaseTest(
    "goes on after its connections broke, leaves out what was erased, and gives its memory back",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const [first, erased, third, fourth] = await playLarge(database, customer, [9, 9, 9, 9]);
      const budget = new MemoryBudget(20_000_000);
      const page = await createExporter(database.exportPool, budget).page(wholeExport(customer));
      const chunks = [page.body, (await page.rest!.next()).value as Buffer];
      await database.pool.query("DELETE FROM session_exports WHERE id = $1", [erased]);
      await database.pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'svc_export'",
      );
      for await (const chunk of page.rest!) {
        chunks.push(chunk);
        expect(budget.takenBytes).toBeLessThan(20_000_000);
      }
      const { items } = JSON.parse(Buffer.concat(chunks).toString()) as { items: { id: string }[] };
      expect(items.map(({ id }) => id)).toEqual([first, third, fourth]);
      page.release();
      await vi.waitUntil(() => budget.takenBytes === 0);

      const left = await createExporter(database.exportPool, budget).page(wholeExport(customer));
      const reading = left.rest!.next();
      left.release();
      await reading;
      await vi.waitUntil(() => budget.takenBytes === 0);
      expect((await left.rest!.next()).done).toBe(true);
    },
  );
});

describe("the memory of a page", () => {
  databaseTest("is given back when it is released, or when it fails", async ({ database }) => {
    const customer = await addCustomer(database.db);
    await playSession(database.db, customer);
    const budget = new MemoryBudget(1_000_000_000);
    const request = wholeExport(customer);
    const page = await createExporter(database.exportPool, budget).page(request);
    expect(budget.takenBytes).toBeGreaterThan(page.body.length);
    page.release();
    page.release();
    expect(budget.takenBytes).toBe(0);
    await expect(
      createExporter(database.exportPool, budget).page({ ...request, accountId: 404 }),
    ).rejects.toThrow("no clock");
    expect(budget.takenBytes).toBe(0);
  });

  databaseTest(
    "that is not to be had is an answer to try again, and harms no connection",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      await playSession(database.db, customer, {
        turns: [{ role: "user", content: "x".repeat(3_000_000) }],
      });
      const budget = new MemoryBudget(2_000_000);
      budget.take(1_000_000, 0);
      const exporter = createExporter(database.exportPool, budget);
      const request = { ...wholeExport(customer), limit: 1 };
      for (let i = 0; i < 6; i++)
        await expect(exporter.page(request)).rejects.toMatchObject({ code: "unavailable" });
      expect(budget.takenBytes).toBe(1_000_000);
      budget.giveBack(1_000_000);
      const page = await exporter.page(request);
      expect(page.body.length).toBeGreaterThan(3_000_000);
      page.release();
    },
  );
});
