import { startPresence, systemClock } from "#platform";
import type { Db, ProcessLoad, ProcessRole } from "#platform";
import { addCustomer, captureLog, end, EXAMPLE_TURNS, say, start } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect, onTestFinished } from "vitest";
import { commandLineUnderTest } from "../command-line-under-test.ts";

async function present(db: Db, role: ProcessRole, load: ProcessLoad = {}): Promise<void> {
  const presence = await startPresence({
    db,
    log: captureLog().log,
    clock: systemClock,
    role,
    version: "1.2.3+0a1b2c3",
    instance: `${role}-1.example.internal:4711`,
    pid: 4_711,
    load: () => load,
    services: {},
    isDraining: () => role === "live",
  });
  onTestFinished(() => presence.stop());
}

databaseTest("svc status shows processes and backlogs at 80 columns", async ({ database }) => {
  const { db } = database;
  await present(db, "api", {});
  await present(db, "live", { sessions: 12, capacity: 40 });
  await present(db, "pipeline", { jobs: 3, jobSlots: 540 });
  const session = await start(db, await addCustomer(db));
  await say(db, session, EXAMPLE_TURNS);
  await end(db, session);

  const { svc, jsonAt } = commandLineUnderTest({ db: () => db }, { width: 80 });
  const { out, exitCode } = await svc("status");
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(out).toMatch(/^INSTANCE +ROLE +STATE +LOAD +SEEN +VERSION/m);
  expect(out).toMatch(/^live-1\S* +live +draining +12\/40 calls +just now +1\.2\.3\+0a1b2c3/m);
  expect(out).toMatch(/^pipeline-1\S* +pipeline +running +3 jobs/m);
  expect(out.replaceAll(/\s+/g, " ")).toContain(`${session.id}, started just now`);
  expect(out).toMatch(/^evaluations +1 waiting, 0 running$/m);
  expect(out).toMatch(/^deliveries +0 waiting, 0 running, 0 failed$/m);
  expect(out.replaceAll(/\s+/g, " ")).toContain("Missing: no process with the role live");
  expect(exitCode).toBe(1);

  expect(await jsonAt(1, "status")).toMatchObject({
    processes: [{ role: "api" }, { role: "live", sessions: 12 }, { role: "pipeline", jobs: 3 }],
    missing_roles: ["live"],
    oldest_unsettled: { session_id: session.id, waits_for: "evaluation", overdue: false },
    evaluations: { waiting: 1, running: 0, model_away: 0 },
  });
});

databaseTest("svc status is well while every role is at work", async ({ database }) => {
  const { db } = database;
  const { svc, json } = commandLineUnderTest({ db: () => db });
  expect(await svc("status")).toMatchObject({
    exitCode: 1,
    out: expect.stringContaining("No process has reported"),
  });
  const strain = { loopDelayMs: 320.4, memoryShare: 0.31, busy: "event_loop" as const };
  await present(db, "all", { sessions: 0, capacity: 40, jobs: 0, jobSlots: 540, ...strain });
  expect(await json("status")).toMatchObject({
    missing_roles: [],
    processes: [
      { role: "all", state: "busy", loop_delay_ms: 320, memory_percent: 31, busy: "event_loop" },
    ],
  });
  const { out } = await svc("status");
  expect(out).toContain("0/40 calls, 0 jobs");
  expect(out).not.toContain("Missing");
});
