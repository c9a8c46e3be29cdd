import { transact, createLog } from "#platform";
import { FunnelCounter } from "#engagement";
import { addAgentVersion, plainConfig } from "#agents";
import { addCustomer, playSession, say, start } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import type { FunnelBeacon } from "@svc/contract/types";
import { describe, expect } from "vitest";
import { commandLineUnderTest } from "../command-line-under-test.ts";
import type { CommandLine } from "../command-line-under-test.ts";

const SITE = "https://www.example.com";
const NOBODY_QUALIFIED = {
  status: "processed",
  summary: "They looked.",
  evaluation: { qualification: { status: "not_enough_data", reasoning: "They left." } },
} as const;

interface Desk extends CommandLine {
  customer: Customer;
  count(times: number, beacon: Partial<FunnelBeacon>, origin?: string | null): Promise<void>;
}

async function desk({ db }: TestDatabase, width = 80): Promise<Desk> {
  const customer = await addCustomer(db, {
    name: "Acme",
    agent: { testOrigins: ["http://localhost:3000"] },
  });
  const counter = new FunnelCounter({ db, log: createLog("silent") });
  return {
    customer,
    count: async (times, beacon, origin = SITE) => {
      for (let time = 0; time < times; time++)
        counter.count({ agent_id: customer.agent.agentId, event: "opened", ...beacon }, origin);
      await counter.write();
    },
    ...commandLineUnderTest({ db: () => db }, { width }),
  };
}

/** 40 see the button, 10 open, four start: one says nothing, one is still talking, one of two qualifies. */
async function visitors(database: TestDatabase): Promise<Desk> {
  const made = await desk(database);
  const { db, pool } = database;
  const { customer, count } = made;
  await count(40, { event: "button_viewed", path: "/pricing", entry: "modal" });
  await count(7, { path: "/pricing", language: "en", entry: "modal" });
  await count(2, { event: "form", path: "/users/4711", entry: "widget" });
  await count(3, { path: "/users/4711", language: "de", entry: "widget" });
  await count(2, { event: "declined", path: "/pricing", language: "en", entry: "modal" });
  await count(4, { event: "started", path: "/pricing", language: "en", entry: "modal" });
  await playSession(db, customer, { metadata: { email: "ada@example.com" } });
  await playSession(db, customer, { settlement: NOBODY_QUALIFIED });
  await playSession(db, customer, { turns: [] });
  const going = await start(db, customer);
  await say(db, going, [{ role: "user", content: "Hello?" }]);
  await pool.query(
    "UPDATE sessions SET page = $1, language = 'en', entry = 'modal', device = 'phone'",
    [`${SITE}/pricing?utm=ada@example.com#top`],
  );
  await pool.query(
    "INSERT INTO session_events (session_at, session_id, at, kind) SELECT created_at, id, now(), 'microphone' FROM sessions WHERE id = $1",
    [going.id],
  );
  // Neither of these is a visitor: a test, and a conversation of an earlier system.
  await playSession(db, customer, { test: true });
  const imported = await playSession(db, customer);
  await pool.query("UPDATE sessions SET end_reason = 'imported' WHERE id = $1", [imported.id]);
  await count(9, { path: "/pricing" }, "http://localhost:3000");
  return made;
}

const STEPS = {
  button_viewed: 40,
  opened: 10,
  form: 2,
  started: 4,
  microphone: 1,
  talked: 3,
  email_given: 1,
  evaluated: 2,
  qualified: 1,
  delivered: 0,
};
const NO_SESSIONS = {
  started: 0,
  microphone: 0,
  talked: 0,
  email_given: 0,
  evaluated: 0,
  qualified: 0,
  delivered: 0,
};

