import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";

/** Somebody's documentation, with the playground's files in a folder of it and nothing that runs behind them. */
export interface DocsSite {
  url: string;
  close(): Promise<void>;
}

const FILES = resolve(import.meta.dirname, "../../../sdk/playground");
const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

/** @param configuration what stands in playground.json; without it there is no such file. */
export async function openDocsSite(configuration?: object): Promise<DocsSite> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://docs");
    const name = pathname === "/" ? "/index.html" : pathname;
    const body =
      name === "/playground.json"
        ? Promise.resolve(configuration && JSON.stringify(configuration))
        : readFile(join(FILES, name)).catch(() => undefined);
    void body.then((found) =>
      response
        .writeHead(found === undefined ? 404 : 200, {
          "content-type": TYPES[extname(name)] ?? "application/json",
          "x-content-type-options": "nosniff",
        })
        .end(found),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
