import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openBrowser } from "./browsers/browser.ts";
import type { PageOptions } from "./browsers/browser.ts";
import { inCall } from "./browsers/in-call.ts";
import { REFUSED_STATES, STATES } from "./pages/call-states.ts";
import { difference, sketch } from "./pictures/compare.ts";
import type { Sketch } from "./pictures/compare.ts";
import { compareWithReferences, MOST_DIFFERENT } from "./pictures/references.ts";
import { openCustomerSite, pageWith } from "./product/customer-site.ts";
import { openWholeProduct } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";

const VIEWS: [name: string, options: PageOptions][] = [
  ["desktop", {}],
  ["desktop-dark", { dark: true }],
  ["phone", { width: 390, height: 844 }],
  ["phone-dark", { width: 390, height: 844, dark: true }],
];
/** Shown in the documentation. */
const KEPT = ["desktop-notice", "desktop-slide", "desktop-dark-email", "phone-slide"];

const REFERENCES = join(import.meta.dirname, "pictures/references.json.gz");
const IMAGES = join(import.meta.dirname, "../../docs/images");

export default defineProof({
  covers: [],
  claims: {
    "call-looks-as-drawn": {
      promise:
        "The call looks as it was drawn: every state, on a desktop and a phone, light and dark",
      bound: `at most ${MOST_DIFFERENT * 100} % of a picture differ, a planted change is noticed`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const write = process.argv.includes("--write");
        const product = await openWholeProduct(onEnd);
        const site = await openCustomerSite({ "/": pageWith(product.server.url, product.agentId) });
        onEnd(() => site.close());
        const browser = await openBrowser("chromium");
        onEnd(() => browser.close());
        const table = await browser.newPage();
        const drawn = new Map<string, Sketch>();

        for (const [view, options] of VIEWS) {
          const page = await browser.newPage({ reducedMotion: true, ...options });
          const call = inCall(page);
          const take = async (state: string): Promise<void> => {
            const png = await page.screenshot();
            drawn.set(`${view}-${state}`, await sketch(table, png));
            if (write && KEPT.includes(`${view}-${state}`)) {
              await mkdir(IMAGES, { recursive: true });
              await writeFile(join(IMAGES, `call-${view}-${state}.png`), png);
            }
          };
          await page.goto(site.url);
          for (const [state, reach] of Object.entries(STATES)) {
            await reach(call, page);
            await take(state);
          }
          await page.goto(site.url);
          await REFUSED_STATES["trouble"]!(call, page);
          await take("trouble");
          await page.close();
        }
        const { wrong, most } = await compareWithReferences(drawn, REFERENCES, { write, say });
        const planted = difference(drawn.get("desktop-slide")!, drawn.get("desktop-ended")!);
        say(`control: another state differs by ${(planted * 100).toFixed(0)} %`);
        return {
          figure: `${wrong} of ${drawn.size} pictures differ, at most ${(most * 100).toFixed(1)} %`,
          ok: wrong === 0 && planted > MOST_DIFFERENT,
          engines: [browser.version],
        };
      },
    },
  },
});
