import { DEFAULT_LIMITS } from "#accounts";
import type { AccountLimits } from "#accounts";
import type { AgentConfig } from "#agents";
import { plainConfig } from "#testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brokenLimit, brokenTestLimit, looksLikeFlood } from "./visit-limits.ts";
import type { VisitCounts } from "./visit-limits.ts";

const NONE: VisitCounts = {
  agentAtOnce: 0,
  agentUnconnected: 0,
  addressAtOnce: 0,
  addressLastMinute: 0,
  networks: [],
  startsToday: 0,
  costMicrosToday: 0,
};

const NETWORK = { bits: 24, atOnce: 0, unconnected: 0, lastTenMinutes: 0 } as const;

const judge = (
  counts: Partial<VisitCounts>,
  account: Partial<AccountLimits> = {},
  agent: Partial<AgentConfig["limits"]> = {},
) =>
  brokenLimit(
    {
      accountLimits: { ...DEFAULT_LIMITS, ...account },
      config: { ...plainConfig("Guide"), limits: { maxMinutes: 20, ...agent } },
    },
    { ...NONE, ...counts },
  );

describe("limits on test sessions", () => {
  const NO_TESTS = { atOnce: 0, lastMinute: 0, startsToday: 0, costMicrosToday: 0 };
  const agent = { accountLimits: DEFAULT_LIMITS, config: plainConfig("Guide") };

  it.each([
    ["at once with an agent", { atOnce: 5 }, "at_capacity"],
    ["in a minute with an agent", { lastMinute: 10 }, "too_many_starts"],
    ["in a day with an agent", { startsToday: 200 }, "daily_cap"],
  ] as const)("hold %s by default", (_what, counts, reason) => {
    expect(brokenTestLimit(agent, { ...NO_TESTS, ...counts })).toBe(reason);
    const oneLess = Object.fromEntries(Object.entries(counts).map(([key, n]) => [key, n - 1]));
    expect(brokenTestLimit(agent, { ...NO_TESTS, ...oneLess })).toBeNull();
  });

  it("hold a day's money, which is the account's or the agent's own bound", () => {
    const accountLimits = { ...DEFAULT_LIMITS, daily_cost_micros_per_agent: 1_000 };
    const spent = (costMicrosToday: number) =>
      brokenTestLimit({ ...agent, accountLimits }, { ...NO_TESTS, costMicrosToday });
    expect(spent(999)).toBeNull();
    expect(spent(1_000)).toBe("daily_cap");
  });
});

