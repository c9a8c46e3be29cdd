import { openTalkingBrowser } from "./browser-voice/talking-browser.ts";
import { openTalkingSite } from "./browser-voice/talking-site.ts";
import { watchTransfers } from "./browser-voice/watch-transfers.ts";
import type { Transfer } from "./browser-voice/watch-transfers.ts";
import { inCall } from "./browsers/in-call.ts";
import { defineProof } from "./runner/proof.ts";
import { openVoiceProduct } from "./voice/voice-product.ts";

const MAX_BYTES = 20_000;
const HEARD_WITHIN_MS = 10_000;
/** Without one of these nobody talks in German. */
const NEEDED = ["sdk", "call", "strings-de", "sound", "worklets"];

export default defineProof({
  covers: [],
  claims: {
    "talking-in-twenty": {
      promise: "A visitor hears the agent before twenty kilobytes have come",
      bound: `≤ ${inThousands(MAX_BYTES)} bytes of all that is fetched from the page's start to the first sound, in German`,
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
          await call.click("button.end");
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
        say(`control: to a browser that knows no compression ${inThousands(plain)} bytes come`);

        const bytes = bytesOf(transfers);
        return {
          figure: `${inThousands(bytes)} bytes`,
          ok: bytes <= MAX_BYTES && missing.length === 0 && plain > MAX_BYTES,
          engines: [place.browser.version],
        };
      },
    },
  },
});

function inThousands(bytes: number): string {
  return bytes.toLocaleString("en");
}

function bytesOf(transfers: readonly Transfer[]): number {
  return transfers.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
}
