import { captureLog } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect, onTestFinished, vi } from "vitest";
import { systemClock } from "../clock.ts";
import {
  livingProcesses,
  missingRoles,
  reportedProcesses,
  startPresence,
} from "./process-presence.ts";
import type { PresenceOptions, ProcessPresence } from "./process-presence.ts";

async function start(
  { db }: TestDatabase,
  given: Partial<PresenceOptions> = {},
): Promise<ProcessPresence> {
  const presence = await startPresence({
    db,
    log: captureLog().log,
    clock: systemClock,
    role: "all",
    version: "1.2.3",
    instance: "host:1",
    pid: 1,
    load: () => ({}),
    isDraining: () => false,
    services: {},
    ...given,
  });
  onTestFinished(() => presence.stop());
  return presence;
}

async function fallSilent({ pool }: TestDatabase, secs: number): Promise<void> {
  await pool.query("UPDATE processes SET renewed_at = renewed_at - make_interval(secs => $1)", [
    secs,
  ]);
}

databaseTest(
  "a process starts though the database cannot forget dead ones",
  async ({ database }) => {
    await database.pool.query(
      "CREATE RULE no_delete AS ON DELETE TO processes DO INSTEAD SELECT 1 / 0",
    );
    await start(database);
    expect(await livingProcesses(database.db)).toHaveLength(1);
  },
);

databaseTest("a process is known from its start to its clean stop", async ({ database }) => {
  const { db } = database;
  let draining = false;
  const presence = await start(database, {
    role: "live",
    isDraining: () => draining,
    load: () => ({ sessions: 3, capacity: 40 }),
  });
  expect(await livingProcesses(db)).toMatchObject([
    {
      role: "live",
      version: "1.2.3",
      instance: "host:1",
      pid: 1,
      alive: true,
      draining: false,
      load: { sessions: 3, capacity: 40, jobs: undefined },
    },
  ]);
  draining = true;
  await presence.report();
  expect(await livingProcesses(db)).toMatchObject([{ draining: true }]);
  await presence.stop();
  expect(await reportedProcesses(db)).toEqual([]);
});

databaseTest(
  "a process reports itself every few seconds",
  async ({ database }) => {
    let requests = 0;
    await start(database, { role: "api", load: () => ({ requests }) });
    const [before] = await livingProcesses(database.db);
    requests = 1_000;
    await vi.waitFor(
      async () => {
        const [now] = await livingProcesses(database.db);
        expect(now!.renewedAt.getTime()).toBeGreaterThan(before!.renewedAt.getTime());
        expect(now!.load.requestsPerSec).toBeGreaterThan(0);
      },
      { timeout: 10_000, interval: 200 },
    );
    const [after] = await livingProcesses(database.db);
    expect(after!.startedAt).toEqual(before!.startedAt);
  },
  15_000,
);

databaseTest(
  "a process that died is gone after its lease, then forgotten",
  async ({ database }) => {
    const { db } = database;
    await start(database);
    await fallSilent(database, 14);
    expect(await livingProcesses(db)).toHaveLength(1);
    await fallSilent(database, 2);
    expect(await livingProcesses(db)).toEqual([]);
    expect(await reportedProcesses(db)).toMatchObject([{ alive: false }]);
    await fallSilent(database, 600);
    expect(await reportedProcesses(db)).toEqual([]);
    await fallSilent(database, 86_400);
    await start(database, { instance: "host:2" });
    const { rows } = await database.pool.query("SELECT instance FROM processes");
    expect(rows).toEqual([{ instance: "host:2" }]);
  },
);

databaseTest("a role is missing while no process takes new work for it", async ({ database }) => {
  const missing = async (): Promise<string[]> => missingRoles(await livingProcesses(database.db));
  expect(await missing()).toEqual(["api", "live", "pipeline"]);
  await start(database, { role: "api" });
  await start(database, { role: "pipeline" });
  await start(database, { role: "live", isDraining: () => true });
  expect(await missing()).toEqual(["live"]);
  await start(database, { role: "all" });
  expect(await missing()).toEqual([]);
});
