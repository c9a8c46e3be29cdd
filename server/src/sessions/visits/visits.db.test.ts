import { randomUUID } from "node:crypto";
import { changeSettings } from "#accounts";
import { findAgent, mintPreviewToken, setAgentState } from "#agents";
import type { AgentVersion } from "#agents";
import { hashToken, transact } from "#platform";
import { addCustomer, announceLive, end, jobSenderOf, say, sessionRow } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { claimSession } from "../live/live-claim.ts";
import type { ClaimedSession } from "../live/live-claim.ts";
import { endLiveSession } from "../live/live-record.ts";
import type { VisitOutcome } from "./admit-visit.ts";
import { outcomeOf, visit, visitsOver } from "./visit-under-test.ts";
import { forgetVisits } from "./visits.ts";
import type { Visits } from "./visits.ts";

async function open(
  { db }: TestDatabase,
  agent: NonNullable<Parameters<typeof addCustomer>[1]>["agent"] = {},
): Promise<{ customer: Customer; visits: Visits }> {
  await announceLive(db);
  return { customer: await addCustomer(db, { agent }), visits: visitsOver(db) };
}

type Started = Extract<VisitOutcome, { sessionId: string }>;

function started(outcome: VisitOutcome): Started {
  if ("sessionId" in outcome) return outcome;
  throw new Error(`not started: ${JSON.stringify(outcome)}`);
}

async function visitRow({ pool }: TestDatabase, id: string): Promise<Record<string, unknown>> {
  const { rows } = await pool.query("SELECT * FROM visits WHERE session_id = $1", [id]);
  return rows[0] as Record<string, unknown>;
}

