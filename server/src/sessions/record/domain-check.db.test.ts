import { armFailpoints, bind, createDns, startJobRunner, transact } from "#platform";
import {
  addCustomer,
  captureLog,
  createFakeClock,
  exportRow,
  jobSenderOf,
  playSession,
  sessionRow,
  start,
  startScriptedDns,
} from "#testing";
import type { DnsAnswer, DnsQuestion, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished, vi } from "vitest";
import { DomainCheck } from "./domain-check.ts";
import { checkDomain, confirmEmail } from "./session.ts";
import type { StartedSession } from "./session.ts";

interface QueuedCheck {
  sessionId: string;
  timesAsked: number;
  afterSecs: number;
}

/** Checks that wait, each with the time between its order and its run. */
async function queued({ pool }: TestDatabase): Promise<QueuedCheck[]> {
  const { rows } = await pool.query<QueuedCheck>(
    `SELECT data ->> 'sessionId' AS "sessionId", (data ->> 'timesAsked')::integer AS "timesAsked",
       round(extract(epoch FROM start_after - created_on))::integer AS "afterSecs"
     FROM pgboss.job WHERE name = 'check-domain' AND state = 'created' ORDER BY created_on`,
  );
  return rows;
}

/** Runs the queued checks against a name server that gives this answer. */
async function checking(
  { db, pool }: TestDatabase,
  answer: (question: DnsQuestion) => DnsAnswer,
): Promise<DnsQuestion[]> {
  const server = await startScriptedDns(answer);
  onTestFinished(server.close);
  const { log } = captureLog();
  const check = new DomainCheck({
    db,
    jobs: jobSenderOf(db),
    log,
    dns: createDns({ servers: [server.server] }),
    clock: createFakeClock(),
  });
  const run = check.run.bind(check);
  const giveUp = check.giveUp.bind(check);
  const bindings = [bind({ job: checkDomain, slots: 8, run, giveUp })];
  const runner = await startJobRunner({ pool, log, bindings });
  onTestFinished(() => runner.stop());
  return server.questions;
}

const withAddress = async ({ db }: TestDatabase, email: string): Promise<StartedSession> =>
  start(db, await addCustomer(db), { metadata: { email } });

const verified = (database: TestDatabase, { id }: StartedSession, is: boolean): Promise<void> =>
  vi.waitFor(
    async () => expect(await sessionRow(database, id)).toMatchObject({ email_verified: is }),
    8_000,
  );

const exchange = ({ type }: DnsQuestion): DnsAnswer =>
  type === "MX" ? ["10 mx.test"] : ["9.9.9.9"];

