import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import type { LiveState } from "./live-state.ts";
import { DOCUMENTS, renderStartPage } from "./start-page.ts";

/** Serves the start page, its live state, and the documents it links to. */
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
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    const answer = Object.hasOwn(answers, pathname) ? answers[pathname] : undefined;
    const send = (status: number, type: string, body: string): void =>
      void response
        .writeHead(status, {
          "content-type": `${type}; charset=utf-8`,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          // The page shows a token: no other page may frame it.
          "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' ${state.serverUrl}; connect-src 'self' ${state.serverUrl} ${state.serverUrl.replace("http", "ws")}; img-src data: ${state.serverUrl}; media-src ${state.serverUrl}; frame-ancestors 'none'`,
        })
        .end(body);
    if (answer === undefined) return send(404, "text/plain", "Nothing here. Go to /.\n");
    answer().then(
      ([type, body]) => send(200, type, body),
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
