import type {
  ErrorCode,
  RefusalReason,
  SdkErrorBody,
  SdkErrorCode,
  StartChallenge,
} from "@svc/contract/types";
import type { FastifyReply } from "fastify";

/** Every answer of 400 and above has this body, whichever route sends it. */
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

/** Tells a page why its session was not started, and when it is worth another try. */
export function sendRefusal(
  reply: FastifyReply,
  reason: RefusalReason,
  nowMs: number,
): FastifyReply {
  const { status, message, retryAfterSecs } = ANSWERS[reason];
  if (retryAfterSecs !== undefined) void reply.header("retry-after", retryAfterSecs(nowMs));
  return sendError(reply, status, reason, message);
}

/** Tells a page what to solve to start at once. A client that does not know challenges reads a refusal that it knows. */
export function sendChallenge(reply: FastifyReply, challenge: StartChallenge): FastifyReply {
  const body: SdkErrorBody = {
    error: {
      code: "too_many_starts",
      message:
        "Many sessions are being started from this network or with this agent. Solve the challenge and send the start again with challenge_solution, or wait a minute and try again.",
      challenge,
    },
  };
  return reply.code(429).header("cache-control", "no-store").header("retry-after", 60).send(body);
}

interface Answer {
  status: number;
  message: string;
  retryAfterSecs?: (nowMs: number) => number;
}

const DAY_MS = 86_400_000;

const ANSWERS: Record<RefusalReason, Answer> = {
  agent_unknown: {
    status: 404,
    message: "There is no such agent. Check agentId in SvcConfig; `svc agents list` shows it.",
  },
  preview_invalid: {
    status: 403,
    message:
      "This preview token is not one of the agent's, or it has expired. Make one with `svc agents preview`, or leave it out.",
  },
  agent_paused: {
    status: 403,
    message: "This agent is paused and starts no session. `svc agents resume` takes that back.",
  },
  origin_not_allowed: {
    status: 403,
    message: "This page may not start this agent. List its origin under allowed_origins.",
  },
  service_unavailable: {
    status: 503,
    message: "No session can be held right now. Try again in a moment.",
    retryAfterSecs: () => 5,
  },
  at_capacity: {
    status: 429,
    message: "As many sessions as may be are going on. Try again when one has ended.",
    retryAfterSecs: () => 10,
  },
  too_many_starts: {
    status: 429,
    message: "Too many sessions were started from this address. Wait a minute and try again.",
    retryAfterSecs: () => 60,
  },
  daily_cap: {
    status: 429,
    message: "This agent has reached its limit for today. Come back after midnight UTC.",
    retryAfterSecs: (nowMs) => Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1_000),
  },
};
