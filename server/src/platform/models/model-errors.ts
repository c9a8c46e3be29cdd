import { NO_USAGE } from "./model-usage.ts";
import type { ModelUsage } from "./model-usage.ts";

/** Not to be reached, overloaded, or not set up right: the same question may be answered later. */
export class ModelAway extends Error {
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = "ModelAway";
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** It was reached and will not answer this question: a refusal, a filter, too long. */
export class ModelRefused extends Error {
  readonly usage: ModelUsage;

  constructor(message: string, usage: ModelUsage = NO_USAGE, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "ModelRefused";
    this.usage = usage;
  }
}
