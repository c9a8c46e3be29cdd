import type { ServerResponse } from "node:http";
import type { Mistake } from "../shape.ts";

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

const codes: Record<Mistake["kind"], string> = {
  missing: "missing_required_parameter",
  type: "invalid_type",
  value: "invalid_value",
  unknown: "unknown_parameter",
};

export function fromMistake({ kind, at, message }: Mistake): ApiError {
  return invalidRequest(`${message}.`, codes[kind], at || undefined);
}

export function sendError(
  response: ServerResponse,
  { status, message, type, param, code }: ApiError,
  headers: Record<string, string> = {},
): void {
  const body = JSON.stringify({ error: { message, type, param, code } });
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}