describe("the check of an address's domain", () => {
  databaseTest("is ordered with the address that the site passed", async ({ database }) => {
    const session = await withAddress(database, "Ada@Example.com");
    expect(await queued(database)).toEqual([
      { sessionId: session.id, timesAsked: 0, afterSecs: 0 },
    ]);
  });

  databaseTest("is not ordered without an address", async ({ database }) => {
    const customer = await addCustomer(database.db);
    await start(database.db, customer);
    await start(database.db, customer, { metadata: { email: "no address" } });
    expect(await queued(database)).toEqual([]);
  });

  databaseTest("is ordered, or not, with the session itself", async ({ database }) => {
    const customer = await addCustomer(database.db);
    await expect(
      start(
        database.db,
        { ...customer, account: { ...customer.account, id: 404 } },
        {
          metadata: { email: "ada@example.com" },
        },
      ),
    ).rejects.toThrow("no clock");
    expect(await queued(database)).toEqual([]);
  });

  databaseTest("writes what it heard", async ({ database }) => {
    const good = await withAddress(database, "ada@good.test");
    const bad = await withAddress(database, "ada@bad.test");
    await checking(database, (question) =>
      question.name === "bad.test" ? "nxdomain" : exchange(question),
    );
    await verified(database, good, true);
    await verified(database, bad, false);
    await vi.waitFor(async () => expect(await queued(database)).toEqual([]));
  });

  databaseTest("that comes late reaches the export", async ({ database }) => {
    const session = await playSession(database.db, await addCustomer(database.db), {
      metadata: { email: "ada@good.test" },
    });
    expect(await exportRow(database, session.id)).toMatchObject({ email_verified: null });
    await checking(database, exchange);
    await verified(database, session, true);
    expect(await exportRow(database, session.id)).toMatchObject({ email_verified: true });
  });

  databaseTest("is about the address that the visitor confirmed last", async ({ database }) => {
    const { db } = database;
    const session = await withAddress(database, "ada@old.test");
    await transact(db, (trx) => confirmEmail(trx, jobSenderOf(db), session.id, "ada@new.test"));
    const questions = await checking(database, exchange);
    await verified(database, session, true);
    expect(questions.some(({ name }) => name === "old.test")).toBe(false);
  });

  databaseTest("is kept when the visitor confirms the same address", async ({ database }) => {
    const { db } = database;
    const session = await withAddress(database, "ada@good.test");
    await checking(database, exchange);
    await verified(database, session, true);
    await transact(db, (trx) => confirmEmail(trx, jobSenderOf(db), session.id, "Ada@good.test"));
    expect(await sessionRow(database, session.id)).toMatchObject({ email_verified: true });
    expect(await queued(database)).toEqual([]);
  });

  // D4
  databaseTest("writes nothing that it did not hear, and asks again", async ({ database }) => {
    const session = await withAddress(database, "ada@shy.test");
    let isBack = false;
    await checking(database, (question) => (isBack ? exchange(question) : "servfail"));
    await vi.waitFor(async () =>
      expect(await queued(database)).toEqual([
        { sessionId: session.id, timesAsked: 1, afterSecs: 5 },
      ]),
    );
    expect(await sessionRow(database, session.id)).toMatchObject({ email_verified: null });
    isBack = true;
    await verified(database, session, true);
  });

  // D4
  databaseTest("asks ever more rarely, and at last no more", async ({ database }) => {
    const session = await withAddress(database, "ada@shy.test");
    const questions = await checking(database, () => "refused");
    for (const [times, afterSecs] of [5, 30, 300, 3_600, 21_600].entries()) {
      await vi.waitFor(async () =>
        expect(await queued(database)).toEqual([
          { sessionId: session.id, timesAsked: times + 1, afterSecs },
        ]),
      );
      await database.pool.query(
        "UPDATE pgboss.job SET start_after = now() WHERE state = 'created'",
      );
    }
    await vi.waitFor(async () => expect(await queued(database)).toEqual([]));
    expect(new Set(questions.map(({ name }) => name))).toEqual(new Set(["shy.test"]));
    expect(await sessionRow(database, session.id)).toMatchObject({ email_verified: null });
  });

  // K12
  databaseTest("asks again when the answer was not stored", async ({ database }) => {
    const session = await withAddress(database, "ada@good.test");
    armFailpoints("domain:answered=err");
    onTestFinished(() => armFailpoints(""));
    const questions = await checking(database, exchange);
    await vi.waitFor(() => expect(questions).not.toEqual([]));
    expect(await sessionRow(database, session.id)).toMatchObject({ email_verified: null });
    armFailpoints("");
    await verified(database, session, true);
  });

  databaseTest("has nothing to do for a session that was erased", async ({ database }) => {
    const session = await withAddress(database, "ada@good.test");
    await database.pool.query("DELETE FROM sessions WHERE id = $1", [session.id]);
    const questions = await checking(database, exchange);
    await vi.waitFor(async () => expect(await queued(database)).toEqual([]));
    expect(questions).toEqual([]);
  });

  databaseTest("waits for no other", async ({ database }) => {
    const silent = await Promise.all(
      ["a", "b", "c"].map((name) => withAddress(database, `ada@${name}.silent.test`)),
    );
    const good = await withAddress(database, "ada@good.test");
    await checking(database, (question) =>
      question.name.endsWith("silent.test") ? "silence" : exchange(question),
    );
    await verified(database, good, true);
    for (const { id } of silent) {
      expect(await sessionRow(database, id)).toMatchObject({ email_verified: null });
    }
    expect(await queued(database)).toEqual([]);
  });
});
