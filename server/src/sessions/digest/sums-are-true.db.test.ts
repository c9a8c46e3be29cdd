import { addCustomer } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { digestDue } from "./digest.ts";
import { tallySessions } from "./tallies.ts";
import type { TalliesDimension } from "./tallies.ts";

const SESSIONS = 1_000;
const pick = <T>(values: readonly T[], seed: number): T => values[seed % values.length]!;

/** What each generated session is; the sums are computed from this, and not from what is stored. */
function generate(agents: string[]) {
  return Array.from({ length: SESSIONS }, (_, n) => {
    const status = pick(["processed", "processed", "abandoned", "error"] as const, n * 7 + 3);
    return {
      n,
      agent: pick(agents, n * 3),
      status,
      qualified: status === "processed" && n % 5 < 2,
      day: `2026-0${1 + (n % 3)}-1${n % 7}`,
      page: pick(["/", "/pricing", "/users/4711?x=1", null], n * 11),
      language: pick(["en", "de", "ja"], n * 13),
      entry: pick(["modal", "widget", "hero", null], n * 17),
      device: pick(["desktop", "phone", "tablet"], n * 19),
      version: "1",
      email: n % 4 === 0 ? `visitor${n}@example.com` : null,
      cost: n * 10,
    };
  });
}
type Generated = ReturnType<typeof generate>[number];

const VALUES: Record<TalliesDimension, (one: Generated) => string | null> = {
  day: ({ day }) => day,
  agent: ({ agent }) => agent,
  version: ({ version }) => version,
  page: ({ page }) =>
    page === null ? null : `https://www.example.com${page.replace("/users/4711?x=1", "/users/…")}`,
  language: ({ language }) => language,
  entry: ({ entry }) => entry,
  device: ({ device }) => device,
};

databaseTest("every sum is what the sessions themselves add up to", async ({ database }) => {
  const { db, pool } = database;
  const customers = [await addCustomer(db), await addCustomer(db, { name: "Other" })];
  const all = generate(customers.map(({ agent }) => agent.agentId));
  const rows = all.map((one) => ({
    ...one,
    account: customers.find(({ agent }) => agent.agentId === one.agent)!.account.id,
  }));
  await pool.query(
    `WITH given AS (
       SELECT gen_random_uuid() AS id, (day || 'T10:00:00Z')::timestamptz + n * interval '1 millisecond' + interval '7 milliseconds' AS at, g.*
       FROM json_to_recordset($1::json) AS g (n integer, agent text, account integer, status text, qualified boolean, day text, page text, language text, entry text, device text, email text, cost bigint)
     ), started AS (
       INSERT INTO sessions (id, account_id, agent_id, agent_version, test, status, created_at, connect_by, ended_at, end_reason, settled_at, metadata, email, page, language, entry, device, cost_micros)
       SELECT id, account, agent, 1, false, status, at, at, at, 'visitor_ended', at, '{}', email, 'https://www.example.com' || page, language, entry, device, cost FROM given WHERE at <> date_trunc('second', at)
     )
     INSERT INTO session_exports (account_id, created_at, id, agent_id, status, email, evaluation)
     SELECT account, at, id, agent, status, email, CASE WHEN status = 'processed' THEN json_build_object('qualification', json_build_object('status', CASE WHEN qualified THEN 'qualified' ELSE 'disqualified' END))::text END
     FROM given WHERE at <> date_trunc('second', at)`,
    [JSON.stringify(rows)],
  );
  while (await digestDue(db));
  const stored = all.filter(({ n }) => (n + 7) % 1_000 !== 0);
  for (const by of Object.keys(VALUES) as TalliesDimension[]) {
    const expected = Array.from(Map.groupBy(stored, VALUES[by]), ([value, ones]) => ({
      value,
      started: ones.length,
      talked: ones.filter(({ status }) => status !== "abandoned").length,
      emailGiven: ones.filter(({ status, email }) => status !== "abandoned" && email !== null)
        .length,
      evaluated: ones.filter(({ status }) => status === "processed").length,
      qualified: ones.filter(({ qualified }) => qualified).length,
      failed: ones.filter(({ status }) => status === "error").length,
      ...(by === "day" || by === "agent"
        ? { costMicros: ones.reduce((sum, { cost }) => sum + cost, 0) }
        : {}),
    }));
    const found = await tallySessions(db, { since: new Date("2026-01-01T00:00:00Z") }, by);
    const inOrder = <T extends { value: string | null }>(ones: T[]): T[] =>
      ones.toSorted((a, b) => String(a.value).localeCompare(String(b.value)));
    expect(inOrder(found)).toMatchObject(inOrder(expected));
    expect(found).toHaveLength(expected.length);
  }
  // A sum that is off by one is noticed.
  await pool.query(
    "UPDATE session_tallies SET started = started + 1 WHERE dimension = 'device' AND value = 'phone'",
  );
  const phones = (
    await tallySessions(db, { since: new Date("2026-01-01T00:00:00Z") }, "device")
  ).find(({ value }) => value === "phone");
  expect(phones!.started).not.toBe(stored.filter(({ device }) => device === "phone").length);
});
