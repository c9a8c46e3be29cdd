import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { LiveState } from "./live-state.ts";
import { answerPlayground } from "./playground.ts";
import { DOCUMENTS, renderStartPage } from "./start-page.ts";

/** Serves the start page, its live state, the documents it links to, and the playground. */
export interface PageServer {
  url: string;
  close(): Promise<void>;
}

export async function startPageServer(options: {
  root: string;
  port: number;
  state: LiveState;
}): Promise<PageServer> {
  const { root, state } = options;
  const answers: Record<string, () => Promise<[type: string, body: string]>> = {
    "/": async () => ["text/html", await renderStartPage(await state.facts())],
    "/state.json": async () => {
      const { ready } = state;
      const parts = await state.parts();
      return ["application/json", JSON.stringify({ directory: root, ready, parts })];
    },
    ...Object.fromEntries(
      DOCUMENTS.map(([path]) => [
        `/${path}`,
        async () => ["text/plain", await readFile(join(root, path), "utf8")] as const,
      ]),
    ),
  };
  const answer = async (request: IncomingMessage): Promise<[number, string, string]> => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    if (pathname.startsWith("/playground/")) {
      const found = await answerPlayground(request, pathname, options);
      if (found !== undefined) return [found.status, found.type, found.body];
    } else if (Object.hasOwn(answers, pathname)) return [200, ...(await answers[pathname]!())];
    return [404, "text/plain", "Nothing here. Go to /.\n"];
  };
  const server = createServer((request, response) => {
    const send = (status: number, type: string, body: string): void =>
      void response
        .writeHead(status, {
          "content-type": `${type}; charset=utf-8`,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          // The page shows a token: no other page may frame it.
          "content-security-policy": `default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline' ${state.serverUrl}; connect-src 'self' ${state.serverUrl} ${state.serverUrl.replace("http", "ws")}; img-src 'self' data: ${state.serverUrl}; media-src ${state.serverUrl}; frame-ancestors 'none'`,
        })
        .end(body);
    answer(request).then(
      ([status, type, body]) => send(status, type, body),
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
