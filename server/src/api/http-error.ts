import type { ErrorCode, SdkErrorCode } from "@svc/contract/types";
import type { FastifyReply } from "fastify";

/** Every answer of 400 and above has this body, whoever makes it. */
export function sendError(
  reply: FastifyReply,
  status: number,
  code: ErrorCode | SdkErrorCode,
  message: string,
  parameter?: string,
): FastifyReply {
  return reply
    .code(status)
    .header("cache-control", "no-store")
    .header("x-content-type-options", "nosniff")
    .type("application/json; charset=utf-8")
    .send(errorBody(code, message, parameter));
}

export function errorBody(
  code: ErrorCode | SdkErrorCode,
  message: string,
  parameter?: string,
): string {
  const error = { code, message, ...(parameter !== undefined && { parameter }) };
  return JSON.stringify({ error });
}
