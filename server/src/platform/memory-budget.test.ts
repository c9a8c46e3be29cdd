import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryBudget } from "./memory-budget.ts";

describe("the memory of all pages together", () => {
  it("is given out up to the limit, and not beyond", () => {
    const budget = new MemoryBudget(100);
    budget.take(60, 0);
    budget.take(40, 0);
    expect(() => budget.take(1, 0)).toThrow(
      expect.objectContaining({ code: "unavailable", retryable: true }),
    );
    expect(budget.takenBytes).toBe(100);
    budget.giveBack(60);
    budget.take(1, 0);
    expect(budget.takenBytes).toBe(41);
  });

  it("never refuses a page that is alone, however large it grows", () => {
    const budget = new MemoryBudget(100);
    budget.take(500, 0);
    budget.take(500, 500);
    expect(budget.takenBytes).toBe(1_000);
    expect(() => budget.take(1, 0)).toThrow("at once");
  });

  it("refuses a page that grows beside others, and leaves it what it has", () => {
    const budget = new MemoryBudget(100);
    budget.take(40, 0);
    budget.take(40, 0);
    expect(() => budget.take(40, 40)).toThrow("at once");
    expect(budget.takenBytes).toBe(80);
  });

  it("is never exceeded by more than the one page that was alone, and comes back whole", () => {
    const step = fc.record({
      page: fc.nat(4),
      bytes: fc.integer({ min: 1, max: 60 }),
      release: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = new MemoryBudget(100);
        const held = new Map<number, number>();
        let refusedAlone = false;
        for (const { page, bytes, release } of steps) {
          const own = held.get(page) ?? 0;
          if (release) {
            budget.giveBack(own);
            held.delete(page);
            continue;
          }
          try {
            budget.take(bytes, own);
            held.set(page, own + bytes);
          } catch {
            refusedAlone ||= held.size === (own > 0 ? 1 : 0);
          }
          const all = [...held.values()].reduce((sum, one) => sum + one, 0);
          expect(budget.takenBytes).toBe(all);
          expect(all - Math.max(...held.values(), 0)).toBeLessThanOrEqual(100);
        }
        expect(refusedAlone).toBe(false);
        for (const own of held.values()) budget.giveBack(own);
        expect(budget.takenBytes).toBe(0);
      }),
    );
  });
});
