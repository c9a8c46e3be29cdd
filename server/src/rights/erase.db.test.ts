import { randomUUID } from "node:crypto";
import { requestEvaluation } from "#evaluation";
import { transact } from "#platform";
import { claimSession, digestDue, NotCarried, recordLive } from "#sessions";
import type { ClaimedSession } from "#sessions";
import {
  addCustomer,
  addReceiver,
  captureLog,
  createLiveWorld,
  evaluateAgain,
  fillSession,
  jobSenderOf,
  playEvaluated,
  playSession,
  start,
  tracesOf,
} from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { createRights } from "./rights.ts";
import type { Rights } from "./rights.ts";

const ADA = "ada@example.com";
const operator = "operator:grace" as const;

function rightsOver({ db }: TestDatabase): Rights {
  return createRights({ db, log: captureLog().log });
}

async function stored({ pool }: TestDatabase, table: string): Promise<number> {
  return (await pool.query(`SELECT FROM ${table}`)).rowCount!;
}

// G1
describe("an erased session", () => {
  databaseTest("is gone from every table and the queue", async ({ database }) => {
    const { db } = database;
    const customer = await addCustomer(db);
    await addReceiver(db, customer, "http://127.0.0.1:9/hook");
    const { id, createdAt } = await playEvaluated(db, customer, { metadata: { contact: ADA } });
    await digestDue(db);
    await evaluateAgain(db, id);
    await transact(db, (trx) => requestEvaluation(trx, jobSenderOf(db), id));
    await fillSession(database, { id, createdAt });
    const other = await playEvaluated(db, customer);

    const before = await tracesOf(database, id);
    expect(before).toEqual([
      "pgboss.job_common",
      "public.deliveries",
      "public.evaluations",
      "public.follow_ups",
      "public.session_digests",
      "public.session_digests_due",
      "public.session_events_default",
      "public.session_exports",
      "public.session_usage",
      "public.sessions",
      "public.turns_default",
      "public.visits",
      "public.webhook_events",
    ]);
    const erasure = await rightsOver(database).eraseSession({ sessionId: id, askedBy: operator });
    expect(erasure).toMatchObject({ sessions: 1, deliveriesCancelled: 2, sessionIds: [id] });
    expect(await tracesOf(database, id)).toEqual([]);
    expect(await tracesOf(database, ADA)).toEqual([]);
    expect(await stored(database, "delivery_attempts")).toBe(0);
    expect(await tracesOf(database, other.id)).toContain("public.session_exports");
  });

  databaseTest("leaves a receipt and an audit entry that name nobody", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const { id } = await playSession(database.db, customer, { metadata: { email: ADA } });
    const erasure = await rightsOver(database).eraseSession({ sessionId: id, askedBy: "person" });
    const receipts = await database.pool.query("SELECT * FROM erasures");
    expect(receipts.rows).toEqual([
      {
        id: erasure.id,
        account_id: customer.account.id,
        at: erasure.at,
        scope: "session",
        asked_by: "person",
        sessions: 1,
        deliveries_cancelled: 0,
      },
    ]);
    const audit = await database.pool.query(
      "SELECT actor, action, subject FROM audit ORDER BY id DESC LIMIT 1",
    );
    expect(audit.rows).toEqual([{ actor: "person", action: "session.erase", subject: erasure.id }]);
  });

  databaseTest("is not erased for another account, nor twice", async ({ database }) => {
    const { db } = database;
    const [customer, other] = [await addCustomer(db), await addCustomer(db)];
    const { id } = await playSession(db, customer);
    const rights = rightsOver(database);
    const ask = { sessionId: id, askedBy: operator };
    const refused = { code: "not_found" };
    await expect(
      rights.eraseSession({ ...ask, accountId: other.account.id }),
    ).rejects.toMatchObject(refused);
    expect(await stored(database, "sessions")).toBe(1);
    await rights.eraseSession({ ...ask, accountId: customer.account.id });
    await expect(rights.eraseSession(ask)).rejects.toMatchObject(refused);
    expect(await stored(database, "erasures")).toBe(1);
  });

  databaseTest("that is being talked in is lost to its process", async ({ database }) => {
    const { db, visit } = await createLiveWorld(database);
    const { id, ticket } = await visit();
    const claim = { sessionId: id, processId: randomUUID(), credential: { ticket } };
    const session = (await claimSession(db, claim)) as ClaimedSession;
    const say = (itemId: string) =>
      recordLive(db, session, [
        {
          kind: "turn",
          turn: { id: itemId, role: "user", content: ADA, interrupted: false, at: new Date() },
        },
      ]);
    await say("in time");
    await rightsOver(database).eraseSession({ sessionId: id, askedBy: operator });
    await expect(say("late")).rejects.toThrow(NotCarried);
    const { resumeToken } = session;
    expect(await claimSession(db, { ...claim, credential: { resumeToken } })).toBe("refused");
    expect(await tracesOf(database, ADA)).toEqual([]);
  });

  databaseTest(
    "is not brought back by turns that arrive at the same moment",
    async ({ database }) => {
      const { db, visit } = await createLiveWorld(database);
      const { id, ticket } = await visit();
      const claim = { sessionId: id, processId: randomUUID(), credential: { ticket } };
      const session = (await claimSession(db, claim)) as ClaimedSession;
      const turns = Array.from({ length: 20 }, (_, index) =>
        recordLive(db, session, [
          {
            kind: "turn",
            turn: {
              id: `${index}`,
              role: "user",
              content: ADA,
              interrupted: false,
              at: new Date(),
            },
          },
        ]),
      );
      const [erased] = await Promise.allSettled([
        rightsOver(database).eraseSession({ sessionId: id, askedBy: operator }),
        ...turns,
      ]);
      expect(erased.status).toBe("fulfilled");
      expect(await tracesOf(database, ADA)).toEqual([]);
    },
  );

  databaseTest("no longer holds back the export", async ({ database }) => {
    const { db, pool } = database;
    const session = await start(db, await addCustomer(db));
    await rightsOver(database).eraseSession({ sessionId: session.id, askedBy: operator });
    const unsettled = await pool.query("SELECT FROM sessions WHERE settled_at IS NULL");
    expect(unsettled.rowCount).toBe(0);
  });
});