// A7
describe("limits", () => {
  it.each([
    ["at once with an agent", { agentAtOnce: 40 }, "at_capacity"],
    ["at once from an address", { addressAtOnce: 5 }, "too_many_starts"],
    ["in a minute from an address", { addressLastMinute: 20 }, "too_many_starts"],
  ] as const)("hold %s by default", (_what, counts, reason) => {
    expect(judge(counts)).toBe(reason);
    const oneLess = Object.fromEntries(Object.entries(counts).map(([key, n]) => [key, n - 1]));
    expect(judge(oneLess)).toBeNull();
  });

  it.each([
    [56, 40],
    [48, 80],
    [24, 100],
  ] as const)("hold in ten minutes from a /%i by default", (bits, limit) => {
    const of = (lastTenMinutes: number) =>
      judge({ networks: [{ ...NETWORK, bits, lastTenMinutes }] });
    expect(of(limit)).toBe("too_many_starts");
    expect(of(limit - 1)).toBeNull();
  });

  it("hold at once from a network by default", () => {
    expect(judge({ networks: [{ ...NETWORK, atOnce: 20 }] })).toBe("too_many_starts");
    expect(judge({ networks: [{ ...NETWORK, atOnce: 19 }] })).toBeNull();
  });

  it("hold what is unconnected from a network, and refuse nobody for an agent's", () => {
    const of = (unconnected: number) => judge({ networks: [{ ...NETWORK, unconnected }] });
    expect(of(10)).toBe("too_many_starts");
    expect(of(9)).toBeNull();
    expect(judge({ agentUnconnected: 1e9 }, { daily_starts_per_agent: null })).toBeNull();
  });

  it("of a day are set by the account or by the agent, and the smaller holds", () => {
    expect(judge({ startsToday: 999, costMicrosToday: 1e12 })).toBeNull();
    expect(judge({ startsToday: 1_000 })).toBe("daily_cap");
    expect(judge({ startsToday: 4, agentUnconnected: 3 }, { daily_starts_per_agent: 7 })).toBe(
      "daily_cap",
    );
    expect(judge({ startsToday: 7 }, { daily_starts_per_agent: 7 })).toBe("daily_cap");
    expect(judge({ startsToday: 7 }, { daily_starts_per_agent: 9 }, { dailyStarts: 7 })).toBe(
      "daily_cap",
    );
    expect(judge({ startsToday: 7 }, { daily_starts_per_agent: 8 }, { dailyStarts: 9 })).toBeNull();
    expect(judge({ costMicrosToday: 2_500_000 }, {}, { dailyCost: 2.5 })).toBe("daily_cap");
    expect(judge({ costMicrosToday: 2_499_999 }, {}, { dailyCost: 2.5 })).toBeNull();
    expect(judge({ costMicrosToday: 99 }, { daily_cost_micros_per_agent: 99 })).toBe("daily_cap");
  });

  it("at once are the smaller of the account's and the agent's, and can be lifted", () => {
    expect(judge({ agentAtOnce: 3 }, {}, { atOnce: 3 })).toBe("at_capacity");
    expect(judge({ agentAtOnce: 3 }, { at_once_per_agent: 3 }, { atOnce: 9 })).toBe("at_capacity");
    expect(judge({ agentAtOnce: 1e9 }, { at_once_per_agent: null })).toBeNull();
  });

  it("are told in a fixed order", () => {
    const all = { agentAtOnce: 1e9, addressAtOnce: 1e9, startsToday: 1e9 };
    const account = { daily_starts_per_agent: 1 };
    expect(judge(all, account)).toBe("at_capacity");
    expect(judge({ ...all, agentAtOnce: 0 }, account)).toBe("too_many_starts");
    expect(judge({ ...all, agentAtOnce: 0, addressAtOnce: 0 }, account)).toBe("daily_cap");
  });

  it("never let more in when they are smaller", () => {
    const n = fc.integer({ min: 0, max: 10 });
    fc.assert(
      fc.property(n, n, n, (count, limit, less) => {
        const isRefused = (max: number): boolean =>
          judge({ agentAtOnce: count }, { at_once_per_agent: max }) !== null;
        fc.pre(isRefused(limit));
        expect(isRefused(Math.max(0, limit - less))).toBe(true);
      }),
    );
  });
});

describe("starts look like a flood", () => {
  const isFlood = (counts: Partial<VisitCounts>, account: Partial<AccountLimits> = {}): boolean =>
    looksLikeFlood({ accountLimits: { ...DEFAULT_LIMITS, ...account } }, { ...NONE, ...counts });

  it.each([
    ["unconnected at an agent", (n: number) => ({ agentUnconnected: n }), 50],
    ["unconnected of a network", (n: number) => network({ unconnected: n }), 5],
    ["in ten minutes of a /24", (n: number) => network({ lastTenMinutes: n }), 50],
    ["in ten minutes of a /48", (n: number) => network({ bits: 48, lastTenMinutes: n }), 40],
  ])("from half of what may be %s", (_what, counts, from) => {
    expect(isFlood(counts(from))).toBe(true);
    expect(isFlood(counts(from - 1))).toBe(false);
  });

  it("never where there is no limit, nor for the first visitor of a small one", () => {
    const lifted = { unconnected_per_agent: null, unconnected_per_network: null };
    expect(isFlood({ agentUnconnected: 1e9, ...network({ unconnected: 1e9 }) }, lifted)).toBe(
      false,
    );
    expect(isFlood(NONE, { unconnected_per_agent: 0 })).toBe(false);
  });

  function network(change: Partial<VisitCounts["networks"][number]>): Partial<VisitCounts> {
    return { networks: [{ ...NETWORK, ...change }] };
  }
});