describe("svc funnel", () => {
  databaseTest("tells how far visitors came, without tests", async ({ database }) => {
    const { svc, json } = await visitors(database);
    const { steps, declined } = (await json("funnel", "guide")) as {
      steps: { step: string; count: number; share?: number }[];
      declined: number;
    };
    expect(Object.fromEntries(steps.map(({ step, count }) => [step, count]))).toEqual(STEPS);
    expect(steps.map(({ share }) => share)).toEqual([
      undefined,
      0.25,
      undefined,
      0.4,
      0.25,
      0.75,
      1 / 3,
      2 / 3,
      0.5,
      0,
    ]);
    expect(declined).toBe(2);
    const { out } = await svc("funnel");
    expect(out).toMatch(/^saw the button {2,}40$/m);
    expect(out).toMatch(/^opened the demo {2,}10 {2,}25 % {2,}saw the button$/m);
    expect(out).toContain("2 closed the notice without starting.");
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  databaseTest("is broken down by page, without what names anybody", async ({ database }) => {
    const { svc, json } = await visitors(database);
    const { rows } = await json("funnel", "--by", "page");
    expect(rows).toEqual([
      { value: `${SITE}/pricing`, counts: { ...STEPS, opened: 7, form: 0 } },
      {
        value: `${SITE}/users/…`,
        counts: { ...NO_SESSIONS, button_viewed: 0, opened: 3, form: 2 },
      },
    ]);
    const { out } = await svc("funnel", "--by", "page");
    // At 80 columns too, pages can be told apart.
    expect(out).toMatch(/^…?[\w.]*example\.com\/pricing +40 +7 /m);
    expect(out).toMatch(/^PAGE +SEEN +OPENED +STARTED +TALKED +EMAIL +EVALUATED +QUALIFIED$/m);
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  databaseTest("is broken down by everything else it offers", async ({ database }) => {
    const { customer, json } = await visitors(database);
    const by = async (what: string): Promise<unknown> =>
      (await json("funnel", "--by", what))["rows"];
    const { button_viewed: _, form: __, ...open } = STEPS;
    expect(await by("language")).toEqual([
      { value: "en", counts: { ...open, opened: 7 } },
      { value: "de", counts: { ...NO_SESSIONS, opened: 3 } },
    ]);
    expect(await by("entry")).toEqual([
      { value: "modal", counts: { ...STEPS, opened: 7, form: 0 } },
      { value: "widget", counts: { ...NO_SESSIONS, button_viewed: 0, opened: 3, form: 2 } },
    ]);
    expect(await by("device")).toMatchObject([
      { value: "phone", counts: { started: 4, qualified: 1 } },
      { counts: { opened: 10, started: 0 } },
    ]);
    expect(await by("day")).toEqual([
      { value: new Date().toISOString().slice(0, 10), counts: STEPS },
    ]);
    expect(await by("version")).toEqual([{ value: "1", counts: STEPS }]);
    const agent = { value: customer.agent.agentId, name: "guide" };
    expect(await by("agent")).toEqual([{ ...agent, counts: STEPS }]);
  });

  databaseTest(
    "adds the pages beyond --limit up, and those that did not say",
    async ({ database }) => {
      const { count, json, svc } = await desk(database);
      for (const [index, path] of ["/a", "/b", "/c"].entries()) await count(3 - index, { path });
      await count(5, {});
      const { rows } = (await json("funnel", "--by", "page", "--limit", "1")) as {
        rows: { value?: string; counts: { opened: number } }[];
      };
      expect(rows.map(({ value, counts }) => [value, counts.opened])).toEqual([
        [`${SITE}/a`, 3],
        ["other", 3],
        [undefined, 5],
      ]);
      const { out } = await svc("funnel", "--by", "page");
      expect(out).toContain("No button is tracked");
      expect(out).toMatch(/^unknown +0 +5 /m);
    },
  );

  databaseTest("counts a version's visitors under that version", async ({ database }) => {
    const { customer, count, json } = await desk(database);
    const { account, agent } = customer;
    await count(2, {});
    await transact(database.db, (trx) =>
      addAgentVersion(trx, "ada", account.id, agent.agentId, plainConfig("Guide")),
    );
    await count(3, {});
    const { rows } = await json("funnel", "guide", "--by", "version");
    expect(rows).toMatchObject([
      { value: "2", counts: { opened: 3 } },
      { value: "1", counts: { opened: 2 } },
    ]);
  });

  databaseTest("keeps accounts and days apart", async ({ database }) => {
    const { count, json } = await desk(database);
    const { pool, db } = database;
    await count(2, {});
    await pool.query("UPDATE funnel_counts SET day = day - 40");
    await count(3, {});
    const opened = async (...flags: string[]): Promise<unknown> =>
      ((await json("funnel", ...flags)) as { steps: { count: number }[] }).steps[1]!.count;
    expect(await opened()).toBe(3);
    expect(await opened("--since", "60d")).toBe(5);
    await addCustomer(db, { name: "Globex" });
    expect(await opened("--account", "globex")).toBe(0);
    expect(await opened("--account", "acme")).toBe(3);
  });

  databaseTest(
    "says what to do where nothing was counted, and what is missing",
    async ({ database }) => {
      const { svc, count } = await desk(database);
      const { out } = await svc("funnel", "guide");
      expect(out).toContain("svc agents snippet <agent>");
      expect(out).toContain("Svc.trackButtonView(button)");
      await count(1, {});
      await svc("accounts", "set", "acme", "--retention-days", "7");
      expect((await svc("funnel", "guide")).out).toContain("Sessions are kept for 7 days.");
      expect((await svc("funnel", "guide", "--since", "3d")).out).not.toContain("are kept for");
    },
  );

  databaseTest("has a line on the page of its agent", async ({ database }) => {
    const { svc, json } = await visitors(database);
    const { out } = await svc("agents", "show", "guide");
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "40 saw the button, 10 opened, 4 started, 1 qualified (svc funnel guide)",
    );
    expect(await json("agents", "show", "guide")).toMatchObject({
      funnel_30_days: { button_viewed: 40, started: 4 },
    });
  });
});
