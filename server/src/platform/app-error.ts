/**
 * The one error that crosses the borders of modules. `code` is for machines, the rest for people. HTTP
 * statuses and exit codes are chosen by the adapters.
 */
export class AppError extends Error {
  readonly code: AppErrorCode;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
  /** The same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** Each of several reasons, for programs. `why` then has a line or two for each. */
  readonly details: readonly object[] | undefined;

  constructor(
    code: AppErrorCode,
    words: ErrorWords,
    options: { cause?: unknown; details?: readonly object[] } = {},
  ) {
    super(`${words.what} ${words.why} ${words.fix}`, options);
    this.name = "AppError";
    this.code = code;
    this.what = words.what;
    this.why = words.why;
    this.fix = words.fix;
    this.retryable = code === "unavailable";
    this.details = options.details;
  }
}

/** Three sentences: what happened, why, and what to do next. */
export interface ErrorWords {
  what: string;
  why: string;
  fix: string;
}

export type AppErrorCode =
  /** Something given from outside does not fit what is documented. */
  | "invalid_input"
  /** Nothing exists under that name. */
  | "not_found"
  /** It exists, but in a state that does not allow this. */
  | "conflict"
  /** The database, or another thing we stand on, is away. */
  | "unavailable";

/** The code that an error of Node, of PostgreSQL or of a library carries, such as `ECONNREFUSED` or `57014`; empty without one. */
export function errorCode(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === "string" ? code : "";
}