describe("a start", () => {
  databaseTest("stores how the visitor came and what they accepted", async ({ database }) => {
    const { customer, visits } = await open(database, {
      languages: [{ code: "en" }, { code: "de" }],
    });
    const { sessionId, testReason, isNew } = started(
      await visits.start(
        visit(customer, {
          language: "de-AT",
          mode: "voice",
          page: "https://www.example.com/\0\uD800",
          metadata: { plan: "pro", email: " Ada@Example.com " },
        }),
      ),
    );
    expect([testReason, isNew]).toEqual([null, true]);
    expect(await sessionRow(database, sessionId)).toMatchObject({
      status: "active",
      test: false,
      agent_version: 1,
      language: "de",
      mode: "voice",
      // S1
      page: "https://www.example.com/\uFFFD\uFFFD",
      notice_sha256: Buffer.alloc(32, 2),
      notice_language: "en",
      notice_at: new Date("2026-01-02T03:04:05.678Z"),
      metadata: { plan: "pro", email: " Ada@Example.com " },
      email: "ada@example.com",
    });
  });

  // A5
  databaseTest("gives a ticket of 32 random bytes that is kept as a hash", async ({ database }) => {
    const { customer, visits } = await open(database);
    const { sessionId, ticket } = started(await visits.start(visit(customer)));
    expect(Buffer.from(ticket, "base64url")).toHaveLength(32);
    const row = await visitRow(database, sessionId);
    expect(row).toMatchObject({ ticket_hash: hashToken(ticket), address: "203.0.113.7", epoch: 0 });
    const until = row["ticket_until"] as Date;
    const lasts = until.getTime() - (row["started_at"] as Date).getTime();
    expect(Math.abs(lasts - 60_000)).toBeLessThan(50);
    expect(JSON.stringify(row)).not.toContain(ticket);
  });

  databaseTest(
    "goes on from a conversation that its visitor has ended, and from no other",
    async ({ database }) => {
      const { db, pool } = database;
      const { customer, visits } = await open(database);
      const processId = randomUUID();
      const claim = async (outcome: VisitOutcome): Promise<ClaimedSession> => {
        const { sessionId, ticket } = started(outcome);
        const credential = { ticket };
        return (await claimSession(db, { sessionId, processId, credential })) as ClaimedSession;
      };
      const first = await claim(await visits.start(visit(customer)));
      await say(db, first, [{ role: "user", content: "For 12 people." }]);
      const { id: sessionId, resumeToken } = first;
      const next = (token = resumeToken, of: { agent: AgentVersion } = customer) =>
        visits.start(visit(of, { continues: { sessionId, resumeToken: token } }));

      expect(await claim(await next())).toMatchObject({ before: undefined });
      await endLiveSession(db, jobSenderOf(db), first, {
        reason: "visitor_ended",
        visitorLastSeenAt: undefined,
      });
      expect(await claim(await next())).toMatchObject({
        turns: [],
        before: { turns: [{ role: "user", content: "For 12 people." }], events: [] },
      });
      expect(await claim(await next("another"))).toMatchObject({ before: undefined });
      const other = await addCustomer(db);
      expect(await claim(await next(resumeToken, other))).toMatchObject({ before: undefined });
      await pool.query(
        "UPDATE sessions SET ended_at = ended_at - interval '61 minutes' WHERE id = $1",
        [sessionId],
      );
      expect(await claim(await next())).toMatchObject({ before: undefined });
    },
  );

  // K1, V4
  databaseTest(
    "with a key that is known gives the same session and a new ticket, even past every limit",
    async ({ database }) => {
      const { customer, visits } = await open(database, {
        limits: { maxMinutes: 20, atOnce: 1, dailyStarts: 1 },
      });
      const given = visit(customer);
      const first = started(await visits.start(given));
      await transact(database.db, async (trx) =>
        setAgentState(trx, "ada", await findAgent(trx, customer.agent.agentId), "paused"),
      );
      const second = started(await visits.start({ ...given, origin: null }));
      expect(second).toMatchObject({ sessionId: first.sessionId, isNew: false });
      expect(second.ticket).not.toBe(first.ticket);
      expect((await visitRow(database, first.sessionId))["ticket_hash"]).toEqual(
        hashToken(second.ticket),
      );
    },
  );

  // K1, V4
  databaseTest("sent many times at once is one session", async ({ database }) => {
    const { customer, visits } = await open(database);
    const other = visitsOver(database.db);
    const given = visit(customer);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? visits : other).start(given)),
    );
    expect(new Set(outcomes.map((one) => started(one).sessionId)).size).toBe(1);
    expect(outcomes.filter((one) => started(one).isNew)).toHaveLength(1);
    const { rows } = await database.pool.query("SELECT count(*)::integer AS n FROM sessions");
    expect(rows).toEqual([{ n: 1 }]);
  });

  databaseTest(
    "with a known key is refused for another body or an ended session",
    async ({ database }) => {
      const { customer, visits } = await open(database);
      const given = visit(customer);
      const { sessionId } = started(await visits.start(given));
      const altered = { ...given, requestSha256: Buffer.alloc(32, 9) };
      expect(await visits.start(altered)).toEqual({ refused: "conflict" });
      const other = await addCustomer(database.db);
      expect(outcomeOf(await visits.start({ ...given, agent: other.agent.agentId }))).toBe(
        "started",
      );
      await end(database.db, { id: sessionId, createdAt: new Date() });
      expect(await visits.start(given)).toEqual({ refused: "ended" });
    },
  );

  // A5
  databaseTest(
    "that somebody copied gets no ticket of a conversation that has begun, nor from another page",
    async ({ database }) => {
      const { customer, visits } = await open(database);
      const given = visit(customer);
      const { sessionId, ticket } = started(await visits.start(given));
      const elsewhere = { ...given, origin: "https://evil.example" };
      expect(await visits.start(elsewhere)).toEqual({ refused: "conflict" });
      const claim = { sessionId, processId: randomUUID(), credential: { ticket } };
      const { resumeToken } = (await claimSession(database.db, claim)) as ClaimedSession;
      expect(await visits.start(given)).toEqual({ refused: "ended" });
      expect(
        await claimSession(database.db, { ...claim, credential: { resumeToken } }),
      ).toMatchObject({ id: sessionId });
    },
  );

  databaseTest("in a mode that the agent has not is refused", async ({ database }) => {
    const { customer, visits } = await open(database, { modes: ["text"] });
    expect(await visits.start(visit(customer, { mode: "voice" }))).toEqual({ invalid: "mode" });
  });

  // L12
  databaseTest("by voice becomes one by text while speech is away", async ({ database }) => {
    const { customer } = await open(database);
    await database.pool.query("UPDATE live_processes SET speech_answers = false");
    const modeOf = async (): Promise<unknown> => {
      const outcome = await visitsOver(database.db).start(visit(customer, { mode: "voice" }));
      return (await sessionRow(database, started(outcome).sessionId))["mode"];
    };
    expect(await modeOf()).toBe("text");
    await database.pool.query("UPDATE live_processes SET speech_answers = true");
    expect(await modeOf()).toBe("voice");
  });

  // L12
  databaseTest("of an agent that only speaks is refused meanwhile", async ({ database }) => {
    const { customer } = await open(database, { modes: ["voice"] });
    await database.pool.query("UPDATE live_processes SET speech_answers = false");
    const given = visit(customer, { mode: "voice" });
    expect(await visitsOver(database.db).refusal(given)).toBe("service_unavailable");
    expect(await visitsOver(database.db).start(given)).toEqual({ refused: "service_unavailable" });
  });

  databaseTest("with the client id meets the account's default agent", async ({ database }) => {
    const { customer, visits } = await open(database);
    const given = visit(customer, { agent: customer.account.clientId });
    expect(await visits.start(given)).toEqual({ refused: "agent_unknown" });
    const defaultAgentId = customer.agent.agentId;
    await transact(database.db, (trx) =>
      changeSettings(trx, "ada", customer.account.id, { defaultAgentId }),
    );
    const { sessionId } = started(await visits.start(given));
    expect(await sessionRow(database, sessionId)).toMatchObject({ agent_id: defaultAgentId });
  });
});

