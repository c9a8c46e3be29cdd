import { evaluate, Evaluator, requestEvaluation } from "#evaluation";
import type { LanguageModel } from "#models";
import { bind, createEgress, createLogMail, startJobRunner, transact } from "#platform";
import type { BoundJob } from "#platform";
import {
  addCustomer,
  addReceiver,
  captureLog,
  jobSenderOf,
  playEvaluated,
  startEventReceiver,
  testSecrets,
  tracesOf,
} from "#testing";
import type { CapturedLog, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { createExhaustionNotice, deliver, Deliverer, Dispatcher } from "#webhooks";
import { describe, expect, onTestFinished, vi } from "vitest";
import { createRights } from "./rights.ts";

/** Runs jobs, and notes how each ended. */
async function work(
  { pool }: TestDatabase,
  { log }: CapturedLog,
  binding: BoundJob,
): Promise<string[]> {
  const ends: string[] = [];
  const runner = await startJobRunner({
    pool,
    log,
    bindings: [binding],
    onFinished: (_job, outcome) => ends.push(outcome),
  });
  onTestFinished(() => runner.stop());
  return ends;
}

async function erase({ db }: TestDatabase, sessionId: string): Promise<number> {
  const rights = createRights({ db, log: captureLog().log });
  const erasure = await rights.eraseSession({ sessionId, askedBy: "operator:grace" });
  return erasure.deliveriesCancelled;
}

const isError = ({ level }: Record<string, unknown>): boolean => level === "error";

// G1
describe("what is under way when its session is erased", () => {
  databaseTest("an evaluation is not written", async ({ database }) => {
    const { db } = database;
    const session = await playEvaluated(db, await addCustomer(db));
    const log = captureLog();
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: LanguageModel = {
      name: "slow",
      isThere: async () => true,
      ask: async () => {
        asked.resolve();
        await answer.promise;
        return { text: "{}", usage: { inputTokens: 0, outputTokens: 0, costMicros: 0 } };
      },
    };
    const evaluator = new Evaluator({
      db,
      jobs: jobSenderOf(db),
      log: log.log,
      models: { first: slow, fallback: undefined },
      withinSecs: 300,
      onEvaluated: [],
    });
    await transact(db, (trx) => requestEvaluation(trx, jobSenderOf(db), session.id));
    const run = evaluator.run.bind(evaluator);
    const giveUp = evaluator.giveUp.bind(evaluator);
    const ends = await work(database, log, bind({ job: evaluate, slots: 1, run, giveUp }));
    await asked.promise;
    await erase(database, session.id);
    answer.resolve();
    await vi.waitFor(() => expect(ends).toEqual(["lost"]), 5_000);
    expect(await tracesOf(database, session.id)).toEqual([]);
    expect(log.lines().filter(isError)).toEqual([]);
  });

  databaseTest("a delivery leaves no trace of what it was answered", async ({ database }) => {
    const { db } = database;
    const log = captureLog();
    const [arrived, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
    const receiver = await startEventReceiver(async () => {
      arrived.resolve();
      return answer.promise;
    });
    onTestFinished(() => receiver.close());
    const customer = await addCustomer(db);
    await addReceiver(db, customer, receiver.url);
    const egress = createEgress({ allowPlainHttp: true, allowPrivate: true });
    const deliverer = new Deliverer({
      db,
      log: log.log,
      egress,
      secrets: testSecrets,
      notice: createExhaustionNotice(db, createLogMail(log.log), log.log),
      backoffMs: 30_000,
      deadlineMs: 10_000,
    });
    const run = deliverer.run.bind(deliverer);
    const giveUp = deliverer.giveUp.bind(deliverer);
    const ends = await work(database, log, bind({ job: deliver, slots: 1, run, giveUp }));
    const jobs = jobSenderOf(db);
    const dispatcher = new Dispatcher({ db, jobs, log: log.log, onAdmitted: () => {} });
    onTestFinished(() => dispatcher.stop());

    const session = await playEvaluated(db, customer);
    await arrived.promise;
    expect(await erase(database, session.id)).toBe(1);
    answer.resolve(500);
    await vi.waitFor(() => expect(ends).toEqual(["lost"]), 5_000);
    expect(await tracesOf(database, session.id)).toEqual([]);
    expect(log.lines().filter(isError)).toEqual([]);
    // Its slot is free: the next one is delivered.
    await playEvaluated(db, customer);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), 5_000);
  });

  databaseTest("many erasures and talks at once end without a deadlock", async ({ database }) => {
    const { db } = database;
    const customer = await addCustomer(db);
    await addReceiver(db, customer, "http://127.0.0.1:9/hook");
    const sessions = await Promise.all(
      Array.from({ length: 12 }, () => playEvaluated(db, customer)),
    );
    const again = sessions.map(({ id }) =>
      transact(db, (trx) => requestEvaluation(trx, jobSenderOf(db), id)),
    );
    const erased = sessions.map(({ id }) => erase(database, id));
    await Promise.allSettled(again);
    expect(await Promise.all(erased)).toEqual(sessions.map(() => 1));
    for (const { id } of sessions) expect(await tracesOf(database, id)).toEqual([]);
  });
});
