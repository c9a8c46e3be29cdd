import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener, Server, ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";
import * as z from "zod";
import type { Faults, SwitchedFault } from "./faults.ts";
import { openPort } from "./port.ts";
import { Mistake, orElse, readJson } from "./read-value.ts";

/** The HTTP server that every stand-in has: its page, its switches, and what it stands in for. */
export interface StandIn {
  url: string;
  server: Server;
  /** In place of those set before; throws a `Mistake` at once. Resolves when the port is open or shut as they say. */
  setFaults(value: unknown): Promise<void>;
  /** Answers by these routes, and has `elsewhere` answer all other requests. */
  serve(routes: Routes, elsewhere?: RequestListener): RequestListener;
  close(): Promise<void>;
}

export async function openStandIn<F extends SwitchedFault>(
  faults: Faults<F>,
  options: { port?: number; faults?: F[] },
  /** How long every answer is held back, where that can be set beside the faults. */
  delay?: { delayMs: number },
): Promise<StandIn> {
  // Wrong ones must not leave a port open.
  faults.set(options.faults ?? []);
  const server = createHttpServer();
  const port = await openPort(server, options.port);

  function setFaults(value: unknown): Promise<void> {
    faults.set(value);
    const refusal = faults.list().find(({ kind }) => kind === "refuse");
    return refusal === undefined ? port.open() : port.shut(refusal.forMs);
  }

  const state = (): Answer =>
    json({ delayMs: delay?.delayMs, faults: faults.list(), kinds: faults.kinds });
  const setting = z.strictObject({
    faults: orElse(z.array(z.unknown()), []),
    delayMs: delay ? orElse(z.number().min(0).max(600_000), undefined) : z.undefined().optional(),
  });
  const switches: Routes = {
    "GET /rehearsal/faults": state,
    "PUT /rehearsal/faults": async ({ body, response }) => {
      const { faults: given, delayMs } = readJson(setting, body);
      const wanted = faults.read(given);
      const refusal = wanted.findIndex(({ kind }) => kind === "refuse");
      if (wanted[refusal] !== undefined && wanted[refusal].forMs === undefined) {
        const why = "needs forMs here: nobody could open the port again";
        throw new Mistake("value", `faults[${refusal}]`, why);
      }
      if (delay !== undefined) delay.delayMs = delayMs ?? delay.delayMs;
      faults.set(wanted);
      // A shut port could not say that it was shut.
      if (refusal !== -1) void once(response, "finish").then(() => setFaults(wanted));
      else await setFaults(wanted);
      return state();
    },
  };

  await setFaults(options.faults ?? []);
  return {
    url: `http://127.0.0.1:${port.number}`,
    server,
    setFaults,
    serve(routes, elsewhere) {
      const listener = answerBy({ ...switches, ...routes }, elsewhere);
      server.on("request", listener);
      return listener;
    },
    close: () => port.close(),
  };
}

export function createHttpServer(listener?: RequestListener): Server {
  const server = createServer(listener);
  // A client that keeps its connections must not find one closed just as it sends.
  server.keepAliveTimeout = 120_000;
  // A client that sends half a request is to be seen, not cut off.
  server.requestTimeout = 0;
  return server;
}

interface Asked {
  query: URLSearchParams;
  body: string;
  response: ServerResponse;
}

export interface Answer {
  status: number;
  type: string;
  body: string;
  /** What the browser may do with it; nothing unless told. */
  policy?: string;
}

/** What stands at which address, by method and path. */
export type Routes = Record<string, (asked: Asked) => Answer | Promise<Answer>>;

function answerBy(routes: Routes, elsewhere: RequestListener = answerNothing): RequestListener {
  return (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://stand-in");
    const line = `${request.method} ${pathname}`;
    if (!Object.hasOwn(routes, line)) return elsewhere(request, response);
    textOf(request)
      .then((body) => routes[line]!({ query, body, response }))
      .catch(explained)
      .then((answer) => send(response, answer))
      .catch(() => response.destroy());
  };
}

export const answerNothing: RequestListener = ({ method, url }, response) => {
  send(response, { ...json({ error: `Nothing answers ${method} ${url}.` }), status: 404 });
};

export function wholeNumber(query: URLSearchParams, name: string, usual: number): number {
  const given = query.get(name) ?? String(usual);
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new Mistake("value", name, "expected a whole number");
}

export function json(value: unknown): Answer {
  return ok("application/json", JSON.stringify(value));
}

export function ok(type: string, body: string): Answer {
  return { status: 200, type, body };
}

function explained(error: unknown): Answer {
  const isAskers = error instanceof Mistake || error instanceof SyntaxError;
  const why = error instanceof Error ? error.message : String(error);
  return { ...json({ error: why }), status: isAskers ? 400 : 500 };
}

function send(response: ServerResponse, { status, type, body, policy }: Answer): void {
  response
    .writeHead(status, {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": policy ?? "default-src 'none'; frame-ancestors 'none'",
    })
    .end(body);
}
