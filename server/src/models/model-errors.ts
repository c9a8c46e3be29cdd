import OpenAI from "openai";

/** The model cannot be reached, is overloaded or misconfigured. The same question may be answered later. */
export class ModelAway extends Error {
  readonly retryAfterMs: number | undefined;
  /** True where the provider charges nothing: it answered with an error, or no request reached it. */
  readonly isUnbilled: boolean;

  constructor(
    message: string,
    options: { retryAfterMs?: number | undefined; cause?: unknown; isUnbilled?: boolean } = {},
  ) {
    super(message, options);
    this.name = "ModelAway";
    this.retryAfterMs = options.retryAfterMs;
    this.isUnbilled = options.isUnbilled ?? false;
  }
}

/** The model was reached and will not answer this question: a refusal, a content filter, or too long a prompt. */
export class ModelRefused extends Error {
  readonly isUnbilled: boolean;

  constructor(message: string, options: { cause?: unknown; isUnbilled?: boolean } = {}) {
    super(message, options);
    this.name = "ModelRefused";
    this.isUnbilled = options.isUnbilled ?? false;
  }
}

/** The session may spend no more, so the request was not sent. The fallback would cost just as much, and is not asked. */
export class BudgetSpent extends Error {
  constructor() {
    super("nothing more may be spent on this session");
    this.name = "BudgetSpent";
  }
}

/** The model failed, not we: another one may be asked. */
export function isModelFailure(error: unknown): error is ModelAway | ModelRefused {
  return error instanceof ModelAway || error instanceof ModelRefused;
}

/** A provider, and the fallback that takes its place when it fails. */
export interface FirstAndFallback<One> {
  first: One;
  fallback: One | undefined;
}

/**
 * Asks the first, and the fallback when the first was away or refused. Any other error is our own
 * mistake or the caller's abort: the fallback would meet the same one.
 */
export async function firstThenFallback<One, Answer>(
  { first, fallback }: FirstAndFallback<One>,
  ask: (one: One) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(first);
  } catch (error) {
    if (fallback === undefined || !isModelFailure(error)) throw error;
  }
  return ask(fallback);
}

/** The first, and the fallback where there is one. */
export function inOrder<One>({ first, fallback }: FirstAndFallback<One>): One[] {
  return fallback === undefined ? [first] : [first, fallback];
}

/** Throws `ModelAway` or `ModelRefused` for a failed request, or the error itself when we aborted the request. */
export function explainModelFailure(error: unknown): never {
  if (isModelFailure(error)) throw error;
  if (error instanceof OpenAI.APIUserAbortError) throw error;
  if (error instanceof OpenAI.APIError && typeof error.status === "number") {
    const answered = `answered ${error.status}${reasonOf(error.code)}`;
    if (REFUSING.has(error.status)) throw new ModelRefused(answered, { isUnbilled: true });
    throw new ModelAway(answered, { retryAfterMs: retryAfterMs(error.headers), isUnbilled: true });
  }
  // No connection, a time-out, a broken or endless answer.
  const isLate = error instanceof OpenAI.APIConnectionTimeoutError;
  const isUnbilled = error instanceof OpenAI.APIConnectionError && !isLate;
  throw new ModelAway("not to be reached", { cause: error, isUnbilled });
}

/** The statuses that refuse the request itself. 401, 403 and 404 are not among them: once the operator has fixed those, the same request succeeds. */
const REFUSING = new Set([400, 413, 422]);

/** Returns only a code such as `invalid_api_key`: the rest of a provider's message may repeat the key or the conversation. */
function reasonOf(code: unknown): string {
  return typeof code === "string" && /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : "";
}

function retryAfterMs(headers: Headers | undefined): number | undefined {
  const secs = Number(headers?.get("retry-after") ?? Number.NaN);
  return Number.isFinite(secs) && secs >= 0 ? Math.min(secs, 3_600) * 1_000 : undefined;
}
