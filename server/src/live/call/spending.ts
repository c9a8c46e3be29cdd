import type { ModelUsage } from "#models";
import type { LiveUsage } from "#sessions";

/** What a session has used so far, by model. */
export class Spending {
  readonly #totals: Map<string, LiveUsage>;

  /** @param before by the part of the session that this one goes on from. */
  constructor(before: readonly LiveUsage[]) {
    this.#totals = new Map(before.map((total) => [total.model, total]));
  }

  /** Adds a request, and returns the model's new total. */
  add(model: string, usage: ModelUsage): LiveUsage {
    const before = this.#totals.get(model);
    const total = {
      model,
      requests: (before?.requests ?? 0) + 1,
      inputTokens: (before?.inputTokens ?? 0) + usage.inputTokens,
      outputTokens: (before?.outputTokens ?? 0) + usage.outputTokens,
      costMicros: (before?.costMicros ?? 0) + usage.costMicros,
    };
    this.#totals.set(model, total);
    return total;
  }

  get costMicros(): number {
    return [...this.#totals.values()].reduce((sum, { costMicros }) => sum + costMicros, 0);
  }
}
