import { randomUUID } from "node:crypto";
import { transact } from "#platform";
import { createLiveWorld, say, sessionRow } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { claimSession } from "./live-claim.ts";
import type { ClaimedSession } from "./live-claim.ts";
import { endSession } from "./session.ts";

const processId = randomUUID();

databaseTest("a claim tells what the conversation needs", async ({ database }) => {
  const world = await createLiveWorld(database, { limits: { maxMinutes: 7 } });
  const { id, ticket } = await world.visit();
  const claimed = await claimSession(world.db, {
    sessionId: id,
    processId,
    credential: { ticket },
  });
  expect(claimed).toEqual({
    id,
    createdAt: expect.any(Date),
    accountId: world.customer.account.id,
    agent: world.customer.agent,
    test: false,
    language: "en",
    mode: "text",
    metadata: {},
    maxMinutes: 7,
    talkedMs: 0,
    epoch: 1,
    resumeToken: expect.stringMatching(/^[\w-]{43}$/),
    turns: [],
    events: [],
  });
  const row = await sessionRow(database, id);
  const [connectedAt, converseBy] = [row["connected_at"] as Date, row["converse_by"] as Date];
  expect(converseBy.getTime() - connectedAt.getTime()).toBeCloseTo(8 * 60_000, -2);
  const { rows } = await database.pool.query<{ hashes: string }>(
    "SELECT concat(ticket_hash, resume_hash) AS hashes FROM visits",
  );
  expect(rows[0]!.hashes).not.toContain((claimed as ClaimedSession).resumeToken);
});

// A5
databaseTest("coming back to the same process is no takeover", async ({ database }) => {
  const world = await createLiveWorld(database);
  const { id, ticket } = await world.visit();
  const claim = { sessionId: id, processId };
  const first = await claimSession(world.db, { ...claim, credential: { ticket } });
  const { resumeToken, createdAt } = first as ClaimedSession;
  await say(world.db, { id, createdAt }, [{ role: "assistant", content: "Hello." }]);
  const credential = { resumeToken };
  expect(await claimSession(world.db, { ...claim, processId: randomUUID(), credential })).toBe(
    "elsewhere",
  );
  const second = await claimSession(world.db, { ...claim, credential });
  expect(second).toMatchObject({
    epoch: 1,
    turns: [{ id: "item-0", role: "assistant", content: "Hello.", interrupted: false }],
  });
  expect(await claimSession(world.db, { ...claim, credential })).toBe("refused");
});

// A5, V5
databaseTest("one ticket, two sockets at once: one gets in", async ({ database }) => {
  const world = await createLiveWorld(database);
  const { id, ticket } = await world.visit();
  const claims = await Promise.all(
    Array.from({ length: 8 }, () =>
      claimSession(world.db, { sessionId: id, processId, credential: { ticket } }),
    ),
  );
  expect(claims.filter((claim) => claim === "refused")).toHaveLength(7);
});

// A5
databaseTest("an ended session opens to nobody", async ({ database }) => {
  const world = await createLiveWorld(database);
  const { id, ticket } = await world.visit();
  await transact(world.db, (trx) => endSession(trx, world.jobs, id, { reason: "visitor_gone" }));
  expect(await claimSession(world.db, { sessionId: id, processId, credential: { ticket } })).toBe(
    "over",
  );
});
