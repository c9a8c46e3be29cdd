import { buffer } from "node:stream/consumers";
import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { ApiError, fromMistake, invalidRequest, sendError } from "../language-model/api-error.ts";
import { Mistake, number, object, or, wrongValue } from "../shape.ts";
import { admit } from "./admit.ts";
import { speechFaultList } from "./fault.ts";
import type { SpeechFault } from "./fault.ts";
import { httpInterfaces } from "./interfaces.ts";
import { renderPage } from "./page.ts";
import type { SpeechParts } from "./speech-parts.ts";

export interface Routing {
  parts: SpeechParts;
  /** Of the stand-in itself. */
  url: string;
  setFaults(faults: SpeechFault[]): Promise<void>;
}

type Route = (request: Request, response: ServerResponse) => void | Promise<void>;

/** What stands at which address, beside the WebSockets. */
export function routes(routing: Routing): RequestListener {
  const { parts, url } = routing;
  const own = ownRoutes(routing);

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? "/", url);
    const line = `${incoming.method} ${path}`;
    const vendors = httpInterfaces.find(
      (one) => one.method === incoming.method && one.path.test(path),
    );
    if (vendors !== undefined) {
      const status = admit(vendors, { path, query }, incoming.headers, parts);
      if (status !== undefined) throw refusal(status);
      await vendors.serve(await asRequest(incoming, url), response, parts);
    } else if (Object.hasOwn(own, line)) {
      await own[line]!(await asRequest(incoming, url), response);
    } else {
      throw new ApiError(404, { message: `Nothing answers ${line}.`, type });
    }
  }

  return (incoming, response) => {
    answer(incoming, response).catch((error: unknown) => fail(response, error));
  };
}

function ownRoutes({ parts, url, setFaults }: Routing): Record<string, Route> {
  const state = () => ({ delayMs: parts.delayMs, faults: parts.switches.list() });
  return {
    "GET /": (_, response) => {
      const page = renderPage({ url, ...state(), requests: parts.log.read() });
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    },
    "GET /rehearsal/requests": (_, response) => sendJson(response, parts.log.read()),
    "GET /rehearsal/faults": (_, response) => sendJson(response, state()),
    "PUT /rehearsal/faults": async (request, response) => {
      const { faults, delayMs } = setting(await request.json(), "");
      parts.delayMs = delayMs ?? parts.delayMs;
      const refusing = faults.findIndex(({ kind }) => kind === "refuse");
      if (refusing === -1) {
        await setFaults(faults);
        return sendJson(response, state());
      }
      if (faults[refusing]!.forMs === undefined) {
        wrongValue(`faults[${refusing}]`, "needs forMs here: nobody could open the port again");
      }
      // Once the port is shut, nobody hears that it was.
      sendJson(response, { delayMs: parts.delayMs, faults });
      await once(response, "finish");
      await setFaults(faults);
    },
  };
}

const setting = object({
  faults: or(speechFaultList, []),
  delayMs: or(number({ from: 0, to: 600_000 }), undefined),
});

async function asRequest(incoming: IncomingMessage, url: string): Promise<Request> {
  const { method = "GET", headers } = incoming;
  const body = await buffer(incoming);
  return new Request(new URL(incoming.url ?? "/", url), {
    method,
    headers: { "content-type": headers["content-type"] ?? "application/json" },
    ...(method !== "GET" && { body }),
  });
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const type = "invalid_request_error";

function refusal(status: number): ApiError {
  const messages: Record<number, string> = {
    401: "The API key is missing or wrong.",
    429: "Too many requests. Wait a little.",
  };
  return new ApiError(status, { message: messages[status] ?? "Something broke.", type });
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return;
  if (error instanceof ApiError) return sendError(response, error);
  if (error instanceof Mistake) return sendError(response, fromMistake(error));
  // What cannot be read: JSON that is none, or a form.
  const isAskers = error instanceof SyntaxError || error instanceof TypeError;
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  sendError(
    response,
    isAskers
      ? invalidRequest("The body could not be read.")
      : new ApiError(500, { message: `The stand-in failed: ${why}`, type: "rehearsal" }),
  );
}
