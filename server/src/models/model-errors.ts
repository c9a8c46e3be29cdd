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

/** The provider is there and takes no more requests for the moment. The same request may be answered soon. */
export class ModelBusy extends ModelAway {
  constructor(
    message: string,
    options: { retryAfterMs?: number | undefined; isUnbilled?: boolean } = {},
  ) {
    super(message, options);
    this.name = "ModelBusy";
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

/** Throws `ModelAway`, `ModelBusy` or `ModelRefused` for a failed request, or the error itself when we aborted the request. */
export function explainModelFailure(error: unknown): never {
  if (isModelFailure(error)) throw error;
  if (error instanceof OpenAI.APIUserAbortError) throw error;
  if (!(error instanceof OpenAI.APIError)) throw unreachable(error);
  const { code, type, headers } = error;
  // In the middle of a stream the status is 200: the code or the type says what happened.
  const told: unknown = error.status ?? code;
  const status = typeof told === "number" ? told : undefined;
  const isBusy = [status, code, type].some((one) => BUSY.has(one));
  if (status === undefined && !isBusy) throw unreachable(error);
  const answered = `answered ${status ?? "in a stream"}${reasonOf(code)}`;
  const isUnbilled = error.status !== undefined;
  if (REFUSING.has(status)) throw new ModelRefused(answered, { isUnbilled });
  const options = { retryAfterMs: retryAfterMs(headers), isUnbilled };
  if (isBusy && !UNPAID.has(code) && !UNPAID.has(type)) throw new ModelBusy(answered, options);
  throw new ModelAway(answered, options);
}

/** No connection, a time-out, a broken or endless answer. */
function unreachable(cause: unknown): ModelAway {
  const isLate = cause instanceof OpenAI.APIConnectionTimeoutError;
  const isUnbilled = cause instanceof OpenAI.APIConnectionError && !isLate;
  return new ModelAway("not to be reached", { cause, isUnbilled });
}

/** The statuses that refuse the request itself. 401, 403 and 404 are not among them: once the operator has fixed those, the same request succeeds. */
const REFUSING = new Set<unknown>([400, 413, 422]);

/**
 * How vendors say that a request came too soon: 429 by all, 498 by Groq, 529 by Anthropic. The names stand in
 * streams. 503 is not among them: most send it while the model is down.
 */
const BUSY = new Set<unknown>([
  429,
  498,
  529,
  "rate_limit_exceeded",
  "rate_limit_error",
  "overloaded_error",
]);

/** Sent with 429 by OpenAI and others whose bill was not paid: waiting does not help. */
const UNPAID = new Set<unknown>([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "billing_not_active",
  "exceeded_current_quota_error",
]);

/** Returns only a code such as `invalid_api_key`: the rest of a provider's message may repeat the key or the conversation. */
function reasonOf(code: unknown): string {
  return typeof code === "string" && /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : "";
}

/** A provider that asks for an hour by mistake would otherwise end every conversation of that hour. */
const MOST_RETRY_AFTER_MS = 60_000;

/** Azure and OpenAI also tell milliseconds. HTTP allows a date in place of the seconds, by the clock of the provider. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const after = headers?.get("retry-after") ?? "";
  const untilMs = Date.parse(after) - Date.parse(headers?.get("date") ?? "");
  const toldMs = /^[\d.]+$/.test(after) ? Number(after) * 1_000 : untilMs;
  const exactMs = Number(headers?.get("retry-after-ms") ?? Number.NaN);
  const ms = Number.isNaN(exactMs) ? toldMs : exactMs;
  return ms >= 0 ? Math.min(ms, MOST_RETRY_AFTER_MS) : undefined;
}
