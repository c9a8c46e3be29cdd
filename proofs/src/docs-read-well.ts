import { setTimeout as delay } from "node:timers/promises";
import { openBrowser } from "./browsers/browser.ts";
import type { Browser, PageOptions } from "./browsers/browser.ts";
import { buildDocs, openDocsSite } from "./docs/docs-site.ts";
import { Reader } from "./docs/reader.ts";
import { violationsIn } from "./pages/audit.ts";
import { defineProof } from "./runner/proof.ts";

/** By turns; with `--full` each page both ways. */
const SCREENS: (PageOptions & { name: string })[] = [
  { name: "desktop, light", width: 1440, height: 900 },
  { name: "phone, dark", width: 390, height: 844, dark: true },
];
const FIRST_PAGE = "index.html";
/** Has every fault that is looked for. */
const PLANTED = {
  "/planted.html": `<!doctype html><html lang="en"><title>Planted</title>
    <main><h1>Planted</h1><p style="color: #999">Pale</p><div style="width: 2000px">Wide</div>
    <a href="no-such-page.html">x</a><a href="index.html#no-such-heading">y</a><script>throw new Error("broken")</script></main></html>`,
};

export default defineProof({
  covers: [],
  claims: {
    "docs-read-well": {
      promise:
        "The documents' site has no dead link, reads well on a desktop and a phone, in light and dark, by anybody, and finds what is looked for",
      bound: "0 faults on all pages, a page with every fault is noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, progress, onEnd }) => {
        await buildDocs();
        const site = await openDocsSite(PLANTED);
        onEnd(() => site.close());
        const browser = await openBrowser("chromium");
        onEnd(() => browser.close());
        const reader = new Reader(browser, site.url);

        // As a stranger walks through it: from the first page to all that it leads to, and on.
        const walked = [FIRST_PAGE];
        const faults: string[] = [];
        for (const path of walked) {
          const index = walked.indexOf(path);
          const screens = full ? SCREENS : [SCREENS[index % SCREENS.length]!];
          for (const screen of screens) {
            const found = await reader.read(path, screen);
            faults.push(...found.faults.map((fault) => `${path}, ${screen.name}: ${fault}`));
            walked.push(...found.leadsTo.filter((next) => !walked.includes(next)));
          }
          progress(index + 1, walked.length, "pages");
        }
        faults.push(...reader.deadAnchors());
        faults.push(...(await searchByKeyboard(browser, site.url)));
        for (const fault of faults.slice(0, 20)) say(`fault: ${fault}`);

        const planted = new Reader(browser, site.url);
        const seen = await planted.read("planted.html", SCREENS[1]!);
        await planted.read(FIRST_PAGE, SCREENS[0]!);
        const noticed = [...seen.faults, ...planted.deadAnchors()];
        const kinds = ["broken", "color-contrast", "sideways", "no-such-page", "no-such-heading"];
        const missed = kinds.filter((kind) => !noticed.some((fault) => fault.includes(kind)));
        say(
          `planted: ${kinds.length - missed.length} of ${kinds.length} faults noticed ${missed.join()}`,
        );
        return {
          figure: `${faults.length} faults on ${walked.length} pages`,
          ok: faults.length === 0 && missed.length === 0 && walked.length > 50,
          size: `${walked.length} pages`,
          engines: [browser.version],
        };
      },
    },
  },
});

/** Somebody without a pointer looks for something. */
async function searchByKeyboard(browser: Browser, url: string): Promise<string[]> {
  const page = await browser.newPage(SCREENS[0]);
  await page.goto(url + FIRST_PAGE);
  await page.type("/");
  await page.type("rotate secret");
  const found = `return document.querySelectorAll("#found a").length;`;
  for (let tries = 0; (await page.run<number>(found)) === 0 && tries < 60; tries++) await delay(50);
  const faults = (await violationsIn(page)).map((fault) => `search: ${fault}`);
  await page.press("Enter");
  await delay(500);
  const heading = await page.run<string>(
    `return document.querySelector(":target")?.textContent ?? document.title;`,
  );
  await page.close();
  return /rotate|secret/i.test(heading) ? faults : [...faults, `search: led to "${heading}"`];
}
