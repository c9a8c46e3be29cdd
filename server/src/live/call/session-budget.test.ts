import { BudgetSpent } from "#models";
import { createFakeClock } from "#testing";
import { describe, expect, it, vi } from "vitest";
import { SESSION_LIMITS, SessionBudget } from "./session-budget.ts";
import type { SessionBudgetOptions } from "./session-budget.ts";

const costs = (costMicros: number) => ({ inputTokens: 1, outputTokens: 1, costMicros });

const SESSION = { maxMinutes: 20, epoch: 1, turns: [], events: [] };
const NOTHING = { input: 0, output: 0 };
const FREE = { maxCostMicros: null };

const turn = (role: "user" | "assistant", content: string) => ({
  id: "t",
  role,
  content,
  interrupted: false,
  at: new Date(0),
});

function budgetOf(more: Partial<SessionBudgetOptions> = {}) {
  const clock = createFakeClock();
  const onUsed = vi.fn<SessionBudgetOptions["onUsed"]>();
  const onNearEnd = vi.fn<SessionBudgetOptions["onNearEnd"]>();
  const options = {
    clock,
    session: SESSION,
    spent: [],
    maxCostMicros: 100,
    dayMicros: Infinity,
    prices: { talk: NOTHING, evaluation: NOTHING },
    onUsed,
    onNearEnd,
    ...more,
  };
  return { budget: new SessionBudget(options), clock, onUsed, onNearEnd };
}

/** The number of requests that are let through. */
function letThrough(budget: SessionBudget, times: number): number {
  const sent = Array.from({ length: times }, () => {
    try {
      budget.charge("m", costs(1))(costs(1));
      return true;
    } catch {
      return false;
    }
  });
  return sent.filter(Boolean).length;
}

it("lets one request exceed the cap, and no second one, though none has ended", () => {
  const { budget, onNearEnd } = budgetOf();
  budget.charge("m", costs(60));
  budget.charge("m", costs(60));
  expect(onNearEnd).not.toHaveBeenCalled();
  expect(() => budget.charge("m", costs(1))).toThrow(BudgetSpent);
  expect(onNearEnd).toHaveBeenCalled();
});

it("replaces the estimate of a request by what it cost", () => {
  const { budget, onUsed } = budgetOf();
  const settle = budget.charge("m", costs(99));
  expect(onUsed).not.toHaveBeenCalled();
  settle(costs(10));
  expect(onUsed).toHaveBeenCalledWith(costs(10), { model: "m", requests: 1, ...costs(10) });
  budget.charge("m", costs(80));
  expect(() => budget.charge("m", costs(1))).not.toThrow();
});

it("asks for a goodbye while a little is left, and goes on from what was spent before", () => {
  const spent = [{ model: "m", requests: 3, ...costs(80) }];
  const { budget, onNearEnd, onUsed } = budgetOf({ spent });
  budget.add("speech", costs(5));
  expect(onNearEnd).not.toHaveBeenCalled();
  budget.charge("m", costs(9))(costs(6));
  expect(onUsed).toHaveBeenLastCalledWith(costs(6), {
    model: "m",
    requests: 4,
    inputTokens: 2,
    outputTokens: 2,
    costMicros: 86,
  });
  expect(onNearEnd).toHaveBeenCalledOnce();
});

it("counts the turn that a process which died could not store", () => {
  const spent = [{ model: "m", requests: 20, ...costs(60) }];
  const turns = [turn("user", "Hi"), turn("assistant", "Hello"), turn("assistant", "Well?")];
  const first = budgetOf({ spent, session: { ...SESSION, turns } });
  first.budget.charge("m", costs(1))(costs(1));
  expect(first.onNearEnd).not.toHaveBeenCalled();
  // Thirty a turn: 90 of 100 are taken.
  const heir = budgetOf({ spent, session: { ...SESSION, turns, epoch: 2 } });
  heir.budget.charge("m", costs(1))(costs(1));
  expect(heir.onNearEnd).toHaveBeenCalledWith("cost");
});

