import { randomUUID } from "node:crypto";
import { createLog } from "#platform";
import { claimSession } from "#sessions";
import type { ClaimedSession } from "#sessions";
import { createLiveWorld, sessionRow, startOwnCluster } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect, inject, test } from "vitest";
import { Recorder } from "./recorder.ts";

async function recorderOn(database: TestDatabase) {
  const world = await createLiveWorld(database);
  const { id, ticket } = await world.visit();
  const claim = { sessionId: id, processId: randomUUID(), credential: { ticket } };
  const session = (await claimSession(world.db, claim)) as ClaimedSession;
  const stuck: string[] = [];
  const recorder = new Recorder({
    db: world.db,
    jobs: world.jobs,
    log: createLog("silent"),
    session,
    onStuck: (why) => stuck.push(why),
  });
  const say = (itemId: string): void =>
    recorder.add({
      kind: "turn",
      turn: { id: itemId, role: "user", content: itemId, interrupted: false, at: new Date() },
    });
  const said = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ item_id: string }>(
      "SELECT item_id FROM turns ORDER BY seq",
    );
    return rows.map(({ item_id: itemId }) => itemId);
  };
  return { ...world, id, recorder, say, said, stuck };
}

const end = { reason: "visitor_ended", visitorLastSeenAt: undefined } as const;

databaseTest("everything is stored in its order, the end last", async ({ database }) => {
  const { id, recorder, say, said } = await recorderOn(database);
  const items = Array.from({ length: 120 }, (_, index) => `item-${index}`);
  for (const item of items) say(item);
  recorder.loseVisitor(60);
  recorder.keepVisitor();
  await recorder.end(end);
  expect(await said()).toEqual(items);
  expect(await sessionRow(database, id)).toMatchObject({ return_by: null });
  await recorder.drained();
});

// P1
test("while PostgreSQL is away the conversation goes on, and nothing of it is lost", async () => {
  const cluster = await startOwnCluster(inject("clusterUrl"));
  try {
    const { id, recorder, say, said, stuck } = await recorderOn(cluster.database);
    say("before");
    await recorder.drained();
    await cluster.stop("fast");
    say("away 1");
    say("away 2");
    const confirmed = recorder.confirmEmail("ada@example.com");
    const ended = recorder.end(end);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await cluster.start();
    await confirmed;
    await ended;
    expect(await said()).toEqual(["before", "away 1", "away 2"]);
    expect(await sessionRow(cluster.database, id)).toMatchObject({
      end_reason: "visitor_ended",
      email: "ada@example.com",
    });
    expect(stuck).toEqual([]);
  } finally {
    await cluster.remove();
  }
}, 60_000);

// A process that is starved, not frozen, may leave a transaction idle for too long as well.
databaseTest("a write that PostgreSQL has given up is made again", async ({ database }) => {
  const { say, said, recorder, stuck } = await recorderOn(database);
  await database.pool.query(`
    CREATE SEQUENCE tries;
    CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('tries') = 1 THEN RAISE EXCEPTION USING ERRCODE = '25P03'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER give_up BEFORE INSERT ON turns FOR EACH ROW EXECUTE FUNCTION give_up()`);
  say("first");
  say("second");
  await recorder.drained();
  expect(await said()).toEqual(["first", "second"]);
  expect(stuck).toEqual([]);
});

databaseTest("a refused address holds nothing up", async ({ database }) => {
  const { recorder, say, said, stuck } = await recorderOn(database);
  await expect(recorder.confirmEmail("ada")).rejects.toThrow("not an address");
  say("after");
  await recorder.drained();
  expect(await said()).toEqual(["after"]);
  expect(stuck).toEqual([]);
});

databaseTest("what waits for too long is given up", async ({ database }) => {
  const { recorder, say, stuck } = await recorderOn(database);
  for (let item = 0; item <= 2_000; item++) say(`item-${item}`);
  expect(stuck).toEqual(["fault"]);
  await expect(recorder.end(end)).rejects.toThrow("given up");
});

databaseTest("of how the screen stood only the last waits", async ({ database }) => {
  const { id, recorder, say, said, stuck } = await recorderOn(database);
  const look = (content: string): void =>
    recorder.add({ kind: "scene", scene: { mode: "text", content } });
  say("first");
  for (let slide = 0; slide <= 2_000; slide++) look(`slide-${slide}`);
  say("second");
  look("last");
  await recorder.drained();
  expect(await said()).toEqual(["first", "second"]);
  expect(stuck).toEqual([]);
  const { rows } = await database.pool.query("SELECT scene FROM visits WHERE session_id = $1", [
    id,
  ]);
  expect(rows).toEqual([{ scene: { mode: "text", content: "last" } }]);
});

databaseTest("what cannot be stored at all ends the call", async ({ database }) => {
  const { recorder, say, stuck } = await recorderOn(database);
  await database.pool.query("ALTER TABLE turns RENAME TO turned");
  say("lost");
  await recorder.drained();
  expect(stuck).toEqual(["fault"]);
});
