import { AppError, isDatabaseAway } from "#platform";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { sendTrouble } from "./send-page.ts";

/** Answers what goes wrong on a person's page with such a page. */
export function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof AppError && error.code === "not_found")
    return sendTrouble(request, reply, "dead_link");
  if (error.statusCode !== undefined && error.statusCode < 500) throw error;
  const isAway = error instanceof AppError ? error.retryable : isDatabaseAway(error);
  if (isAway) {
    request.log.warn({ err: error }, "not available");
    return sendTrouble(request, reply.header("retry-after", 5), "away");
  }
  request.log.error({ err: error }, "request failed");
  return sendTrouble(request, reply, "broken");
}