describe("with a limit for the agent's day", () => {
  /** An evaluation costs 30 at first, the next two turns 500. */
  const PRICES = {
    talk: { input: 1_000, output: 10_000 },
    evaluation: { input: 1_000, output: 1_000 },
  };
  const DAY = { ...FREE, dayMicros: 10_000, prices: PRICES };

  it("spends what is reserved, but not what the evaluation will cost", () => {
    const reservation = { reservedMicros: 130, mostMicros: 130 };
    const { budget } = budgetOf({ ...DAY, reservation });
    expect(budget.share).toEqual({ dayMicros: 10_000, wantMicros: 530 });
    expect(letThrough(budget, 1_000)).toBe(100);
    budget.reserved({ reservedMicros: 530, mostMicros: 630 });
    expect(letThrough(budget, 100)).toBe(100);
  });

  it("asks for a goodbye when the day has less than half of what it wants", () => {
    const { budget, onNearEnd } = budgetOf(DAY);
    budget.reserved({ reservedMicros: 270, mostMicros: 270 });
    expect(onNearEnd).not.toHaveBeenCalled();
    budget.reserved({ reservedMicros: 260, mostMicros: 260 });
    expect(onNearEnd).toHaveBeenCalledWith("cost");
  });

  it("reserves more for the evaluation as the transcript grows", () => {
    const { budget } = budgetOf({ ...DAY, maxCostMicros: 50, dayMicros: Infinity });
    expect(budget.isSpent).toBe(false);
    budget.addTurn(turn("user", "x".repeat(8_000)));
    expect(budget.isSpent).toBe(true);
  });
});

describe("without a cap in money", () => {
  it("lets a talk of ten turns a minute go on to its end", () => {
    const { budget, clock, onNearEnd } = budgetOf(FREE);
    for (let count = 0; count < 200; count += 1) {
      clock.advance(6_000);
      expect(budget.takeText("What does it cost for a team of twelve people?")).toBe(true);
      budget.addTurn(turn("user", "What does it cost for a team of twelve people?"));
      expect(letThrough(budget, 8)).toBe(8);
      budget.addTurn(turn("assistant", "It costs 12 euros for each of them. ".repeat(10)));
    }
    expect(onNearEnd).not.toHaveBeenCalled();
  });

  it("stops a flood of requests within the minute, and ends the talk", () => {
    const { budget, onNearEnd } = budgetOf(FREE);
    expect(letThrough(budget, 1_000)).toBe(SESSION_LIMITS.requestsPerMinute);
    expect(onNearEnd).toHaveBeenCalledWith("time");
  });

  it("stops a slow flood at so many requests for the whole session", () => {
    const { budget, clock } = budgetOf(FREE);
    const sent = Array.from({ length: 20 }, () => {
      clock.advance(60_000);
      return letThrough(budget, 300);
    });
    expect(sent.reduce((sum, count) => sum + count)).toBe(2_000);
  });

  it("asks for a goodbye near 500 turns, and sends nothing behind them", () => {
    const { budget, onNearEnd } = budgetOf(FREE);
    for (let count = 0; count < 449; count += 1) budget.addTurn(turn("user", "Hi"));
    expect(onNearEnd).not.toHaveBeenCalled();
    budget.addTurn(turn("user", "Hi"));
    expect(onNearEnd).toHaveBeenCalledWith("time");
    for (let count = 450; count < 500; count += 1) budget.addTurn(turn("user", "Hi"));
    expect(() => budget.charge("m", costs(0))).toThrow(BudgetSpent);
  });

  it("keeps the transcript within its size, whatever is typed while replies wait", () => {
    const { budget } = budgetOf({ ...FREE, session: { ...SESSION, maxMinutes: 30 } });
    const text = "字".repeat(4_000);
    const agents = "x".repeat(8_000);
    let stored = 0;
    for (let count = 0; count < 100 && budget.takeText(text); count += 1) {
      budget.addTurn(turn("user", text));
      budget.addTurn(turn("assistant", agents));
      stored += Buffer.byteLength(text) + agents.length;
    }
    expect(stored).toBeLessThan(SESSION_LIMITS.transcriptBytes + agents.length);
    const queued = budgetOf({ ...FREE, session: { ...SESSION, maxMinutes: 30 } });
    const taken = Array.from({ length: 100 }, () => queued.budget.takeText(text));
    expect(taken.filter(Boolean)).toHaveLength(18);
  });

  it("goes on from what the record holds of switches, cards and texts", () => {
    const events = [
      ...Array.from({ length: 19 }, () => ({ kind: "switched", detail: {} })),
      ...Array.from({ length: 30 }, () => ({ kind: "card_dismissed", detail: {} })),
    ];
    const turns = [turn("user", "x".repeat(47_000))];
    const { budget } = budgetOf({ ...FREE, session: { ...SESSION, turns, events } });
    expect([budget.takeSwitch(), budget.takeSwitch()]).toEqual([true, false]);
    expect(budget.takeCard()).toBe(false);
    expect([budget.takeText("x".repeat(1_000)), budget.takeText("x")]).toEqual([true, false]);
  });
});
