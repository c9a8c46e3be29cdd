import { ApiError } from "./api-error.ts";
import type { FaultKind } from "./fault.ts";

/** Faults that are an HTTP status and no answer. */
export const statusFaults: Partial<Record<FaultKind, ApiError>> = {
  rate_limit: tooMany(
    "rate_limit_exceeded",
    "Too many requests. Wait as long as Retry-After says.",
  ),
  rate_limit_silent: tooMany("rate_limit_exceeded", "Too many requests. Wait a little."),
  quota: tooMany("insufficient_quota", "The account's quota is used up. Waiting does not help."),
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

function tooMany(code: string, message: string): ApiError {
  const type = code === "insufficient_quota" ? code : "requests";
  return new ApiError(429, { message, type, code });
}

function serverError(status: number, type: string, message: string): ApiError {
  return new ApiError(status, { message, type });
}
