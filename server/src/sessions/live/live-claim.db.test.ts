import { randomUUID } from "node:crypto";
import { transact } from "#platform";
import { createLiveWorld, say, sessionRow } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { endSession } from "../record/session.ts";
import { claimSession } from "./live-claim.ts";
import type { ClaimedSession, LiveClaim } from "./live-claim.ts";

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
    traceparent: null,
    talkedMs: 0,
    epoch: 1,
    resumeToken: expect.stringMatching(/^[\w-]{43}$/),
    turns: [],
    events: [],
    before: undefined,
  });
  const row = await sessionRow(database, id);
  const [connectedAt, converseBy] = [row["connected_at"] as Date, row["converse_by"] as Date];
  expect(converseBy.getTime() - connectedAt.getTime()).toBeCloseTo(8 * 60_000, -2);
  const { rows } = await database.pool.query<{ hashes: string }>(
    "SELECT concat(ticket_hash, resume_hash, previous_hash) AS hashes FROM visits",
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
});

/**
 * A visit, and a function that claims it with a ticket or a token and returns the next token or the
 * refusal.
 */
async function claims(database: TestDatabase) {
  const world = await createLiveWorld(database);
  const { id: sessionId, ticket } = await world.visit();
  const claim = async (credential: LiveClaim["credential"]): Promise<string> => {
    const claimed = await claimSession(world.db, { sessionId, processId, credential });
    return typeof claimed === "string" ? claimed : claimed.resumeToken;
  };
  return {
    withTicket: () => claim({ ticket }),
    with: (resumeToken: string) => claim({ resumeToken }),
  };
}

// A5, V2
databaseTest(
  "who never got the welcome comes in with the ticket again, for its minute",
  async ({ database }) => {
    const claim = await claims(database);
    const lost = await claim.withTicket();
    const token = await claim.withTicket();
    expect(await claim.with(lost)).toBe("refused");
    expect(await claim.with(token)).toHaveLength(43);
    expect(await claim.withTicket()).toBe("refused");
  },
);

// A5
databaseTest("a ticket that was used is void after its minute", async ({ database }) => {
  const claim = await claims(database);
  const token = await claim.withTicket();
  await database.pool.query("UPDATE visits SET ticket_until = clock_timestamp()");
  expect(await claim.withTicket()).toBe("refused");
  expect(await claim.with(token)).toHaveLength(43);
});

// A5, V2
databaseTest(
  "who reloads twice, quicker than a welcome, comes back with the same token",
  async ({ database }) => {
    const claim = await claims(database);
    const first = await claim.withTicket();
    const second = await claim.with(first);
    const lost = await claim.with(second);
    expect(await claim.with(first)).toBe("refused");
    const third = await claim.with(second);
    expect(await claim.with(lost)).toBe("refused");
    expect(await claim.with(third)).toHaveLength(43);
    expect(await claim.with(second)).toBe("refused");
  },
);

// A5, V5
databaseTest("one ticket, many sockets at once: the last one counts", async ({ database }) => {
  const claim = await claims(database);
  const tokens = await Promise.all(Array.from({ length: 8 }, () => claim.withTicket()));
  expect(new Set(tokens)).toHaveProperty("size", 8);
  const outcomes: string[] = [];
  for (const token of tokens) outcomes.push(await claim.with(token));
  expect(outcomes.filter((outcome) => outcome === "refused")).toHaveLength(7);
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
