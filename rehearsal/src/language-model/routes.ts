import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Mistake, number, object, or, wrongValue } from "../shape.ts";
import { ApiError, fromMistake, invalidRequest, sendError } from "./api-error.ts";
import { completeChat } from "./complete-chat.ts";
import type { ModelParts } from "./complete-chat.ts";
import { faultList } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { renderPage } from "./page.ts";
import { wrongKey } from "./status-faults.ts";

export interface Routing {
  parts: ModelParts;
  /** Of the stand-in itself. */
  url: string;
  apiKey?: string;
  setFaults(faults: Fault[]): Promise<void>;
}

type Route = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** What stands at which address. */
export function routes({ parts, url, apiKey, setFaults }: Routing): RequestListener {
  const state = () => ({ delayMs: parts.delayMs, faults: parts.switches.list() });
  const table: Record<string, Partial<Record<string, Route>>> = {
    "/v1/chat/completions": {
      POST: async (request, response) => completeChat(parts, await bodyOf(request), response),
    },
    "/v1/models": { GET: (_, response) => sendJson(response, models) },
    "/rehearsal/requests": { GET: (_, response) => sendJson(response, parts.log.read()) },
    "/rehearsal/faults": {
      GET: (_, response) => sendJson(response, state()),
      PUT: async (request, response) => {
        const { faults, delayMs } = readSetting(await bodyOf(request));
        parts.delayMs = delayMs ?? parts.delayMs;
        if (faults.some(({ kind }) => kind === "refuse")) {
          // Once the port is shut, nobody hears that it was.
          sendJson(response, { delayMs: parts.delayMs, faults });
          await once(response, "finish");
          await setFaults(faults);
        } else {
          await setFaults(faults);
          sendJson(response, state());
        }
      },
    },
    "/": {
      GET: (_, response) => {
        const page = renderPage({
          url,
          ...state(),
          scripts: parts.mind.scripts,
          requests: parts.log.read(),
        });
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
      },
    },
  };

  return (request, response) => {
    const { method = "", url: target = "/" } = request;
    const path = target.split("?", 1)[0]!;
    const route = Object.hasOwn(table, path) ? table[path]![method] : undefined;
    const isOpen = apiKey === undefined || !path.startsWith("/v1/");
    if (route === undefined) return sendError(response, nothingAt(method, path, path in table));
    if (!isOpen && request.headers.authorization !== `Bearer ${apiKey}`) {
      return sendError(response, wrongKey());
    }
    Promise.resolve(route(request, response)).catch((error: unknown) => fail(response, error));
  };
}

const models = {
  object: "list",
  data: [{ id: "rehearsal", object: "model", created: 0, owned_by: "svc" }],
};

const setting = object({
  faults: or(faultList, []),
  delayMs: or(number({ from: 0, to: 600_000 }), undefined),
});

function readSetting(body: Buffer): ReturnType<typeof setting> {
  const value: unknown = JSON.parse(body.toString());
  const read = setting(value, "");
  for (const [index, { kind, forMs }] of read.faults.entries()) {
    if (kind === "refuse" && forMs === undefined) {
      wrongValue(`faults[${index}]`, "needs forMs here: nobody could open the port again");
    }
  }
  return read;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(request, "end");
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function nothingAt(method: string, path: string, isKnown: boolean): ApiError {
  const type = "invalid_request_error";
  return isKnown
    ? new ApiError(405, {
        message: `${path} does not take ${method}.`,
        type,
        code: "method_not_supported",
      })
    : new ApiError(404, { message: `Nothing is at ${path}.`, type, code: "unknown_url" });
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return;
  if (error instanceof Mistake) return sendError(response, fromMistake(error));
  if (error instanceof SyntaxError)
    return sendError(response, invalidRequest("The body is not JSON."));
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  sendError(
    response,
    new ApiError(500, { message: `The stand-in failed: ${why}`, type: "rehearsal" }),
  );
}
