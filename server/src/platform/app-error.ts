/**
 * The one error that crosses room doors. `code` is for machines, `message` for people: what
 * happened, why, and what to do next. HTTP statuses are the api's business alone.
 */
export class AppError extends Error {
  readonly code: AppErrorCode;
  /** The same call may succeed later, unchanged. */
  readonly retryable: boolean;

  constructor(code: AppErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "AppError";
    this.code = code;
    this.retryable = code === "unavailable";
  }
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
