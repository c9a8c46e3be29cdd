import type { RequestListener } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pageRoutes } from "../stand-in-page.ts";
import { json, openStandIn } from "../stand-in.ts";
import { nothingAt, sendError, wrongKey } from "./api-error.ts";
import { completeChat } from "./complete-chat.ts";
import type { ModelParts } from "./complete-chat.ts";
import type { Pace } from "./deliver.ts";
import { createFaults } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { createMind } from "./mind.ts";
import { RequestLog } from "./request-log.ts";
import type { Requests } from "./request-log.ts";

export interface LanguageModelOptions {
  /** A free one unless told. */
  port?: number;
  /** The only key that is taken; any, or none, unless told. */
  apiKey?: string;
  /** Before every answer. */
  delayMs?: number;
  /** Of streamed answers; at once unless told. */
  pace?: Pace;
  /** Requests to each model at once; more get 429. As many as come unless told. */
  atOnce?: number;
  faults?: Fault[];
  /** Holds `evaluations/` and `conversations/`; those of this package unless told. */
  scriptsFolder?: string;
}

/** A running stand-in of a language model. */
export interface LanguageModel {
  /** Its page, and its switches below `/rehearsal`. */
  url: string;
  /** What an OpenAI client takes as its base URL. */
  baseUrl: string;
  /** In place of those set before. Resolves when the port is open or closed as they say. */
  setFaults(faults: Fault[]): Promise<void>;
  setDelay(delayMs: number): void;
  requests(): Requests;
  close(): Promise<void>;
}

export async function startLanguageModel(
  options: LanguageModelOptions = {},
): Promise<LanguageModel> {
  const log = new RequestLog();
  const parts: ModelParts = {
    mind: createMind(options.scriptsFolder ?? join(import.meta.dirname, "../../scripts")),
    faults: createFaults(),
    log,
    delayMs: options.delayMs ?? 0,
    pace: options.pace,
    atOnce: options.atOnce ?? Infinity,
    running: new Map(),
  };
  const { url, serve, setFaults, close } = await openStandIn(parts.faults, options, parts);
  const baseUrl = `${url}/v1`;
  serve(
    {
      ...pageRoutes(import.meta.dirname, words, (newest) => ({
        baseUrl,
        delayMs: parts.delayMs,
        faults: parts.faults.list(),
        scripts: parts.mind.scripts,
        total: log.total,
        requests: log.newest(newest),
      })),
      "GET /rehearsal/requests": () => json(log.read()),
    },
    openaiApi(parts, options.apiKey),
  );
  return {
    url,
    baseUrl,
    setFaults: async (faults) => setFaults(faults),
    setDelay(delayMs) {
      parts.delayMs = delayMs;
    },
    requests: () => log.read(),
    close,
  };
}

const words = {
  title: "A language model",
  intro: `It stands in for a real one: at <code id="url"></code> it speaks OpenAI's API, needs no key, and answers the
    same request with the same bytes, from scripts where one fits and by rules everywhere else.`,
  boxes: ["Requests", "Scripts"],
  nothing: "Nothing yet. Start a conversation, or evaluate a session.",
};

const models = {
  object: "list",
  data: [{ id: "rehearsal", object: "model", created: 0, owned_by: "svc" }],
};

function openaiApi(parts: ModelParts, apiKey: string | undefined): RequestListener {
  return (request, response) => {
    const { method, url = "/", headers } = request;
    const path = url.split("?", 1)[0]!;
    if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
      return sendError(response, wrongKey());
    }
    if (`${method} ${path}` === "GET /v1/models") {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(models));
      return;
    }
    if (`${method} ${path}` !== "POST /v1/chat/completions") {
      return sendError(response, nothingAt(method, path));
    }
    buffer(request)
      .then((body) => completeChat(parts, body, response))
      .catch((error: unknown) => sendError(response, error));
  };
}