describe("a refusal", () => {
  databaseTest("names the first reason that holds", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db, {
      agent: { allowedOrigins: ["https://www.example.com"], limits: { maxMinutes: 1, atOnce: 1 } },
    });
    const { agentId } = customer.agent;
    const pause = (state: "paused" | "live") =>
      transact(db, async (trx) => setAgentState(trx, "ada", await findAgent(trx, agentId), state));
    // A new instance for each request, because an instance caches the capacity for a second.
    const both = async (change: Parameters<typeof visit>[1] = {}): Promise<unknown> => {
      const given = visit(customer, change);
      const reason = await visitsOver(db).refusal(given);
      const outcome = outcomeOf(await visitsOver(db).start(given));
      return reason === outcome ? reason : `${reason} or ${outcome}`;
    };
    await pause("paused");
    expect(await both({ agent: "agent_nobody" })).toBe("agent_unknown");
    expect(await both({ origin: "https://evil.example" })).toBe("agent_paused");
    await pause("live");
    expect(await both({ origin: "https://evil.example" })).toBe("origin_not_allowed");
    expect(await both()).toBe("service_unavailable");
    const { id } = await announceLive(db, { capacity: 2, sessions: 2 });
    expect(await both()).toBe("at_capacity");
    await announceLive(db, { id, modelAnswers: false });
    expect(await both()).toBe("service_unavailable");
    await announceLive(db, { id });
    expect(await visitsOver(db).refusal(visit(customer))).toBeNull();
    const { sessionId } = started(await visitsOver(db).start(visit(customer)));
    expect(await visitsOver(db).refusal(visit(customer))).toBeNull();
    await pool.query("UPDATE sessions SET connected_at = now() WHERE id = $1", [sessionId]);
    expect(await both()).toBe("at_capacity");
    await pool.query("UPDATE live_processes SET renewed_at = now() - interval '1 minute'");
    expect(await both()).toBe("service_unavailable");
  });

  // A6
  databaseTest(
    "for its origin meets every page that is not listed, look-alikes too",
    async ({ database }) => {
      const { customer, visits } = await open(database, {
        allowedOrigins: ["https://www.example.com"],
        testOrigins: ["http://localhost:3000"],
      });
      const reason = (origin: string | null) => visits.refusal(visit(customer, { origin }));
      expect(await reason("https://www.example.com")).toBeNull();
      expect(await reason("http://localhost:3000")).toBeNull();
      for (const origin of [
        null,
        "null",
        "http://www.example.com",
        "https://www.example.com:8443",
        "https://example.com",
        "https://a.www.example.com",
        "https://www.example.com.evil.example",
        "https://www.example.co",
      ])
        expect(await reason(origin)).toBe("origin_not_allowed");
    },
  );

  databaseTest("for its origin meets nobody where none is listed", async ({ database }) => {
    const { customer, visits } = await open(database, { testOrigins: ["http://localhost:3000"] });
    for (const origin of [null, "https://anybody.example"])
      expect(await visits.refusal(visit(customer, { origin }))).toBeNull();
  });
});

