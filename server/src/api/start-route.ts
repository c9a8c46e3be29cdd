import { createHash } from "node:crypto";
import { AppError, inSpan, traceparentOf } from "#platform";
import type { Clock } from "#platform";
import { normalizeMetadata, visitorAddress } from "#sessions";
import type { VisitOutcome, Visits, VisitStart } from "#sessions";
import { SessionStart } from "@svc/contract/schemas";
import type { FunnelEntry, SessionStarted } from "@svc/contract/types";
import type { FastifyInstance, FastifyReply } from "fastify";
import { sendChallenge, sendError, sendRefusal } from "./http-error.ts";
import { readJson } from "./read-json.ts";
import { deviceOf, pageOrigin } from "./request-headers.ts";

/** The metadata's 32 KB, with room for how JSON may write it. */
const MAX_BODY_BYTES = 131_072;

export interface StartRoute {
  visits: Visits;
  clock: Clock;
  /** The URL at which browsers open the socket. */
  liveUrl: string;
  /** Where the sound of calls may go, as far as this process knows. */
  livekitUrl?: string | undefined;
}

/** What opened the demo is part of the address: a server of the release before refuses a body with more than it knows. */
interface StartRequest {
  Body?: Buffer;
  Querystring: { entry?: unknown };
}

const ENTRIES: readonly FunnelEntry[] = ["modal", "widget", "hero"];

/** `POST /sdk/v1/sessions`: the visitor has accepted the notice. */
export function addStartRoute(app: FastifyInstance, options: StartRoute): void {
  const route = { bodyLimit: MAX_BODY_BYTES };
  app.post<StartRequest>("/sdk/v1/sessions", route, async (request, reply) => {
    const { body: bytes = Buffer.alloc(0) } = request;
    const body = readJson(SessionStart, bytes);
    if (!body.ok) return sendError(reply, 400, "invalid_request", body.message, body.parameter);
    const { value: start } = body;
    const metadata = normalized(start.metadata);
    if (metadata instanceof AppError)
      return sendError(reply, 400, "metadata_too_large", metadata.message, "metadata");
    const outcome = await startInSpan(options.visits, {
      agent: start.agent_id,
      origin: pageOrigin(request),
      address: visitorAddress(request.ip),
      idempotencyKey: start.start_key,
      requestSha256: sha256(bytes),
      mode: start.mode,
      language: start.language,
      metadata,
      page: start.page,
      entry: ENTRIES.find((entry) => entry === request.query.entry),
      device: deviceOf(request),
      notice: {
        sha256: sha256(start.notice.text),
        language: start.notice.language,
        acceptedAt: new Date(start.notice.accepted_at),
      },
      previewToken: start.preview_token,
      continues: start.continues && {
        sessionId: start.continues.session_id,
        resumeToken: start.continues.resume_token,
      },
      challengeSolution: start.challenge_solution,
      withoutCall: start.without_call === true,
    });
    if ("sessionId" in outcome && outcome.isNew) {
      const { agent_id: agent, mode, language } = start;
      const isTest = outcome.testReason !== null;
      request.log.info(
        { session: outcome.sessionId, agent, mode, language, test: isTest },
        "session started",
      );
    }
    return answer(reply, outcome, options);
  });
}

/** The span begins the session's trace, which its conversation, evaluation and deliveries continue. */
function startInSpan(visits: Visits, start: VisitStart): Promise<VisitOutcome> {
  return inSpan("svc.start", {}, async (span) => {
    const outcome = await visits.start({ ...start, traceparent: traceparentOf(span) });
    if ("sessionId" in outcome) span.setAttribute("svc.session", outcome.sessionId);
    return outcome;
  });
}

function sha256(bytes: Buffer | string): Buffer {
  return createHash("sha256").update(bytes).digest();
}

function normalized(given: Record<string, unknown>): Record<string, string> | AppError {
  try {
    return normalizeMetadata(given);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function answer(
  reply: FastifyReply,
  outcome: VisitOutcome,
  { liveUrl, clock }: StartRoute,
): FastifyReply {
  if ("invalid" in outcome)
    return sendError(reply, 400, "invalid_request", INVALID[outcome.invalid], outcome.invalid);
  if ("challenge" in outcome) return sendChallenge(reply, outcome.challenge);
  if ("refused" in outcome) {
    const { refused } = outcome;
    if (refused === "conflict" || refused === "ended")
      return sendError(reply, 409, refused, CONFLICTS[refused]);
    return sendRefusal(reply, refused, clock.nowMs());
  }
  const started: SessionStarted = {
    session_id: outcome.sessionId,
    ticket: outcome.ticket,
    live_url: liveUrl,
    ...(outcome.testReason !== null && { test: outcome.testReason }),
  };
  return reply
    .code(outcome.isNew ? 201 : 200)
    .header("cache-control", "no-store")
    .send(started);
}

const INVALID = {
  mode: "The agent does not talk in this mode. Choose one of its modes.",
} as const;

const CONFLICTS = {
  conflict: "Another request was sent with this start key. Make a new key for each click.",
  ended:
    "The conversation of this start key has begun or is over. Make a new key to start another.",
} as const;
