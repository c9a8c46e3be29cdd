import { BudgetSpent } from "#models";
import type { Charge, ModelUsage } from "#models";
import type { LiveUsage } from "#sessions";

export interface SessionBudgetOptions {
  /** What the session used before this call, by model. */
  spent: readonly LiveUsage[];
  /** The most that the session may cost; `null` for no limit. */
  maxCostMicros: number | null;
  /** Something has been used: a request has ended, or speech was heard or spoken. */
  onUsed: (usage: ModelUsage, total: LiveUsage) => void;
  /** Little is left: the agent says goodbye while it still can. */
  onNearEnd: () => void;
}

/** From here on the agent says goodbye. The rest is for what was sent before that, and for the goodbye itself. */
const NEAR_END = 0.9;

/**
 * What a session may use. A request counts from the moment it is sent: a visitor who cuts every reply before its
 * first word would otherwise have the models read for nothing.
 */
export class SessionBudget {
  readonly #options: SessionBudgetOptions;
  readonly #totals: Map<string, LiveUsage>;
  /** The estimates of requests that have not ended. */
  readonly #open = new Set<ModelUsage>();

  constructor(options: SessionBudgetOptions) {
    this.#options = options;
    this.#totals = new Map(options.spent.map((total) => [total.model, total]));
  }

  /** Takes a request that is about to be sent. One is let through while anything is left: it may exceed the budget, no second one may. */
  readonly charge: Charge = (model, estimate) => {
    if (this.#costMicros() >= this.#mostMicros) {
      this.#options.onNearEnd();
      throw new BudgetSpent();
    }
    const request = { ...estimate };
    this.#open.add(request);
    return (usage) => {
      this.#open.delete(request);
      this.add(model, usage);
    };
  };

  /** Takes what was used already. */
  add(model: string, usage: ModelUsage): void {
    const before = this.#totals.get(model);
    const total = {
      model,
      requests: (before?.requests ?? 0) + 1,
      inputTokens: (before?.inputTokens ?? 0) + usage.inputTokens,
      outputTokens: (before?.outputTokens ?? 0) + usage.outputTokens,
      costMicros: (before?.costMicros ?? 0) + usage.costMicros,
    };
    this.#totals.set(model, total);
    this.#options.onUsed(usage, total);
    if (total.costMicros > 0 && this.#endedMicros() >= NEAR_END * this.#mostMicros)
      this.#options.onNearEnd();
  }

  get #mostMicros(): number {
    return this.#options.maxCostMicros ?? Infinity;
  }

  #endedMicros(): number {
    return sumOf(this.#totals.values());
  }

  #costMicros(): number {
    return this.#endedMicros() + sumOf(this.#open);
  }
}

function sumOf(costs: Iterable<{ costMicros: number }>): number {
  return [...costs].reduce((sum, { costMicros }) => sum + costMicros, 0);
}