describe("a test session", () => {
  databaseTest(
    "comes from a test page, and nothing that a page sends makes one",
    async ({ database }) => {
      const { customer, visits } = await open(database, { testOrigins: ["http://localhost:3000"] });
      const test = started(
        await visits.start(visit(customer, { origin: "http://localhost:3000" })),
      );
      expect(test.testReason).toBe("test_origin");
      expect(await sessionRow(database, test.sessionId)).toMatchObject({ test: true });
      const real = started(
        await visits.start(
          visit(customer, { origin: "http://localhost:3001", metadata: { test: "true" } }),
        ),
      );
      expect(await sessionRow(database, real.sessionId)).toMatchObject({ test: false });
    },
  );

  databaseTest(
    "comes from any page with a preview token, and of a paused agent",
    async ({ database }) => {
      const { db, pool } = database;
      const { customer, visits } = await open(database, {
        allowedOrigins: ["https://www.example.com"],
      });
      const mint = async (of: Customer): Promise<string> =>
        transact(db, async (trx) => {
          const agent = await findAgent(trx, of.agent.agentId);
          const wish = { label: "review", expiresInSecs: 60 };
          return (await mintPreviewToken(trx, "ada", "aa", agent, wish)).token;
        });
      const previewToken = await mint(customer);
      const elsewhere = { origin: "https://evil.example" };
      const foreign = { ...elsewhere, previewToken: await mint(await addCustomer(db)) };
      // A session that was meant as a test never becomes a real one.
      const listed = { origin: "https://www.example.com", previewToken: "preview_aa" };
      for (const wrong of [foreign, listed])
        for (const ask of [
          outcomeOf(await visits.start(visit(customer, wrong))),
          await visits.refusal(visit(customer, wrong)),
        ])
          expect(ask).toBe("preview_invalid");
      const given = { ...elsewhere, previewToken };
      const { sessionId, testReason } = started(await visits.start(visit(customer, given)));
      expect(testReason).toBe("preview_token");
      expect(await sessionRow(database, sessionId)).toMatchObject({ test: true });
      await transact(db, async (trx) =>
        setAgentState(trx, "ada", await findAgent(trx, customer.agent.agentId), "paused"),
      );
      expect(await visits.refusal(visit(customer, elsewhere))).toBe("agent_paused");
      expect(await visits.refusal(visit(customer, given))).toBeNull();
      expect(outcomeOf(await visits.start(visit(customer, given)))).toBe("started");
      await pool.query("UPDATE preview_tokens SET expires_at = now()");
      expect(outcomeOf(await visits.start(visit(customer, given)))).toBe("preview_invalid");
    },
  );
});

describe("a visit", () => {
  databaseTest("is forgotten after a day, once its session has ended", async ({ database }) => {
    const { db, pool } = database;
    await announceLive(db);
    const customer = await addCustomer(db);
    const begin = async (hoursAgo: number, isOver: boolean): Promise<string> => {
      const outcome = await visitsOver(db).start(
        visit(customer, { address: `203.0.113.${hoursAgo % 256}` }),
      );
      if (!("sessionId" in outcome)) throw new Error("not started");
      const { sessionId: id } = outcome;
      if (isOver) await end(db, { id, createdAt: new Date() });
      await pool.query(
        "UPDATE visits SET started_at = now() - make_interval(hours => $2) WHERE session_id = $1",
        [id, hoursAgo],
      );
      return id;
    };
    const [young, going] = [await begin(23, true), await begin(25, false)];
    await begin(25, true);
    await begin(1_000, true);
    expect(await forgetVisits(db)).toBe(2);
    const { rows } = await pool.query<{ session_id: string }>("SELECT session_id FROM visits");
    expect(rows.map((row) => row.session_id).toSorted()).toEqual([young, going].toSorted());
    expect(await forgetVisits(db)).toBe(0);
  });
});