// G1
describe("an erased person", () => {
  const named = (email: string) => ({ metadata: { email } });

  databaseTest("is found by address in all accounts, however it is typed", async ({ database }) => {
    const { db } = database;
    const [first, second] = [await addCustomer(db), await addCustomer(db)];
    const theirs = [
      await playSession(db, first, named(ADA)),
      await playSession(db, first, { ...named(ADA), test: true }),
      await playSession(db, second, named("Ada@EXAMPLE.com")),
    ];
    const bob = await playSession(db, first, named("bob@example.com"));
    const erasures = await rightsOver(database).erasePerson({
      email: "  ADA@example.COM ",
      askedBy: operator,
    });
    expect(erasures).toMatchObject([
      { accountId: first.account.id, sessions: 2, scope: "person" },
      { accountId: second.account.id, sessions: 1 },
    ]);
    expect(erasures.flatMap(({ sessionIds }) => sessionIds).toSorted()).toEqual(
      theirs.map(({ id }) => id).toSorted(),
    );
    const left = await database.pool.query("SELECT id FROM sessions");
    expect(left.rows).toEqual([{ id: bob.id }]);
    expect(await tracesOf(database, "ada@")).toEqual([]);
  });

  databaseTest("may be erased in one account alone", async ({ database }) => {
    const { db } = database;
    const [first, second] = [await addCustomer(db), await addCustomer(db)];
    for (const customer of [first, second]) await playSession(db, customer, named(ADA));
    const accountId = second.account.id;
    const rights = rightsOver(database);
    expect(await rights.lookUp({ email: ADA, accountId })).toMatchObject([{ accountId }]);
    const asked = { email: ADA, askedBy: operator, accountId };
    expect(await rights.erasePerson(asked)).toMatchObject([{ accountId, sessions: 1 }]);
    expect(await rights.erasePerson(asked)).toEqual([]);
    expect(await rights.lookUp({ email: ADA })).toMatchObject([{ accountId: first.account.id }]);
  });

  databaseTest("is found where only metadata names them", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    for (const written of ["zoë@bücher.example", " Zoë@xn--bcher-kva.example"]) {
      const { id } = await playSession(db, customer);
      await pool.query("UPDATE sessions SET metadata = $2 WHERE id = $1", [
        id,
        JSON.stringify({ email: written }),
      ]);
    }
    await playSession(db, customer, { metadata: { email: "x".repeat(8_000) } });
    const asked = { email: "zoë@bücher.example", askedBy: operator };
    expect(await rightsOver(database).erasePerson(asked)).toMatchObject([{ sessions: 2 }]);
    expect(await stored(database, "sessions")).toBe(1);
  });

  databaseTest("with many sessions goes in batches, on one receipt", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    await pool.query(
      `INSERT INTO sessions (id, account_id, agent_id, agent_version, test, created_at, connect_by, metadata, email)
       SELECT gen_random_uuid(), $1, $2, 1, false, date_trunc('second', now()) - (i + 0.5) * interval '1 second', now(), '{}', $3 FROM generate_series(1, 250) AS i`,
      [customer.account.id, customer.agent.agentId, ADA],
    );
    const [erasure] = await rightsOver(database).erasePerson({ email: ADA, askedBy: operator });
    expect(erasure).toMatchObject({ sessions: 250 });
    expect(new Set(erasure!.sessionIds).size).toBe(250);
    const { rows } = await pool.query("SELECT id, sessions FROM erasures");
    expect(rows).toEqual([{ id: erasure!.id, sessions: 250 }]);
  });

  databaseTest("must be named by an address, which no error repeats", async ({ database }) => {
    const asked = { email: "ada at example", askedBy: operator };
    const failed = rightsOver(database).erasePerson(asked);
    await expect(failed).rejects.toMatchObject({ code: "invalid_input" });
    await expect(failed).rejects.not.toThrow(/ada at/);
  });
});
