import type { Session } from "./session.ts";

/** Body of `GET /v1/sessions.json`. */
export interface SessionList {
  /** At most `limit` sessions, ordered by `created_at`, oldest first. */
  items: SelectedSession[];
}

/** A session with the fields that were selected and have a value, which may be none. */
export type SelectedSession = Partial<Session>;

/** The names `fields` accepts. Their order is `SESSION_FIELDS`. */
export type SessionField = keyof Session;

/** Body of every answer with a status of 400 or above. */
export interface ErrorBody {
  /** What went wrong. */
  error: ErrorDetail;
}

/** What went wrong, for programs and for people. */
export interface ErrorDetail {
  /** Stable and machine-readable. */
  code: ErrorCode;
  /** What happened and what to do next, in words. */
  message: string;
  /** The query parameter at fault, where there is one. */
  parameter?: string;
}

export type ErrorCode =
  /** 400: a query parameter has a value outside what is documented. */
  | "invalid_parameter"
  /** 400, 408, 413, 414, 417, 431: the request is not HTTP that this service understands. */
  | "invalid_request"
  /** 401: credentials are missing or not valid. */
  | "unauthorized"
  /** 404: there is nothing at this path. */
  | "not_found"
  /** 405: this path exists, but not for this method. See `Allow`. */
  | "method_not_allowed"
  /** 429: too many requests with this token. See `Retry-After`. */
  | "rate_limited"
  /** 500: a defect of the service. */
  | "internal_error"
  /** 503: the service cannot answer right now. See `Retry-After`. */
  | "unavailable";
