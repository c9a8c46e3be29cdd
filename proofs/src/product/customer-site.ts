import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "../browsers/browser.ts";

/** A customer's website, on an origin of its own. */
export interface CustomerSite {
  url: string;
  close(): Promise<void>;
}

/** @param pages by their path; `headers` go with all of them. */
export async function openCustomerSite(
  pages: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<CustomerSite> {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url ?? "/", "http://site").pathname];
    const type = request.url?.endsWith(".js") ? "text/javascript" : "text/html";
    response
      .writeHead(page === undefined ? 404 : 200, {
        "content-type": `${type}; charset=utf-8`,
        ...headers,
      })
      .end(page ?? "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A page that a person could have written, with the SDK on it. */
export function pageWith(sdkUrl: string, agentId: string, body = "", before = ""): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>A shop</title>
    <link rel="icon" href="data:,">
    <script>window.SvcConfig = { agentId: ${JSON.stringify(agentId)} };</script>
    ${before}
    <script async id="svc-sdk" src="${sdkUrl}/sdk/sdk.js"></script>
  </head>
  <body>
    <main>
      <h1>A shop</h1>
      <button id="start" onclick="Svc.startDemo().then((result) => { window.result = result; })">Talk to an agent</button>
      ${body}
    </main>
  </body>
</html>`;
}

/** Waits until the SDK is on the page. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.run(async () => {
    while (!globalThis.Svc?.version) await new Promise((resume) => setTimeout(resume, 10));
  });
}
