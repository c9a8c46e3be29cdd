import type { Page } from "../browsers/browser.ts";

/** An answer of the service as it came over the network. From the browser's cache: no bytes. */
export interface Transfer {
  /** The last part of its address. */
  name: string;
  startedAt: number;
  /** As they were sent, compressed or not. */
  bodyBytes: number;
  headBytes: number;
}

/** Keeps what a page fetches from an address, from now on. Sockets are not among it. */
export async function watchTransfers(page: Page, url: string): Promise<readonly Transfer[]> {
  const transfers: Transfer[] = [];
  const byRequest = new Map<string, Transfer>();
  await page.devtools("Network.enable");
  await page.onDevtools<{ requestId: string; request: { url: string } }>(
    "Network.requestWillBeSent",
    ({ requestId, request }) => {
      if (!request.url.startsWith(url)) return;
      const name = new URL(request.url).pathname.split("/").at(-1) ?? "";
      const transfer = { name, startedAt: performance.now(), bodyBytes: 0, headBytes: 0 };
      transfers.push(transfer);
      byRequest.set(requestId, transfer);
    },
  );
  await page.onDevtools<{ requestId: string; response: { encodedDataLength: number } }>(
    "Network.responseReceived",
    ({ requestId, response }) => {
      const transfer = byRequest.get(requestId);
      if (transfer !== undefined) transfer.headBytes = response.encodedDataLength;
    },
  );
  await page.onDevtools<{ requestId: string; encodedDataLength: number }>(
    "Network.loadingFinished",
    ({ requestId, encodedDataLength }) => {
      const transfer = byRequest.get(requestId);
      if (transfer !== undefined) {
        transfer.bodyBytes = Math.max(0, encodedDataLength - transfer.headBytes);
      }
    },
  );
  return transfers;
}
