import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Faults } from "../faults.ts";
import { isForVerifier } from "../conversation/check-sentence.ts";
import { usageOf, withinTokens } from "./answer.ts";
import { apiErrorOf, ApiError, sendError, statusFaults } from "./api-error.ts";
import { readChatRequest } from "./chat-request.ts";
import type { ChatRequest } from "./chat-request.ts";
import { writeCompletion } from "./completion.ts";
import { deliver } from "./deliver.ts";
import type { Pace } from "./deliver.ts";
import { fits } from "./fault.ts";
import type { Fault } from "./fault.ts";
import type { LoggedRequest, RequestLog } from "./request-log.ts";
import { spoilAnswer } from "./spoil-answer.ts";
import type { Mind } from "./mind.ts";

/** What one language model is made of. */
export interface ModelParts {
  mind: Mind;
  faults: Faults<Fault>;
  log: RequestLog;
  /** Before every answer. */
  delayMs: number;
  /** Of streamed answers. */
  pace: Pace | undefined;
  /** Most requests to a model at once. */
  atOnce: number;
  /** Requests that are being answered, by model. */
  running: Map<string, number>;
}

/** Answers a request for a completion, or fails as the switches say. */
export function completeChat(parts: ModelParts, body: Buffer, response: ServerResponse): void {
  const requestId = hash("sha256", body, "hex");
  const request = readRequest(body);
  if (request instanceof ApiError) {
    parts.log.add({ ...entry("invalid", "", requestId), status: request.status });
    sendError(response, request);
    return;
  }
  const candidate = {
    model: request.model,
    kind: kindOf(request),
    hasTools: request.tools.length > 0 && request.toolChoice !== "none",
  };
  const { running } = parts;
  const count = (by: number): number => (running.get(request.model) ?? 0) + by;
  const isTooMuch = count(0) >= parts.atOnce;
  const fault: Fault | undefined = isTooMuch
    ? { kind: "rate_limit_silent" }
    : parts.faults.draw(requestId, (one) => fits(one, candidate));
  const answering = answerTo(parts, request, requestId, fault);
  parts.log.add(answering.logged);
  if (isTooMuch) return answering.send(response);
  running.set(request.model, count(1));
  response.once("close", () => running.set(request.model, count(-1)));
  if (parts.delayMs === 0) return answering.send(response);
  const timer = setTimeout(() => answering.send(response), parts.delayMs);
  response.once("close", () => clearTimeout(timer));
}

function readRequest(body: Buffer): ChatRequest | ApiError {
  try {
    return readChatRequest(body);
  } catch (error) {
    return apiErrorOf(error);
  }
}

interface Answering {
  logged: LoggedRequest;
  send(response: ServerResponse): void;
}

function answerTo(
  { mind, pace }: ModelParts,
  request: ChatRequest,
  requestId: string,
  fault: Fault | undefined,
): Answering {
  const logged = {
    ...entry(kindOf(request), request.model, requestId),
    ...(fault && { fault: fault.kind }),
  };
  if (fault?.kind === "stall") return { logged, send: () => {} };
  if (fault?.kind === "reset") {
    return { logged, send: (response) => response.socket?.resetAndDestroy() };
  }
  const error = fault && statusFaults[fault.kind];
  if (error) {
    return {
      logged: { ...logged, status: error.status },
      send: (response) => sendError(response, error, retryAfter(fault)),
    };
  }
  const thought = mind.think(request);
  const wanted = fault ? spoilAnswer(fault.kind, thought, request) : thought.answer;
  const isSplit = fault?.kind === "split_marks";
  const answer = withinTokens(wanted, request.maxTokens);
  const { prompt_tokens, completion_tokens } = usageOf(request, answer);
  return {
    logged: {
      ...logged,
      status: 200,
      by: answer.by,
      promptTokens: prompt_tokens,
      completionTokens: completion_tokens,
    },
    send: (response) =>
      void deliver(response, writeCompletion(request, answer, requestId, isSplit), {
        requestId,
        fault: fault?.kind,
        pace: request.stream ? pace : undefined,
      }),
  };
}

function entry(kind: LoggedRequest["kind"], model: string, requestId: string): LoggedRequest {
  const at = new Date().toISOString();
  return { at, kind, model, status: 0, promptTokens: 0, completionTokens: 0, requestId };
}

function kindOf({ format, messages }: ChatRequest): LoggedRequest["kind"] {
  if (isForVerifier(messages) || format?.name === "claims") return "verifier";
  if (format === undefined) return "conversation";
  return format.name === "evaluation" ? "evaluation" : "json";
}

function retryAfter({ kind, retryAfterSecs }: Fault): Record<string, string> {
  return kind === "rate_limit" ? { "retry-after": String(retryAfterSecs ?? 1) } : {};
}
