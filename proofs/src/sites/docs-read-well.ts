import { setTimeout as delay } from "node:timers/promises";
import type { Browser, PageOptions } from "../browsers/browser.ts";
import { overflowIn, violationsIn } from "../pages/audit.ts";
import type { Claim } from "../runner/proof.ts";
import type { SiteStage } from "./site-stage.ts";

/** By turns; with `--full` each page on both. */
const DESKTOP = { name: "desktop, light", width: 1440, height: 900 };
const PHONE = { name: "phone, dark", width: 390, height: 844, dark: true };
const FIRST_PAGE = "index.html";
/** Has every fault that is looked for. */
const PLANTED = {
  "/planted.html": `<!doctype html><html lang="en"><title>Planted</title>
    <main><h1>Planted</h1><p style="color: #999">Pale</p><div style="width: 2000px">Wide</div>
    <a href="no-such-page.html">x</a><a href="index.html#no-such-heading">y</a><script>throw new Error("broken")</script></main></html>`,
};
const PLANTED_KINDS = ["broken", "color-contrast", "sideways", "no-such-page", "no-such-heading"];

export const docsReadWell: Claim<SiteStage> = {
  promise:
    "The documents' site has no dead link, reads well on a desktop and a phone, in light and dark, by anybody, and finds what is looked for",
  bound: "0 faults on all pages, a page with every fault is noticed",
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  async prove({ full, say, progress, onEnd }, { browser, serve }) {
    const url = await serve(onEnd, PLANTED);
    const reader = new Reader(browser, url);
    // As a stranger walks through it: from the first page to all that it leads to, and on.
    const walked = [FIRST_PAGE];
    const faults: string[] = [];
    for (const path of walked) {
      const index = walked.indexOf(path);
      const screens = full ? [DESKTOP, PHONE] : [index % 2 === 0 ? DESKTOP : PHONE];
      for (const screen of screens) {
        const found = await reader.read(path, screen);
        faults.push(...found.faults.map((fault) => `${path}, ${screen.name}: ${fault}`));
        walked.push(...found.leadsTo.filter((next) => !walked.includes(next)));
      }
      progress(index + 1, walked.length, "pages");
    }
    faults.push(...reader.deadAnchors(), ...(await searchByKeyboard(browser, url)));
    for (const fault of faults.slice(0, 20)) say(`fault: ${fault}`);

    const control = new Reader(browser, url);
    const { faults: planted } = await control.read("planted.html", PHONE);
    await control.read(FIRST_PAGE, DESKTOP);
    const noticed = [...planted, ...control.deadAnchors()];
    const missed = PLANTED_KINDS.filter((kind) => !noticed.some((fault) => fault.includes(kind)));
    say(
      `control: of ${PLANTED_KINDS.length} planted faults ${missed.length} are missed ${missed.join()}`,
    );
    return {
      figure: `${faults.length} faults on ${walked.length} pages`,
      ok: faults.length === 0 && missed.length === 0 && walked.length > 50,
      size: `${walked.length} pages`,
      engines: [browser.version],
    };
  },
};

interface PageFacts {
  anchors: string[];
  /** Where its links lead within the site. */
  links: { path: string; anchor: string }[];
}

/** Reads one page after the other, and looks where each link leads. */
class Reader {
  readonly #browser: Browser;
  readonly #url: string;
  readonly #pages = new Map<string, PageFacts>();
  readonly #there = new Map<string, boolean>();

  constructor(browser: Browser, url: string) {
    this.#browser = browser;
    this.#url = url;
  }

  /** What is wrong with a page, and the pages that it leads to. */
  async read(path: string, screen: PageOptions): Promise<{ faults: string[]; leadsTo: string[] }> {
    const page = await this.#browser.newPage(screen);
    try {
      await page.goto(this.#url + path);
      const facts = await page.run(factsOf, this.#url);
      this.#pages.set(path, facts);
      const paths = [...new Set(facts.links.map((link) => link.path))];
      const missing: string[] = [];
      for (const one of paths) if (!(await this.#isThere(one))) missing.push(one);
      const isWide = await page.run(() => document.documentElement.scrollWidth > innerWidth);
      const wide = isWide ? await overflowIn(page, "page") : [];
      return {
        faults: [
          ...page.said(),
          ...(await violationsIn(page)),
          ...wide.slice(0, 3).map((one) => `must be scrolled sideways for ${one}`),
          ...missing.map((one) => `leads to ${one}, which is not there`),
        ],
        leadsTo: paths.filter(
          (one) =>
            one.endsWith(".html") && !one.startsWith("playground/") && !missing.includes(one),
        ),
      };
    } finally {
      await page.close();
    }
  }

  async #isThere(path: string): Promise<boolean> {
    const known = this.#there.get(path);
    if (known !== undefined) return known;
    const { ok } = await fetch(this.#url + path, { method: "HEAD" });
    this.#there.set(path, ok);
    return ok;
  }

  /** Links to a heading that the page does not have, among the pages that were read. */
  deadAnchors(): string[] {
    return [...this.#pages].flatMap(([from, { links }]) =>
      links
        .filter(({ anchor }) => anchor !== "")
        .filter(({ path, anchor }) => this.#pages.get(path)?.anchors.includes(anchor) === false)
        .map(({ path, anchor }) => `${from} leads to ${path}#${anchor}, which is not there`),
    );
  }
}

/** Runs in the page. */
function factsOf(siteUrl: string): PageFacts {
  const within = [...document.links].filter(({ href }) => href.startsWith(siteUrl));
  return {
    anchors: Array.from(document.querySelectorAll("[id]"), ({ id }) => id),
    links: within.map(({ pathname, hash }) => ({
      path: pathname.slice(1),
      anchor: decodeURIComponent(hash.slice(1)),
    })),
  };
}

/** Somebody without a pointer looks for something. */
async function searchByKeyboard(browser: Browser, url: string): Promise<string[]> {
  const page = await browser.newPage(DESKTOP);
  await page.goto(url + FIRST_PAGE);
  await page.type("/");
  await page.type("rotate secret");
  const isFound = (): Promise<boolean> =>
    page.run(() => document.querySelector("#found a") !== null);
  for (let tries = 0; !(await isFound()) && tries < 60; tries++) await delay(50);
  const faults = (await violationsIn(page)).map((fault) => `search: ${fault}`);
  await page.press("Enter");
  await delay(500);
  const heading = await page.run(
    () => document.querySelector(":target")?.textContent ?? document.title,
  );
  await page.close();
  return /rotate|secret/i.test(heading) ? faults : [...faults, `search: led to "${heading}"`];
}
