import { transact } from "#platform";
import { addCustomer, evaluateAgain, playSession } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { forgetSessions, holdToForget } from "../forget/forget-sessions.ts";
import { digestDue, roundMs } from "./digest.ts";
import { sessionTimes, tallySessions } from "./tallies.ts";

const SINCE = new Date(0);

async function timed(
  { pool }: TestDatabase,
  id: string,
  answersMs: number[],
  cutsMs: number[],
): Promise<void> {
  const events = [
    ...answersMs.map((ms) => ({ kind: "reply", detail: { answer_ms: ms } })),
    ...cutsMs.map((ms) => ({ kind: "reply", detail: { silent_ms: ms, cut: true } })),
    { kind: "reply", detail: { whole_ms: 1 } },
  ];
  await pool.query(
    "INSERT INTO session_events (session_at, session_id, at, kind, detail) SELECT created_at, id, now(), kind, detail FROM sessions, json_to_recordset($2::json) AS e (kind text, detail jsonb) WHERE id = $1",
    [id, JSON.stringify(events)],
  );
}

/** What is counted must be what a fresh count of the digests gives, whatever has been added and taken off. */
async function expectSums({ pool }: TestDatabase): Promise<void> {
  const { rows } = await pool.query(
    `SELECT dimension, value, sum(started)::integer AS started, sum(qualified)::integer AS qualified, sum(cost_micros)::integer AS cost
     FROM session_tallies GROUP BY 1, 2 HAVING sum(started) <> 0 OR sum(cost_micros) <> 0
     EXCEPT
     SELECT dimension, coalesce(value, ''), count(*) FILTER (WHERE counts)::integer, count(*) FILTER (WHERE counts AND qualified)::integer, sum(cost_micros)::integer
     FROM session_digests, LATERAL (VALUES ('all', ''), ('version', version), ('page', page), ('language', language), ('entry', entry), ('device', device)) AS by (dimension, value)
     WHERE counts OR dimension = 'all' GROUP BY 1, 2`,
  );
  expect(rows).toEqual([]);
}

async function forget({ db }: TestDatabase, ids: string[]): Promise<void> {
  await transact(db, async (trx) => forgetSessions(trx, await holdToForget(trx, ids)));
}

databaseTest("sums follow sessions through re-evaluation and erasure", async ({ database }) => {
  const { db, pool } = database;
  const customer: Customer = await addCustomer(db);
  const first = await playSession(db, customer, { metadata: { email: "ada@example.com" } });
  const second = await playSession(db, customer);
  const test = await playSession(db, customer, { test: true });
  await pool.query(
    "UPDATE sessions SET cost_micros = 1000, language = 'de' WHERE settled_at IS NOT NULL",
  );
  const total = async () => (await tallySessions(db, { since: SINCE }))[0];
  expect(await total()).toMatchObject({
    started: 2,
    qualified: 2,
    emailGiven: 1,
    costMicros: 3_000,
  });
  await expectSums(database);
  // The stand-in for the model finds nothing that would qualify.
  await evaluateAgain(db, second.id);
  expect(await total()).toMatchObject({ started: 2, evaluated: 2, qualified: 1 });
  await expectSums(database);
  await forget(database, [first.id, test.id]);
  expect(await total()).toMatchObject({
    started: 1,
    qualified: 0,
    emailGiven: 0,
    costMicros: 1_000,
  });
  expect(await tallySessions(db, { since: SINCE }, "language")).toMatchObject([
    { value: "de", started: 1 },
  ]);
  await expectSums(database);
  expect(await tallySessions(db, { since: SINCE, accountIds: [] })).toEqual([]);
  expect(await tallySessions(db, { since: new Date(Date.now() + 86_400_000) })).toEqual([]);
});

databaseTest("half and 95 of a hundred waits are told", async ({ database }) => {
  const { db } = database;
  const customer = await addCustomer(db);
  const first = await playSession(db, customer);
  const second = await playSession(db, customer);
  const answers = Array.from({ length: 100 }, (_, index) => (index + 1) * 20);
  await timed(database, first.id, answers.slice(0, 60), [149, 151]);
  await timed(database, second.id, answers.slice(60), []);
  const times = () => sessionTimes(db, { since: SINCE });
  await digestDue(db);
  expect(await times()).toEqual([
    {
      value: null,
      answers: { count: 100, p50Ms: 1_000, p95Ms: 1_900 },
      cuts: { count: 2, p50Ms: 140, p95Ms: 160 },
    },
  ]);
  await forget(database, [first.id]);
  expect(await times()).toMatchObject([{ answers: { count: 40 }, cuts: undefined }]);
  expect([3, 1_049, 1_051, 12_400, 99_999].map(roundMs)).toEqual([0, 1_000, 1_100, 12_000, 60_000]);
});

databaseTest("the first 200 pages of a day are counted by themselves", async ({ database }) => {
  const { db, pool } = database;
  const customer = await addCustomer(db);
  const { id } = await playSession(db, customer);
  await pool.query(
    `INSERT INTO sessions (id, account_id, agent_id, agent_version, test, status, created_at, connect_by, ended_at, end_reason, settled_at, metadata, page)
     SELECT gen_random_uuid(), account_id, agent_id, 1, false, 'abandoned', date_trunc('day', created_at) + n * interval '1 ms', connect_by, ended_at, end_reason, settled_at, '{}',
       'https://www.example.com/' || chr(19968 + n)
     FROM sessions, generate_series(1, 450) AS n WHERE id = $1`,
    [id],
  );
  while (await digestDue(db));
  const pages = await tallySessions(db, { since: SINCE }, "page");
  expect(pages).toHaveLength(202);
  expect(pages.find(({ value }) => value === "other")).toMatchObject({ started: 250 });
  expect(pages.find(({ value }) => value === null)).toMatchObject({ started: 1 });
});
