import { BudgetSpent } from "#models";
import { expect, it, vi } from "vitest";
import { SessionBudget } from "./session-budget.ts";
import type { SessionBudgetOptions } from "./session-budget.ts";

const costs = (costMicros: number) => ({ inputTokens: 1, outputTokens: 1, costMicros });

function budgetOf(more: Partial<SessionBudgetOptions> = {}) {
  const options = { spent: [], maxCostMicros: 100, onUsed: vi.fn(), onNearEnd: vi.fn(), ...more };
  return { budget: new SessionBudget(options), ...options };
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

it("has no end without a cap", () => {
  const { budget, onNearEnd } = budgetOf({ maxCostMicros: null });
  for (let i = 0; i < 100; i++) budget.charge("m", costs(1e9))(costs(1e9));
  expect(onNearEnd).not.toHaveBeenCalled();
});
