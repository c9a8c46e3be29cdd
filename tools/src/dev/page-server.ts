import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import { extname, join } from "node:path";
import { text } from "node:stream/consumers";
import { docsSite } from "../docs-site/site.ts";
import { fill } from "../html.ts";
import type { LiveState } from "./live-state.ts";
import { renderStartPage } from "./start-page.ts";

/** Serves the start page, its live state, the documents as a site, and the playground. */
export interface PageServer {
  url: string;
  close(): Promise<void>;
}

type Answer = [
  status: number,
  type: string,
  body: string | Buffer,
  headers?: Record<string, string>,
];

export async function startPageServer(options: {
  root: string;
  port: number;
  state: LiveState;
}): Promise<PageServer> {
  const { root, state } = options;
  const docs = docsSite(root);
  const answers: Record<string, () => Promise<[type: string, body: string]>> = {
    "/": async () => ["text/html", await renderStartPage(await state.facts())],
    "/state.json": async () => {
      const { ready } = state;
      const parts = await state.parts();
      return ["application/json", JSON.stringify({ directory: root, ready, parts })];
    },
  };
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname, search } = new URL(request.url ?? "/", "http://page");
    // Relative links in these pages need the slash at the end.
    if (["/docs", "/playground", "/docs/playground", "/product"].includes(pathname)) {
      const location = `${pathname}/${search}`;
      return [302, "text/plain", `It is at ${location}\n`, { location }];
    }
    // The documents' own playground is that of the start page, which knows the service.
    const [, playground] = /^(?:\/docs)?(\/playground\/.*)$/.exec(pathname) ?? [];
    if (playground !== undefined) {
      const found = await answerPlayground(request, playground, options);
      if (found !== undefined) return [found.status, found.type, found.body];
    } else if (pathname.startsWith("/docs/")) {
      const path = pathname.slice("/docs/".length) || "index.html";
      const found = await docs.read(path);
      if (found !== undefined) return [200, contentTypeOf(path) ?? "text/plain", found];
    } else if (pathname.startsWith("/product/")) {
      const found = await answerProduct(pathname, options);
      if (found !== undefined) return [200, found.type, found.body];
    } else if (Object.hasOwn(answers, pathname)) return [200, ...(await answers[pathname]!())];
    return [404, "text/plain", "Nothing here. Go to /.\n"];
  };
  const server = createServer((request, response) => {
    const send = (...[status, type, body, headers]: Answer): void =>
      void response
        .writeHead(status, {
          "content-type": `${type}; charset=utf-8`,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          // The page shows a token: no other page may frame it.
          "content-security-policy": `default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline' ${state.serverUrl}; connect-src 'self' ${state.serverUrl} ${state.serverUrl.replace("http", "ws")} ${state.livekitUrl ?? ""}; img-src 'self' data: ${state.serverUrl}; media-src ${state.serverUrl}; frame-ancestors 'none'`,
          ...headers,
        })
        .end(body);
    answer(request).then(
      (found) => send(...found),
      (error: unknown) => send(500, "text/plain", `${String(error)}\n`),
    );
  });
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${options.port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface PlaygroundAnswer {
  status: number;
  type: string;
  body: string;
}

/** Answers below `/playground/`: its files, the service's address, and the stand-ins' switches. Undefined where there is nothing. */
export async function answerPlayground(
  request: IncomingMessage,
  pathname: string,
  { root, state }: { root: string; state: LiveState },
): Promise<PlaygroundAnswer | undefined> {
  const name = pathname.slice("/playground/".length) || "index.html";
  if (name === "playground.json") return configuration(state);
  const standIns = { "rehearsal/model": state.modelUrl, "rehearsal/speech": state.speechUrl };
  const standIn = Object.entries(standIns).find(([path]) => path === name);
  if (standIn !== undefined) return switchOn(request, standIn[1]);
  // No dots but the last: nothing outside the folder has such a name.
  const isInside = /^(?:[\w-]+\/)*[\w-]+\.\w+$/.test(name);
  const type = isInside ? contentTypeOf(name) : undefined;
  if (type === undefined) return undefined;
  const body = await readFile(join(root, "sdk/playground", name), "utf8").catch(() => undefined);
  return body === undefined ? undefined : { status: 200, type, body };
}

/** Answers below `/product/`: the pages of a made-up product, with the agent that demonstrates it. */
async function answerProduct(
  pathname: string,
  { state }: { state: LiveState },
): Promise<Omit<PlaygroundAnswer, "status"> | undefined> {
  const name = pathname.slice("/product/".length) || "index";
  if (!/^[a-z]+(?:\.css)?$/.test(name)) return undefined;
  const file = name.endsWith(".css") ? name : `${name}.html`;
  const path = join(import.meta.dirname, "product/pages", file);
  const page = await readFile(path, "utf8").catch(() => undefined);
  if (page === undefined) return undefined;
  const type = contentTypeOf(file)!;
  if (type !== "text/html") return { type, body: page };
  const { seeded, serverUrl } = await state.facts();
  return { type, body: fill(page, { serverUrl, productAgentId: seeded?.productAgentId ?? "" }) };
}

async function configuration(state: LiveState): Promise<PlaygroundAnswer> {
  const { serverUrl: api, modelUrl: model, speechUrl: speech } = state;
  const { seeded } = await state.facts();
  // The switches are set together: where one of them would have no effect, none is offered.
  const isOwn = Object.values(state.own).some((place) => place !== undefined);
  const rehearsal = isOwn ? undefined : { model, speech };
  const body = JSON.stringify({ api, agent: seeded?.agentId, rehearsal });
  return { status: 200, type: "application/json", body };
}

/** The stand-ins let no other site read them: the playground asks them through its own server. */
async function switchOn(request: IncomingMessage, url: string): Promise<PlaygroundAnswer> {
  const isChange = request.method === "PUT";
  const response = await fetch(`${url}/rehearsal/faults`, {
    ...(isChange && { method: "PUT", body: await text(request) }),
    signal: AbortSignal.timeout(5_000),
  });
  return { status: response.status, type: "application/json", body: await response.text() };
}

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
};

/** Returns the content type for a file extension; undefined for a file that no page needs. */
function contentTypeOf(path: string): string | undefined {
  return TYPES[extname(path)];
}
