import type { Db } from "#platform";
import { announceLive, createLiveWorld, sessionRow } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { claimSession } from "./live-claim.ts";
import {
  endPresence,
  liveOffer,
  loseDeadProcesses,
  notCarried,
  renewPresence,
} from "./presence.ts";

async function fallSilent({ pool }: TestDatabase, secs: number): Promise<void> {
  await pool.query(
    "UPDATE live_processes SET renewed_at = renewed_at - make_interval(secs => $1)",
    [secs],
  );
}

async function placesOf(db: Db): Promise<string> {
  return (await liveOffer(db)).places;
}

databaseTest("there is a place while one process has one", async ({ database }) => {
  const { db } = database;
  expect(await placesOf(db)).toBe("none");
  const first = await announceLive(db, { capacity: 2, sessions: 1 });
  expect(await placesOf(db)).toBe("open");
  await renewPresence(db, { ...first, sessions: 2 });
  expect(await placesOf(db)).toBe("full");
  const second = await announceLive(db, { capacity: 2 });
  expect(await placesOf(db)).toBe("open");
  await endPresence(db, second.id);
  expect(await placesOf(db)).toBe("full");
});

// L12
databaseTest("one that stops or whose model is away has none", async ({ database }) => {
  const { db } = database;
  const process = await announceLive(db);
  await renewPresence(db, { ...process, draining: true });
  expect(await placesOf(db)).toBe("none");
  await renewPresence(db, { ...process, modelAnswers: false });
  expect(await placesOf(db)).toBe("none");
});

databaseTest("a full process does not hide behind one that is overfull", async ({ database }) => {
  await announceLive(database.db, { capacity: 1, sessions: 0 });
  await announceLive(database.db, { capacity: 1, sessions: 5 });
  expect(await placesOf(database.db)).toBe("open");
});

// L12
databaseTest("voice is on offer while one process can hear and speak", async ({ database }) => {
  const { db } = database;
  const offersVoice = async (): Promise<boolean> => (await liveOffer(db)).voice;
  expect(await offersVoice()).toBe(false);
  await announceLive(db, { speechAnswers: false });
  expect(await offersVoice()).toBe(false);
  const speaking = await announceLive(db);
  expect(await offersVoice()).toBe(true);
  await renewPresence(db, { ...speaking, speechAnswers: false });
  expect(await offersVoice()).toBe(false);
  await renewPresence(db, { ...speaking, draining: true });
  expect(await offersVoice()).toBe(false);
  await renewPresence(db, speaking);
  await fallSilent(database, 11);
  expect(await offersVoice()).toBe(false);
});

// K2
databaseTest(
  "the visitors of a process that died are given up a minute after its last word",
  async ({ database }) => {
    const { db } = database;
    const world = await createLiveWorld(database);
    const { id, ticket } = await world.visit();
    const process = await announceLive(db);
    await claimSession(db, { sessionId: id, processId: process.id, credential: { ticket } });

    await fallSilent(database, 9);
    expect(await loseDeadProcesses(db)).toBe(0);
    expect(await placesOf(db)).toBe("open");
    await fallSilent(database, 2);
    expect(await placesOf(db)).toBe("none");
    const { rows } = await database.pool.query<{ by: Date }>(
      "SELECT renewed_at + interval '60 seconds' AS by FROM live_processes",
    );
    expect(await loseDeadProcesses(db)).toBe(1);
    expect(await sessionRow(database, id)).toMatchObject({ return_by: rows[0]!.by });
    expect(await loseDeadProcesses(db)).toBe(0);
    // The process was only slow, and learns that it was considered dead.
    expect(await renewPresence(db, process)).toBe("new");
    expect(await renewPresence(db, process)).toBe("known");
  },
);

// P1
databaseTest(
  "after an outage of the database the visitors of a process have time until it speaks again",
  async ({ database }) => {
    const { db } = database;
    const { id, ticket } = await (await createLiveWorld(database)).visit();
    const process = await announceLive(db);
    await claimSession(db, { sessionId: id, processId: process.id, credential: { ticket } });
    await fallSilent(database, 3_600);
    expect(await loseDeadProcesses(db)).toBe(1);
    const { rows } = await database.pool.query<{ secs: number }>(
      "SELECT extract(epoch FROM return_by - clock_timestamp())::float8 AS secs FROM sessions",
    );
    expect(rows[0]!.secs).toBeGreaterThan(10);
    // The column rounds to milliseconds, upwards too.
    expect(rows[0]!.secs).toBeLessThanOrEqual(15.001);
  },
);

databaseTest("a process learns which sessions are not its own any more", async ({ database }) => {
  const { db } = database;
  const { visit } = await createLiveWorld(database);
  const [kept, moved, erased] = [await visit(), await visit(), await visit()];
  const [{ id: own }, { id: other }] = [await announceLive(db), await announceLive(db)];
  for (const { id: sessionId, ticket } of [kept, moved, erased])
    await claimSession(db, { sessionId, processId: own, credential: { ticket } });
  const { id: sessionId, ticket } = moved;
  await claimSession(db, { sessionId, processId: other, credential: { ticket } });
  await database.pool.query("DELETE FROM sessions WHERE id = $1", [erased.id]);
  const ids = [kept.id, moved.id, erased.id];
  expect((await notCarried(db, own, ids)).toSorted()).toEqual([moved.id, erased.id].toSorted());
});
