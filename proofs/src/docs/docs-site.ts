import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";

/** The site that `npm run docs` makes, behind a server that knows nothing but files. */
export interface DocsSite {
  url: string;
  playgroundUrl: string;
  close(): Promise<void>;
}

const ROOT = resolve(import.meta.dirname, "../../..");
const FILES = join(ROOT, "dist/docs");
const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

export async function buildDocs(): Promise<void> {
  await promisify(execFile)("npm", ["run", "--silent", "docs"], { cwd: ROOT });
}

/**
 * @param files other ones in their place, by path. For example `/playground/playground.json`, by
 *   which a site tells its playground where the service is.
 */
export async function openDocsSite(files: Record<string, string> = {}): Promise<DocsSite> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://docs");
    const name = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const body = Object.hasOwn(files, name)
      ? Promise.resolve(files[name])
      : readFile(join(FILES, name)).catch(() => undefined);
    void body.then((found) =>
      response
        .writeHead(found === undefined ? 404 : 200, {
          "content-type": `${TYPES[extname(name)] ?? "application/json"}; charset=utf-8`,
          "x-content-type-options": "nosniff",
        })
        .end(found),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    playgroundUrl: `${url}playground/index.html`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
