import { readFileSync } from "node:fs";
import type { RequestListener, ServerResponse } from "node:http";
import { basename, dirname, join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { Mistake, object, wrongValue } from "../shape.ts";
import type { Shape } from "../shape.ts";

export interface Asked {
  query: URLSearchParams;
  body: string;
}

export interface Answer {
  status: number;
  type: string;
  body: string;
  /** What the browser may do with it; nothing unless told. */
  policy?: string;
}

/** What stands at which address, by method and path. */
export type Routes = Record<string, (asked: Asked) => Answer>;

export function answerBy(routes: Routes): RequestListener {
  return (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://stand-in");
    const line = `${request.method} ${pathname}`;
    const route = Object.hasOwn(routes, line) ? routes[line]! : () => nothingAt(line);
    textOf(request)
      .then((body) => route({ query, body }))
      .catch(explained)
      .then((answer) => send(response, answer))
      .catch(() => response.destroy());
  };
}

/** A stand-in's page, from `folder`, with what it has in common with the others. */
export function pageRoutes(folder: string): Routes {
  const src = dirname(folder);
  // At the paths that they have here, so that one script finds the other.
  const file = (type: string, path: string): Routes => ({
    [`GET /${path}`]: () => ok(type, readFileSync(join(src, path), "utf8")),
  });
  return {
    "GET /": () => ({
      ...ok("text/html", readFileSync(join(folder, "page.html"), "utf8")),
      // It shows what strangers sent. Nothing of it may run or reach out, escaped or not.
      policy:
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'",
    }),
    ...file("text/javascript", `${basename(folder)}/page.js`),
    ...file("text/css", `${basename(folder)}/page.css`),
    ...file("text/javascript", "page/stand-in.js"),
    ...file("text/css", "page/stand-in.css"),
  };
}

/** Which faults are on and which there are, and a way to set them. `setFaults` throws a `Mistake`. */
export function faultRoutes(facts: () => object, setFaults: (faults: unknown) => void): Routes {
  const answer = (): Answer => json(facts());
  return {
    "GET /rehearsal/faults": answer,
    "PUT /rehearsal/faults": ({ body }) => {
      setFaults(faultSetting(JSON.parse(body), "").faults);
      return answer();
    },
  };
}

const anything: Shape<unknown> = (value) => value;
const faultSetting = object<{ faults: unknown }>({ faults: anything });

/** What the page shows, unless it says that it has seen this version. */
export function viewRoute(version: () => number, viewOf: (most: number) => unknown): Routes {
  return {
    "GET /rehearsal/view": ({ query }) => {
      const most = wholeNumber(query, "most", 50);
      if (query.get("seen") !== String(version())) return json(viewOf(most));
      return { status: 204, type: "text/plain", body: "" };
    },
  };
}

export function wholeNumber(query: URLSearchParams, name: string, usual: number): number {
  const given = query.get(name) ?? String(usual);
  return /^\d{1,15}$/.test(given) ? Number(given) : wrongValue(name, "expected a whole number");
}

export function json(value: unknown): Answer {
  return ok("application/json", JSON.stringify(value));
}

function ok(type: string, body: string): Answer {
  return { status: 200, type, body };
}

function nothingAt(line: string): Answer {
  return { ...json({ error: `Nothing answers ${line}.` }), status: 404 };
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
