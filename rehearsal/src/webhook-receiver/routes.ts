import { hash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { list, Mistake, object, text, wrongValue } from "../shape.ts";
import type { Shape } from "../shape.ts";
import { faultKinds } from "./fault.ts";
import { receive } from "./receive.ts";
import type { ReceiverParts } from "./receive.ts";
import { viewOf } from "./view.ts";
import type { Addresses } from "./view.ts";

export interface Routing {
  parts: ReceiverParts;
  addresses: Addresses;
  /** Throws a `Mistake`. */
  setFaults(faults: unknown): void;
  setSecrets(secrets: string[]): void;
}

interface Asked {
  query: URLSearchParams;
  body: string;
}

type Answer = [status: number, type: string, body: string];
type Route = (asked: Asked) => Answer;

/** What stands at which address. Whatever is posted elsewhere is a webhook. */
export function routes(routing: Routing): RequestListener {
  const table = tableOf(routing);
  return (request, response) => {
    const { method = "", url: target = "/" } = request;
    if (method === "POST" && !target.startsWith("/rehearsal/")) {
      return receive(routing.parts, request, response);
    }
    const { pathname, searchParams: query } = new URL(target, "http://receiver");
    const line = `${method} ${pathname}`;
    const route = Object.hasOwn(table, line) ? table[line]! : () => nothingAt(line);
    bodyOf(request)
      .then((body) => route({ query, body }))
      .catch(explained)
      .then((answer) => send(response, answer))
      .catch(() => response.destroy());
  };
}

function tableOf({ parts, addresses, setFaults, setSecrets }: Routing): Record<string, Route> {
  const { log, keyring, switches } = parts;
  const faults = (): Answer => json({ faults: switches.list(), kinds: faultKinds });
  return {
    "GET /": () => [200, "text/html", fileBeside("page.html")],
    "GET /page.css": () => [200, "text/css", fileBeside("page.css")],
    "GET /rehearsal/view": ({ query }) => {
      const isSeen = query.get("seen") === String(log.counters.version);
      const most = wholeNumber(query, "most", 50);
      return isSeen ? [204, "text/plain", ""] : json(viewOf(parts, addresses, most));
    },
    "GET /rehearsal/requests": ({ query }) => {
      const requests = log.after(wholeNumber(query, "after", 0), wholeNumber(query, "limit", 1000));
      return json({ counts: log.counters.read(), requests });
    },
    "GET /rehearsal/content": ({ query }) => {
      const { headers, body } = log.content(wholeNumber(query, "number", 0)) ?? {};
      return json({ headers, body: body?.toString() });
    },
    "GET /rehearsal/faults": faults,
    "PUT /rehearsal/faults": ({ body }) => {
      setFaults(faultSetting(JSON.parse(body), "").faults);
      return faults();
    },
    "PUT /rehearsal/secrets": ({ body }) => {
      setSecrets(allSecrets(JSON.parse(body), "").secrets);
      return json({ known: keyring.size });
    },
    "POST /rehearsal/secrets": ({ body }) => {
      keyring.add(oneSecret(JSON.parse(body), "").secret);
      log.counters.touch();
      return json({ known: keyring.size });
    },
  };
}

const anything: Shape<unknown> = (value) => value;
const faultSetting = object<{ faults: unknown }>({ faults: anything });
const allSecrets = object({ secrets: list(text) });
const oneSecret = object({ secret: text });

function wholeNumber(query: URLSearchParams, name: string, usual: number): number {
  const given = query.get(name) ?? String(usual);
  return /^\d{1,15}$/.test(given) ? Number(given) : wrongValue(name, "expected a whole number");
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(request, "end");
  return Buffer.concat(chunks).toString();
}

function json(value: unknown): Answer {
  return [200, "application/json", JSON.stringify(value)];
}

/** Read anew each time, so that a change shows on reload. */
function fileBeside(name: string): string {
  return readFileSync(join(import.meta.dirname, name), "utf8");
}

function nothingAt(line: string): Answer {
  return [404, "application/json", JSON.stringify({ error: `Nothing answers ${line}.` })];
}

function explained(error: unknown): Answer {
  const isAskers = error instanceof Mistake || error instanceof SyntaxError;
  const why = error instanceof Error ? error.message : String(error);
  return [isAskers ? 400 : 500, "application/json", JSON.stringify({ error: why })];
}

function send(response: ServerResponse, [status, type, body]: Answer): void {
  const script = type === "text/html" ? scriptOf(body) : "'none'";
  response
    .writeHead(status, {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // The page shows what strangers sent. Nothing of it may run or reach out, escaped or not.
      "content-security-policy": `default-src 'none'; style-src 'self'; script-src ${script}; connect-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'`,
    })
    .end(body);
}

/** The page's own script, by its digest. */
function scriptOf(page: string): string {
  const script = /<script>(.*)<\/script>/s.exec(page)?.[1];
  return script === undefined ? "'none'" : `'sha256-${hash("sha256", script, "base64")}'`;
}
