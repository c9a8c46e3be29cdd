import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import { docsSite } from "../docs-site/site.ts";
import { contentTypeOf } from "./content-type.ts";
import type { LiveState } from "./live-state.ts";
import { answerPlayground } from "./playground.ts";
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
    // Links in there count from the folder.
    if (["/docs", "/playground", "/docs/playground"].includes(pathname)) {
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
          "content-security-policy": `default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline' ${state.serverUrl}; connect-src 'self' ${state.serverUrl} ${state.serverUrl.replace("http", "ws")}; img-src 'self' data: ${state.serverUrl}; media-src ${state.serverUrl}; frame-ancestors 'none'`,
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
