import { changeSettings } from "#accounts";
import { createLog, transact } from "#platform";
import { addCustomer } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { FunnelCounter } from "./funnel-counter.ts";
import { readFunnel } from "./read-funnel.ts";

const log = createLog("silent");

async function counts({ pool }: TestDatabase): Promise<unknown[]> {
  const { rows } = await pool.query<{ event: string; origin: string; count: string }>(
    "SELECT event, origin, count FROM funnel_counts ORDER BY agent_id, event, origin",
  );
  return rows.map(({ event, origin, count }) => [event, origin, Number(count)]);
}

describe("the funnel", () => {
  databaseTest("adds up what happened, per event and origin", async ({ database }) => {
    const { db } = database;
    const { account, agent } = await addCustomer(db);
    const defaultAgentId = agent.agentId;
    await transact(db, (trx) => changeSettings(trx, "ada", account.id, { defaultAgentId }));
    const counter = new FunnelCounter({ db, log });
    const opened = (agent_id: string) => ({ agent_id, event: "opened" }) as const;
    for (let round = 0; round < 2; round++) {
      counter.count(opened(agent.agentId), "https://a.example");
      counter.count(opened(agent.agentId), "https://a.example");
      counter.count(opened(account.clientId), "https://a.example");
      counter.count(opened(agent.agentId), null);
      counter.count({ agent_id: agent.agentId, event: "started" }, "https://a.example");
      counter.count(opened("agent_nobody"), "https://a.example");
      await counter.write();
    }
    expect(await counts(database)).toEqual([
      ["opened", "https://a.example", 6],
      ["opened", "null", 2],
      ["started", "https://a.example", 2],
    ]);
  });

  databaseTest("is written by itself within a second or so", async ({ database }) => {
    const { agent } = await addCustomer(database.db);
    const counter = new FunnelCounter({ db: database.db, log });
    counter.count({ agent_id: agent.agentId, event: "declined" }, null);
    await expect.poll(() => counts(database), { timeout: 5_000 }).toHaveLength(1);
  });

  databaseTest(
    "gives the first 200 origins of a day a row, whoever writes",
    async ({ database }) => {
      const { db, pool } = database;
      const { agent } = await addCustomer(db);
      const writers = Array.from({ length: 4 }, () => new FunnelCounter({ db, log }));
      for (let n = 0; n < 300; n++) {
        for (const writer of writers)
          writer.count({ agent_id: agent.agentId, event: "opened" }, `https://${n}.example`);
      }
      await Promise.all(writers.map((writer) => writer.write()));
      writers[0]!.count({ agent_id: agent.agentId, event: "opened" }, "https://new.example");
      await writers[0]!.write();
      const { rows } = await pool.query(
        "SELECT count(*) FILTER (WHERE origin <> 'other')::integer AS origins, sum(count)::integer AS total, (max(count) FILTER (WHERE origin = 'other'))::integer AS others FROM funnel_counts",
      );
      expect(rows).toEqual([{ origins: 200, total: 1_201, others: 401 }]);
    },
  );

  databaseTest("keeps what could not be written, and is bounded", async ({ database }) => {
    const { db, pool } = database;
    const { agent } = await addCustomer(db);
    const counter = new FunnelCounter({ db, log, maxAtOnce: 2 });
    await pool.query("ALTER TABLE funnel_counts RENAME TO away");
    for (const origin of ["https://a.example", "https://b.example", "https://c.example"])
      counter.count({ agent_id: agent.agentId, event: "opened" }, origin);
    await counter.write();
    await pool.query("ALTER TABLE away RENAME TO funnel_counts");
    counter.count({ agent_id: agent.agentId, event: "opened" }, "https://a.example");
    await counter.write();
    expect(await counts(database)).toEqual([
      ["opened", "https://a.example", 2],
      ["opened", "https://b.example", 1],
    ]);
  });

  databaseTest("counts each dimension by itself, bounded like origins", async ({ database }) => {
    const { db, pool } = database;
    const { agent } = await addCustomer(db);
    const counter = new FunnelCounter({ db, log });
    const opened = { agent_id: agent.agentId, event: "opened" } as const;
    for (let n = 0; n < 300; n++) {
      const path = `/${String.fromCodePoint(0x4e00 + n)}`;
      counter.count({ ...opened, path, language: "de", entry: "hero" }, "https://a.example");
    }
    counter.count(opened, "https://a.example");
    counter.count({ ...opened, path: "/pricing" }, null);
    await counter.write();
    const { rows } = await pool.query(
      "SELECT dimension, count(*)::integer AS rows, sum(count)::integer AS total, (sum(count) FILTER (WHERE value = 'other'))::integer AS others FROM funnel_steps GROUP BY 1 ORDER BY 1",
    );
    expect(rows).toEqual([
      { dimension: "entry", rows: 1, total: 300, others: null },
      { dimension: "language", rows: 1, total: 300, others: null },
      { dimension: "page", rows: 201, total: 300, others: 100 },
      { dimension: "version", rows: 1, total: 302, others: null },
    ]);
  });

  databaseTest("leaves test origins out", async ({ database }) => {
    const { db } = database;
    const { agent } = await addCustomer(db, { agent: { testOrigins: ["https://test.example"] } });
    const counter = new FunnelCounter({ db, log });
    for (const origin of ["https://test.example", "https://a.example"])
      counter.count({ agent_id: agent.agentId, event: "opened" }, origin);
    await counter.write();
    expect(await counts(database)).toEqual([["opened", "https://a.example", 1]]);
  });

  databaseTest("is still written by the release before", async ({ database }) => {
    const { db, pool } = database;
    const { agent } = await addCustomer(db);
    const before = `INSERT INTO funnel_counts (agent_id, day, event, origin, count) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 'opened', 'https://a.example', 1)
      ON CONFLICT (agent_id, day, event, origin) DO UPDATE SET count = funnel_counts.count + excluded.count`;
    const counter = new FunnelCounter({ db, log });
    for (let round = 0; round < 2; round++) {
      await pool.query(before, [agent.agentId]);
      counter.count(
        { agent_id: agent.agentId, event: "opened", entry: "hero" },
        "https://a.example",
      );
      await counter.write();
    }
    expect(await counts(database)).toEqual([["opened", "https://a.example", 4]]);
    const byEntry = await readFunnel(db, { since: new Date(0) }, "entry");
    expect([...byEntry]).toEqual([
      ["hero", { opened: 2 }],
      [null, { opened: 2 }],
    ]);
  });

  // G3
  databaseTest("has no place for an address, an id or a time of day", async ({ database }) => {
    const { rows } = await database.pool.query<{ column_name: string }>(
      "SELECT DISTINCT column_name FROM information_schema.columns WHERE table_name IN ('funnel_counts', 'funnel_steps')",
    );
    expect(rows.map((row) => row.column_name).toSorted()).toEqual([
      "agent_id",
      "count",
      "day",
      "dimension",
      "event",
      "origin",
      "value",
    ]);
  });
});
