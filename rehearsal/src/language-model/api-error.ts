import type { ServerResponse } from "node:http";
import { Mistake } from "../read-value.ts";
import type { FaultKind } from "./fault.ts";

/** A refusal as OpenAI words it: the status, the type and the code are what clients decide by. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;

  constructor(
    status: number,
    error: { message: string; type: string; code?: string; param?: string },
  ) {
    super(error.message);
    this.name = "ApiError";
    this.status = status;
    this.type = error.type;
    this.code = error.code ?? null;
    this.param = error.param ?? null;
  }
}

/** 400: the request is wrong, and sending it again will not help. */
export function invalidRequest(message: string, code?: string, param?: string): ApiError {
  return new ApiError(400, {
    message,
    type: "invalid_request_error",
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
  });
}

/** Faults that are an HTTP status and no answer. */
export const statusFaults: Partial<Record<FaultKind, ApiError>> = {
  rate_limit: tooMany("Too many requests. Wait as long as Retry-After says."),
  rate_limit_silent: tooMany("Too many requests. Wait a little."),
  quota: new ApiError(429, {
    message: "The account's quota is used up. Waiting does not help.",
    type: "insufficient_quota",
    code: "insufficient_quota",
  }),
  error_500: serverError(500, "server_error", "Something broke while the answer was made."),
  error_503: serverError(503, "server_error", "The model is overloaded or being restarted."),
  error_529: serverError(529, "overloaded_error", "The model is overloaded."),
  bad_key: wrongKey(),
};

export function wrongKey(): ApiError {
  return new ApiError(401, {
    message: "The API key is missing or wrong.",
    type: "invalid_request_error",
    code: "invalid_api_key",
  });
}

export function nothingAt(method: string | undefined, path: string): ApiError {
  return new ApiError(404, {
    message: `Nothing answers ${method} ${path}.`,
    type: "invalid_request_error",
    code: "unknown_url",
  });
}

/** Sends whatever was thrown while a request was read or answered. */
export function sendError(
  response: ServerResponse,
  thrown: unknown,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const { status, message, type, param, code } = apiErrorOf(thrown);
  const body = JSON.stringify({ error: { message, type, param, code } });
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}

const codes: Record<Mistake["kind"], string> = {
  missing: "missing_required_parameter",
  type: "invalid_type",
  value: "invalid_value",
  unknown: "unknown_parameter",
};

export function apiErrorOf(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof Mistake) {
    return invalidRequest(`${thrown.message}.`, codes[thrown.kind], thrown.at || undefined);
  }
  // JSON that is none throws the first, a form that is none the second.
  if (thrown instanceof SyntaxError || thrown instanceof TypeError) {
    return invalidRequest("The body could not be read.");
  }
  const why = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return new ApiError(500, { message: `The stand-in failed: ${why}`, type: "rehearsal" });
}

function tooMany(message: string): ApiError {
  return new ApiError(429, { message, type: "requests", code: "rate_limit_exceeded" });
}

function serverError(status: number, type: string, message: string): ApiError {
  return new ApiError(status, { message, type });
}
