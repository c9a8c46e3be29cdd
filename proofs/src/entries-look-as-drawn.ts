import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openBrowser } from "./browsers/browser.ts";
import type { PageOptions } from "./browsers/browser.ts";
import { ENTRIES, PAGES } from "./entries/pages.ts";
import { difference, sketch } from "./pictures/compare.ts";
import type { Sketch } from "./pictures/compare.ts";
import { compareWithReferences, MOST_DIFFERENT } from "./pictures/references.ts";
import { openCustomerSite } from "./product/customer-site.ts";
import { buildSdk, SDK_FILES } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";

const VIEWS: [name: string, options: PageOptions, page: string][] = [
  ["plain", {}, "plain"],
  ["plain-dark", { dark: true }, "plain"],
  ["bank", {}, "bank"],
  ["marketing", {}, "marketing"],
  ["phone", { width: 390, height: 844 }, "plain"],
];
const REFERENCES = join(import.meta.dirname, "entries/references.json.gz");
/** Where it is, with a little of the page around it: of a whole page it would be a few points. */
const AROUND = `
  const one = [...document.body.children].find((host) => host.shadowRoot)?.shadowRoot.querySelector(".box") ?? document.querySelector(".svc-hero-root");
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const x = Math.max(0, left - 24), y = Math.max(0, top - 24);
  return { x, y, width: Math.min(innerWidth, right + 24) - x, height: Math.min(innerHeight, bottom + 24) - y };`;

export default defineProof({
  covers: [],
  claims: {
    "entries-look-as-drawn": {
      promise:
        "Widget and hero look as they were drawn: every position and state, on a plain page, a bank's and a busy one",
      bound: `at most ${MOST_DIFFERENT * 100} % of a picture differ, a planted change is noticed`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const write = process.argv.includes("--write");
        const folder = process.argv.find((word) => word.startsWith("--to="))?.slice(5);
        const built = await buildSdk();
        const script = await readFile(join(SDK_FILES, "sdk.js"), "utf8");
        const pages = Object.entries(PAGES).map(([name, body]) => [
          `/${name}`,
          `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>x</title><body>${body}<script>window.SvcConfig = { agentId: "agent_x" };</script><script>${script}</script></body></html>`,
        ]);
        // What checks a form lies beside the script.
        const form = built.find((name) => name.startsWith("form."))!;
        pages.push([`/${form}`, await readFile(join(SDK_FILES, form), "utf8")]);
        const site = await openCustomerSite(Object.fromEntries(pages));
        onEnd(() => site.close());
        const browser = await openBrowser("chromium");
        onEnd(() => browser.close());
        const table = await browser.newPage();
        const drawn = new Map<string, Sketch>();
        for (const [view, options, path] of VIEWS) {
          const page = await browser.newPage({ reducedMotion: true, ...options });
          for (const [entry, open] of ENTRIES) {
            await page.goto(`${site.url}/${path}`);
            await page.run(
              `localStorage.clear(); return (async () => { ${open} return true; })();`,
            );
            await delay(60);
            const png = await page.screenshot(await page.run(AROUND));
            if (folder !== undefined) await writeFile(join(folder, `${view}-${entry}.png`), png);
            drawn.set(`${view}-${entry}`, await sketch(table, png));
          }
          await page.close();
        }
        const { wrong, most } = await compareWithReferences(drawn, REFERENCES, { write, say });
        const planted = difference(
          drawn.get("plain-widget-form")!,
          drawn.get("bank-widget-error")!,
        );
        say(`control: the same form with an error differs by ${(planted * 100).toFixed(0)} %`);
        return {
          figure: `${wrong} of ${drawn.size} pictures differ, at most ${(most * 100).toFixed(1)} %`,
          ok: wrong === 0 && planted > MOST_DIFFERENT,
          engines: [browser.version],
        };
      },
    },
  },
});
