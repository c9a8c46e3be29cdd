import { describe, expect, it } from "vitest";
import { judgeAgents, judgeCostLimits, judgeDailyStarts } from "./doctor-agents.ts";
import { judgeAudit } from "./doctor-database.ts";
import { judgeCertificate } from "./doctor-network.ts";
import { judgeConnections, judgeTransactions, judgeWriting } from "./doctor-postgres.ts";
import { judgeOffer, judgePart } from "./doctor-processes.ts";
import { judgeReceivers } from "./doctor-work.ts";

const DAY_MS = 86_400_000;

describe("the doctor judges", () => {
  it("connections by what all processes may open beside other programs", () => {
    const facts = { available: 97, used: 20, others: 5 };
    expect(judgeConnections(facts, [32, 32, 10])).toEqual({
      state: "ok",
      says: "20 of 97 in use; 3 processes may open 74, and other programs have 5",
    });
    expect(judgeConnections(facts, [32, 32, 32])).toMatchObject({
      state: "warn",
      fix: expect.stringMatching(/max_connections.*SVC_DATABASE_CONNECTIONS/),
    });
    expect(judgeConnections({ ...facts, used: 90 }, [32])).toMatchObject({ state: "warn" });
  });

  it("who can change the audit", () => {
    const rights = { login: "svc", isSuperuser: false, mayEdit: false, isHidden: false };
    expect(judgeAudit({ ...rights, isHidden: true })).toMatchObject({ state: "fail" });
    expect(judgeAudit(rights).state).toBe("ok");
    expect(judgeAudit({ ...rights, mayEdit: true })).toMatchObject({
      state: "warn",
      fix: expect.stringContaining("svc_audit"),
    });
    expect(judgeAudit({ ...rights, mayEdit: true, isSuperuser: true }).state).toBe("skip");
  });

  it("a full disk, and leaves other errors to be explained", () => {
    expect(judgeWriting({ code: "53100" })).toMatchObject({
      state: "fail",
      says: expect.stringContaining("disk is full"),
    });
    expect(() => judgeWriting(new Error("gone"))).toThrow("gone");
  });

  it("transactions that keep PostgreSQL from cleaning up", () => {
    const none = { oldest: null, prepared: null, age: 1_000 };
    expect(judgeTransactions(none).state).toBe("ok");
    const oldest = { pid: 7, application: "psql", state: "idle in transaction", secs: 600 };
    expect(judgeTransactions({ ...none, oldest })).toMatchObject({
      state: "warn",
      says: expect.stringContaining("psql (process 7) is open for 10m 00s"),
      fix: expect.stringContaining("pg_terminate_backend(7)"),
    });
    expect(judgeTransactions({ ...none, prepared: { gid: "it's", secs: 600 } })).toMatchObject({
      state: "warn",
      fix: expect.stringContaining("ROLLBACK PREPARED 'it''s'"),
    });
    expect(judgeTransactions({ ...none, age: 1_200_000_000 }).state).toBe("fail");
  });

  it("a part of the service by the processes that take new work for it", () => {
    const startedAt = new Date(0);
    const process = {
      id: "1",
      role: "api" as const,
      version: "1.0.0",
      instance: "api-1",
      pid: 1,
      startedAt,
      renewedAt: startedAt,
      draining: false,
      alive: true,
      load: {},
    };
    const newer = { ...process, role: "all" as const, version: "1.1.0" };
    expect(judgePart("api", [process, newer], 0).says).toBe("2 running, version 1.0.0 and 1.1.0");
    const draining = { ...process, draining: true };
    expect(judgePart("api", [draining], 0)).toMatchObject({
      state: "fail",
      says: "none runs; api-1 is stopping",
    });
    const dead = { ...process, alive: false };
    expect(judgePart("api", [process, dead], 20_000)).toEqual({
      state: "ok",
      says: "1 running, version 1.0.0; api-1 was last seen 20s ago",
    });
  });

  it("live processes by what they report of their providers", () => {
    const running = { state: "ok" as const, says: "1 running" };
    const states = (
      [
        ["none", false, false],
        ["full", true, true],
        ["open", false, true],
        ["open", false, false],
        ["open", true, true],
      ] as const
    ).map(
      ([places, voice, wants]) =>
        judgeOffer(running, { places, voice, free: 1, isShared: false }, wants).state,
    );
    expect(states).toEqual(["fail", "warn", "warn", "ok", "ok"]);
  });

  it("receivers that take nothing, and paused ones that somebody forgot", () => {
    const health = {
      endpointId: "hook_1",
      waiting: 1,
      running: 0,
      failed: 3,
      oldestDueAt: new Date(0),
      finished: 3,
      delivered: 0,
    };
    const judged = (state: "live" | "paused", nowMs: number, finished = 3): string =>
      judgeReceivers([{ id: "hook_1", state }], [{ ...health, finished }], nowMs).state;
    expect(judged("live", 0)).toBe("warn");
    expect(judged("live", 0, 2)).toBe("ok");
    expect(judged("paused", DAY_MS)).toBe("ok");
    expect(judged("paused", 2 * DAY_MS)).toBe("warn");
  });

  it("a certificate that ends soon", () => {
    const url = "https://api.example.com";
    expect(judgeCertificate(url, 15 * DAY_MS, 0).state).toBe("ok");
    expect(judgeCertificate(url, 3.5 * DAY_MS, 0)).toMatchObject({
      state: "warn",
      says: "https://api.example.com answers; its certificate ends in 3 days",
    });
  });

  it("agents that speak a language by a voice for another", () => {
    const agent = {
      slug: "demo",
      account: "Acme",
      state: "live" as const,
      hasVersion: true,
      isDefault: false,
      languagesWithoutVoice: ["de"],
      hasCostLimit: true,
    };
    const place = { url: undefined, key: undefined, model: undefined, voice: undefined };
    const voice = (provider: "deepgram" | "cartesia", name?: string): string =>
      judgeAgents([agent], { first: { ...place, provider, voice: name }, fallback: undefined })
        .state;
    expect(voice("cartesia")).toBe("ok");
    expect(voice("deepgram")).toBe("warn");
    expect(voice("deepgram", "aura-2-viktoria-de")).toBe("ok");
    expect(judgeAgents([agent], undefined)).toEqual({ state: "ok", says: "1 live" });
    expect(judgeCostLimits([agent], undefined).state).toBe("ok");
  });

  it("agents near their cap of the day", () => {
    expect(judgeDailyStarts([]).state).toBe("ok");
    const near = { slug: "guide", account: "Acme", starts: 812, cap: 1_000 };
    expect(judgeDailyStarts([near, near])).toMatchObject({
      state: "warn",
      says: "guide of Acme has had 812 of 1,000 starts today, and 1 more are as near to their cap",
      fix: expect.stringContaining("daily_starts_per_agent"),
    });
  });
});
