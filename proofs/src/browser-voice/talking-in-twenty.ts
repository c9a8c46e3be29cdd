import { count } from "../runner/figures.ts";
import type { Page } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import type { Claim } from "../runner/proof.ts";
import { openVoiceProduct } from "../voice/voice-product.ts";
import { openTalkingBrowser } from "./talking-browser.ts";
import { openTalkingSite } from "./talking-site.ts";

const MAX_BYTES = 20_000;
const HEARD_WITHIN_MS = 10_000;
/** Without one of these nobody talks in German. */
const NEEDED = ["sdk", "call", "strings-de", "sound", "worklets"];

export const talkingInTwenty: Claim = {
  promise: "A visitor hears the agent after less than 20 KB of downloads",
  bound: `≤ ${count(MAX_BYTES)} bytes of all that is fetched from the page's start to the first sound, in German`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ say, onEnd }) => {
    const product = await openVoiceProduct(onEnd, { ears: "scripted", voice: "tone" });
    const site = await openTalkingSite(onEnd, product, { language: "de" });
    const place = await openTalkingBrowser(onEnd);

    /** What comes from the service until the agent is heard. */
    async function hear(how: { isCompressed: boolean }): Promise<Transfer[]> {
      const { browser, headset } = place;
      const page = await browser.newPage();
      const call = inCall(page);
      const transfers = await watchTransfers(page, product.server.url);
      if (!how.isCompressed) {
        await page.devtools("Network.setExtraHTTPHeaders", {
          headers: { "accept-encoding": "identity" },
        });
        await page.devtools("Network.setCacheDisabled", { cacheDisabled: true });
      }
      await site.enter(page);
      await call.click("#start");
      await call.see("dialog button", "Sprechen");
      const firstSound = headset.untilLoud(HEARD_WITHIN_MS);
      await call.click("dialog button", "Sprechen");
      const heardAt = await firstSound;
      await call.end();
      await page.close();
      return transfers.filter(({ startedAt }) => startedAt < heardAt);
    }

    const transfers = await hear({ isCompressed: true });
    for (const { name, bodyBytes, headBytes } of transfers) {
      say(`${name.padEnd(34)} ${bodyBytes} bytes and ${headBytes} of headers`);
    }
    const missing = NEEDED.filter((name) =>
      transfers.every((one) => !one.name.startsWith(`${name}.`) || one.bodyBytes === 0),
    );
    for (const name of missing) say(`${name} was not seen`);
    const plain = bytesOf(await hear({ isCompressed: false }));
    say(`control: to a browser that knows no compression ${count(plain)} bytes come`);

    const bytes = bytesOf(transfers);
    return {
      figure: `${count(bytes)} bytes`,
      ok: bytes <= MAX_BYTES && missing.length === 0 && plain > MAX_BYTES,
      engines: [place.browser.version],
    };
  },
};

function bytesOf(transfers: readonly Transfer[]): number {
  return transfers.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
}

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
async function watchTransfers(page: Page, url: string): Promise<readonly Transfer[]> {
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
