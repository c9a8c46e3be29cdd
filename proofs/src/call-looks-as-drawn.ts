import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { openBrowser } from "./browsers/browser.ts";
import type { PageOptions } from "./browsers/browser.ts";
import { inCall } from "./browsers/in-call.ts";
import { reachTrouble, STATES } from "./everyone/states.ts";
import { decode, difference, encode, sketch } from "./pictures/compare.ts";
import type { Sketch } from "./pictures/compare.ts";
import { openCustomerSite, pageWith } from "./product/customer-site.ts";
import { openWholeProduct } from "./product/whole-product.ts";
import { proof } from "./runner/proof.ts";

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
/** Another version of a font moves a few letters. */
const MOST_DIFFERENT = 0.06;

await proof(
  {
    promise:
      "The call looks as it was drawn: every state, on a desktop and a phone, light and dark",
    bound: `at most ${MOST_DIFFERENT * 100} % of a picture differ, a planted change is noticed`,
    timeLimitSecs: { quick: 90 },
  },
  async ({ say, onEnd }) => {
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
      for (const state of STATES) {
        await state.reach(call, page);
        await take(state.name);
      }
      await page.goto(site.url);
      await reachTrouble(call, page);
      await take("trouble");
      await page.close();
    }
    if (write) {
      const all = Object.fromEntries([...drawn].map(([name, picture]) => [name, encode(picture)]));
      await writeFile(REFERENCES, gzipSync(JSON.stringify(all), { level: 9 }));
    }

    const references = existsSync(REFERENCES)
      ? (JSON.parse(gunzipSync(await readFile(REFERENCES)).toString()) as Record<string, string>)
      : {};
    const differences = [...drawn].map(([name, picture]) => {
      const reference = references[name];
      return [name, reference === undefined ? 1 : difference(decode(reference), picture)] as const;
    });
    const wrong = differences.filter(([, share]) => share > MOST_DIFFERENT);
    for (const [name, share] of wrong) say(`${name}: ${(share * 100).toFixed(1)} % differ`);
    const most = Math.max(...differences.map(([, share]) => share));
    const planted = difference(drawn.get("desktop-slide")!, drawn.get("desktop-ended")!);
    say(`control: another state differs by ${(planted * 100).toFixed(0)} %`);
    return {
      figure: `${wrong.length} of ${drawn.size} pictures differ, at most ${(most * 100).toFixed(1)} %`,
      ok: wrong.length === 0 && planted > MOST_DIFFERENT,
      engines: [browser.version],
    };
  },
);
