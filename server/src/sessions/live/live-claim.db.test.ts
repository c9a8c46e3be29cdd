import { randomUUID } from "node:crypto";
import { hashToken, transact } from "#platform";
import { createLiveWorld, say, sessionRow } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import fc from "fast-check";
import { expect } from "vitest";
import { endSession } from "../record/session.ts";
import { renewTicket } from "../visits/visit-store.ts";
import { interleavings, playInterleaving } from "./credentials-under-test.ts";
import { claimSession, settleCredentials } from "./live-claim.ts";
import { recordLive } from "./live-record.ts";
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
    scene: undefined,
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
  const second = await claimSession(world.db, { ...claim, credential });
  expect(second).toMatchObject({
    epoch: 1,
    turns: [{ id: "item-0", role: "assistant", content: "Hello.", interrupted: false }],
  });
});

const SPEECH = {
  id: "item-1",
  at: "2026-01-02T03:04:05.000Z",
  text: "It costs forty euros a month.",
  heard: 2,
  isWhole: true,
  segment: 7,
  marks: [
    [200, 2],
    [500, 8],
    [900, 14],
    [1_900, 29],
  ] satisfies [number, number][],
};

/** A session whose process was in the middle of a turn, and a function that takes it over. */
async function takeover(database: TestDatabase, speech: Partial<typeof SPEECH> = {}) {
  const world = await createLiveWorld(database);
  const { id: sessionId, ticket } = await world.visit();
  const claim = { sessionId, processId };
  const first = await claimSession(world.db, { ...claim, credential: { ticket } });
  const own = first as ClaimedSession;
  const card = { kind: "email" as const, id: "card-1" };
  const scene = { mode: "voice" as const, received: 4, content: "pricing", card };
  await recordLive(world.db, own, [
    { kind: "scene", scene: { ...scene, speech: { ...SPEECH, ...speech } } },
  ]);
  const takeOver = async (playing?: LiveClaim["playing"]): Promise<ClaimedSession> => {
    const credential = { resumeToken: own.resumeToken };
    const heir = { sessionId, processId: randomUUID(), credential, playing };
    return (await claimSession(world.db, heir)) as ClaimedSession;
  };
  return { world, own, scene, takeOver };
}

// K2
databaseTest("another process goes on from where the last one stood", async ({ database }) => {
  const { world, own, scene, takeOver } = await takeover(database);
  const taken = await takeOver({ segment: 7, position_ms: 1_000 });
  expect(taken).toMatchObject({ epoch: 2, scene });
  expect(taken.turns).toMatchObject([
    { id: "item-1", role: "assistant", content: "It costs forty", interrupted: true },
  ]);
  // K15
  const late = { id: "item-2", role: "assistant" as const, content: "Late.", interrupted: false };
  await expect(
    recordLive(world.db, own, [{ kind: "turn", turn: { ...late, at: new Date() } }]),
  ).rejects.toThrow("moved");
});

databaseTest.for([
  ["what it is known to have heard", undefined, "It", true],
  ["nothing more than that, from an older segment", { segment: 6, position_ms: 900 }, "It", true],
  ["all of it", { segment: 7, position_ms: 1_900 }, SPEECH.text, false],
])("a cut turn has %s", async ([, playing, content, interrupted], { database }) => {
  const { takeOver } = await takeover(database);
  const { turns } = await takeOver(playing as LiveClaim["playing"]);
  expect(turns).toMatchObject([{ content, interrupted }]);
});

databaseTest("a turn of which nothing was heard is none", async ({ database }) => {
  const { takeOver } = await takeover(database, { heard: 0 });
  expect((await takeOver({ segment: 7, position_ms: 100 })).turns).toEqual([]);
});

// K3
databaseTest("a turn that was stored already is not stored twice", async ({ database }) => {
  const { world, own, takeOver } = await takeover(database);
  const turn = { id: "item-1", role: "assistant" as const, content: "It costs.", at: new Date() };
  await recordLive(world.db, own, [{ kind: "turn", turn: { ...turn, interrupted: true } }]);
  expect((await takeOver()).turns).toMatchObject([{ content: "It costs." }]);
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
databaseTest("a browser must come from the page that started it", async ({ database }) => {
  const world = await createLiveWorld(database);
  const { id: sessionId, ticket } = await world.visit();
  await database.pool.query("UPDATE visits SET origin = 'https://shop.example'");
  const claim = (origin?: string) =>
    claimSession(world.db, { sessionId, processId, credential: { ticket }, origin });
  for (const origin of ["https://evil.example", "http://shop.example", "null", ""])
    expect(await claim(origin)).toBe("refused");
  for (const origin of ["https://shop.example", "https://SHOP.example:443", undefined])
    expect(await claim(origin)).toHaveProperty("resumeToken");
});

// A5, V5
databaseTest(
  "no older credential opens a conversation once its page spoke",
  async ({ database }) => {
    const world = await createLiveWorld(database);
    const processes = [randomUUID(), randomUUID()];
    for (const steps of fc.sample(interleavings, { numRuns: 40, seed: 31 })) {
      const { id: sessionId, ticket } = await world.visit();
      let session: ClaimedSession | undefined;
      await playInterleaving(
        {
          ticket,
          claim: async (credential, process) => {
            const claim = { sessionId, processId: processes[process]!, credential };
            const claimed = await claimSession(world.db, claim);
            if (typeof claimed === "string") return undefined;
            session = claimed;
            return claimed;
          },
          hear: (resumeToken) => settleCredentials(world.db, { sessionId, resumeToken }),
          renewTicket: async () => {
            const renewed = randomUUID();
            const isRenewed = await renewTicket(world.db, sessionId, hashToken(renewed), 60);
            return isRenewed ? renewed : undefined;
          },
          speaks: (epoch) =>
            recordLive(world.db, { ...session!, epoch }, []).then(
              () => true,
              () => false,
            ),
        },
        steps,
      );
    }
  },
);

// A5
databaseTest("an ended session opens to nobody", async ({ database }) => {
  const world = await createLiveWorld(database);
  const { id, ticket } = await world.visit();
  await transact(world.db, (trx) => endSession(trx, world.jobs, id, { reason: "visitor_gone" }));
  const claim = { sessionId: id, processId, credential: { ticket } };
  // The same answer as to a wrong ticket, and for a session that never was.
  expect(await claimSession(world.db, claim)).toBe("refused");
  expect(await claimSession(world.db, { ...claim, credential: { ticket: "x" } })).toBe("refused");
  expect(await claimSession(world.db, { ...claim, sessionId: randomUUID() })).toBe("refused");
});
