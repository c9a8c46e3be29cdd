import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { openBrowser } from "../browsers/browser.ts";
import type { Browser } from "../browsers/browser.ts";
import type { Tools } from "../runner/proof.ts";

/** The documents' site, and a browser to look at it. */
export interface SiteStage {
  browser: Browser;
  /**
   * Serves the site as plain files. Returns its address.
   * @param files other ones in their place, by path. For example `/playground/playground.json`, by
   *   which a site tells its playground where the service is.
   */
  serve(onEnd: Tools["onEnd"], files?: Record<string, string>): Promise<string>;
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

export async function openSiteStage({ onEnd }: Pick<Tools, "onEnd">): Promise<SiteStage> {
  await promisify(execFile)("npm", ["run", "--silent", "docs"], { cwd: ROOT });
  const browser = await openBrowser("chromium");
  onEnd(() => browser.close());
  return { browser, serve };
}

const serve: SiteStage["serve"] = async (onEnd, files = {}) => {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://docs");
    const name = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const body = Object.hasOwn(files, name)
      ? files[name]
      : await readFile(join(FILES, name)).catch(() => undefined);
    response
      .writeHead(body === undefined ? 404 : 200, {
        "content-type": `${TYPES[extname(name)] ?? "application/json"}; charset=utf-8`,
        "x-content-type-options": "nosniff",
      })
      .end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onEnd(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};
