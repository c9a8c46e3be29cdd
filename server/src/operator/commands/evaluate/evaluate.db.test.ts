import { Evaluator, evaluate } from "#evaluation";
import { bind, createLog, startJobRunner, systemClock } from "#platform";
import type { Clock } from "#platform";
import {
  addCustomer,
  end,
  jobSenderOf,
  playSession,
  say,
  settle,
  start,
  startRehearsedModels,
} from "#testing";
import type { RehearsedModels, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished } from "vitest";
import type { ManyEvaluations, OneEvaluation } from "../../pages/evaluation-page.ts";
import { commandLineUnderTest } from "../../command-line-under-test.ts";
import type { Ran } from "../../command-line-under-test.ts";
import type { Operator } from "../../operator.ts";

async function svc(
  { db }: TestDatabase,
  argv: string[],
  change: Partial<Operator> = {},
): Promise<Ran> {
  const given = { db: () => db, jobs: () => jobSenderOf(db), ...change };
  return commandLineUnderTest(given).svc(...argv);
}

/** What `--json` prints of the one session, or of the many. */
async function json(
  database: TestDatabase,
  argv: string[],
  exitCode = 0,
): Promise<OneEvaluation | ManyEvaluations> {
  const ran = await svc(database, [...argv, "--json"]);
  expect(ran).toMatchObject({ exitCode, err: "" });
  const [printed] = Object.values(JSON.parse(ran.out) as object);
  return printed as OneEvaluation | ManyEvaluations;
}

/** What a pipeline does, as long as the test runs. */
async function runEvaluations({ db, pool }: TestDatabase): Promise<RehearsedModels["rehearsal"]> {
  const { rehearsal, models } = await startRehearsedModels();
  const log = createLog("silent");
  const evaluator = new Evaluator({
    db,
    log,
    models,
    jobs: jobSenderOf(db),
    withinSecs: 300,
    onEvaluated: [],
  });
  const run = evaluator.run.bind(evaluator);
  const runner = await startJobRunner({
    pool,
    log,
    bindings: [bind({ job: evaluate, slots: 2, run, giveUp: run })],
  });
  onTestFinished(async () => {
    await runner.stop();
    await rehearsal.close();
  });
  return rehearsal;
}

/** Each look at it is a minute later. */
function hastyClock(): Clock {
  let minutes = 0;
  return { ...systemClock, monotonicMs: () => (minutes += 1) * 60_000 };
}

async function pending({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ session_id: string }>(
    "SELECT session_id FROM evaluations WHERE state = 'pending' ORDER BY 1",
  );
  return rows.map((row) => row.session_id);
}

const failed = { settlement: { status: "error", reason: "model_output" } } as const;

describe("svc evaluate <session>", () => {
  databaseTest("shows the new evaluation once it is written", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const { id } = await playSession(database.db, customer, failed);
    await runEvaluations(database);
    const { out, exitCode } = await svc(database, ["evaluate", id]);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^Session /);
    expect(out).toMatch(/^status +processed$/m);
    expect(out).toMatch(/^qualification +not_enough_data$/m);
    expect(out).toMatch(/^version +1, after \ds$/m);
    expect(out).toMatch(/^model +first$/m);
    expect(out).toMatch(/^tokens +[\d,]+ in, [\d,]+ out$/m);
    expect(await json(database, ["evaluate", id])).toMatchObject({
      request: "requested",
      outcome: "written",
      version: 2,
      cost_micros: expect.any(Number) as number,
    });
  });

  databaseTest("says why it failed, and that the session stays", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const { id } = await playSession(database.db, customer);
    const rehearsal = await runEvaluations(database);
    await rehearsal.setFaults([{ kind: "refusal" }]);
    const { out, exitCode } = await svc(database, ["evaluate", id]);
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^evaluation +failed: every model was asked and none would answer\.$/m);
    expect(out).toMatch(/^status +processed, as before$/m);
  });

  databaseTest("says what to start when no pipeline runs, and asks once", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const { id } = await playSession(database.db, customer, failed);
    const first = await svc(database, ["evaluate", id], { clock: hastyClock() });
    expect(first.exitCode).toBe(3);
    expect(first.out).toContain("A new evaluation is asked for.");
    expect(first.out).toContain("SVC_ROLE=pipeline");
    const second = await svc(database, ["evaluate", id], { clock: hastyClock() });
    expect(second.out).toContain("joins it");
    const { rows } = await database.pool.query(
      "SELECT actor, account_id, subject FROM audit WHERE action = 'session.evaluate'",
    );
    expect(rows).toEqual([{ actor: "ada", account_id: customer.account.id, subject: id }]);
    expect(await pending(database)).toEqual([id]);
  });

  databaseTest(
    "joins the first evaluation of a session that waits for it",
    async ({ database }) => {
      const session = await start(database.db, await addCustomer(database.db));
      await say(database.db, session, [{ role: "user", content: "Hello" }]);
      await end(database.db, session);
      expect(await json(database, ["evaluate", session.id, "--no-wait"])).toEqual({
        session_id: session.id,
        request: "joined",
        outcome: "not_awaited",
        version: 1,
        status: "active",
        dropped: [],
      });
      expect(await pending(database)).toEqual([]);
    },
  );

  databaseTest("refuses what cannot be evaluated", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const silent = await playSession(database.db, customer, { turns: [] });
    const active = await start(database.db, customer);
    for (const [argv, exitCode, words] of [
      [[silent.id], 1, "The visitor said nothing in it"],
      [[active.id], 1, "its conversation still goes on"],
      [["nobody"], 1, "There is no session nobody."],
      [[], 2, "either a session's id or --status"],
      [[silent.id, "--status", "error"], 2, "either a session's id or --status"],
      [["--status", "error"], 2, "Add --since"],
    ] as const) {
      const ran = await svc(database, ["evaluate", ...argv]);
      expect([ran.exitCode, ran.err]).toEqual([exitCode, expect.stringContaining(words)]);
    }
    expect(await pending(database)).toEqual([]);
  });
});

describe("svc evaluate --status", () => {
  databaseTest("asks for every session that fits, and for no other", async ({ database }) => {
    const [acme, other] = [await addCustomer(database.db), await addCustomer(database.db)];
    const due = await playSession(database.db, acme, failed);
    const underWay = await playSession(database.db, acme, failed);
    const foreign = await playSession(database.db, other, failed);
    await playSession(database.db, acme);
    await playSession(database.db, acme, { ...failed, test: true });
    await svc(database, ["evaluate", underWay.id, "--no-wait"]);

    const { agentId } = acme.agent;
    const ofAcme = ["evaluate", "--status", "error", "--since", "1h", "--agent", agentId];
    expect(await json(database, [...ofAcme, "--dry-run"])).toMatchObject({
      found: 2,
      requested: 0,
    });
    expect(await pending(database)).toEqual([underWay.id]);
    const told = { found: 2, requested: 1, joined: 1, changed: 0, refused: 0, stopped: false };
    expect(await json(database, [...ofAcme, "--rate", "1000"])).toMatchObject(told);
    expect(await pending(database)).toEqual([due.id, underWay.id].toSorted());

    const all = await svc(database, [
      "evaluate",
      "--status",
      "error",
      "--since",
      "1h",
      "--rate",
      "50",
    ]);
    expect(all.out).toContain("1 requested, 2 under way already");
    expect(all.out).toContain("--dry-run counts what is left");
    expect(await pending(database)).toContain(foreign.id);
  });

  databaseTest("asks no faster than it is told, and stops when told", async ({ database }) => {
    const customer = await addCustomer(database.db);
    for (let i = 0; i < 6; i++) await playSession(database.db, customer, failed);
    const stop = new AbortController();
    const startedAt = performance.now();
    const ran = await svc(
      database,
      ["evaluate", "--status", "error", "--since", "1h", "--rate", "20"],
      {
        interrupted: () => stop.signal,
        progress: (done) => void (done === 4 && stop.abort()),
      },
    );
    expect(performance.now() - startedAt).toBeGreaterThan(140);
    expect(ran.exitCode).toBe(1);
    expect(ran.out).toContain("4 requested");
    expect(ran.out).toContain("Stopped. Run it again for the rest.");
    expect(await pending(database)).toHaveLength(4);
  });

  databaseTest("leaves alone what was evaluated meanwhile", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const sessions = [
      await playSession(database.db, customer, failed),
      await playSession(database.db, customer, failed),
    ];
    const processed = { status: "processed", summary: undefined, evaluation: {} } as const;
    const healing = Promise.withResolvers<void>();
    const ran = await svc(
      database,
      ["evaluate", "--status", "error", "--since", "1h", "--rate", "2"],
      {
        progress: (done) =>
          void (done === 1 && settle(database.db, sessions[1]!, processed).then(healing.resolve)),
      },
    );
    await healing.promise;
    expect(ran.out).toMatch(/1 requested, 0 under way already, 1\s+evaluated meanwhile/);
  });

  databaseTest("counts what cannot be evaluated, and says why", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const { id } = await playSession(database.db, customer, failed);
    await database.pool.query("DELETE FROM turns");
    await database.pool.query("UPDATE session_exports SET transcript = NULL");
    const argv = ["evaluate", "--status", "error", "--since", "1h"];
    expect(await json(database, argv, 1)).toMatchObject({
      requested: 0,
      refused: 1,
      problems: [{ session_id: id, why: expect.stringContaining("no longer kept") }],
    });
  });
});
