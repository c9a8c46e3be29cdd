import type { Browser, PageOptions } from "../browsers/browser.ts";
import { overflowIn, violationsIn } from "../pages/audit.ts";

interface PageFacts {
  anchors: string[];
  links: { path: string; anchor: string }[];
}

/** Of the page: its headings, and where its links lead within the site. */
const FACTS = `
  const within = [...document.links].filter((one) => one.href.startsWith(a));
  return {
    anchors: [...document.querySelectorAll("[id]")].map((one) => one.id),
    links: within.map((one) => ({ path: one.pathname.slice(1), anchor: decodeURIComponent(one.hash.slice(1)) })),
  };`;

/** Somebody who reads one page after the other, and looks where each link leads. */
export class Reader {
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
      const facts = await page.run<PageFacts>(FACTS, this.#url);
      this.#pages.set(path, facts);
      const paths = [...new Set(facts.links.map((link) => link.path))];
      const missing: string[] = [];
      for (const one of paths) if (!(await this.#isThere(one))) missing.push(one);
      const isWide = "return document.documentElement.scrollWidth > innerWidth;";
      const wide = (await page.run<boolean>(isWide)) ? await overflowIn(page, "page") : [];
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
    return [...this.#pages].flatMap(([path, { links }]) =>
      links
        .filter(
          (link) =>
            link.anchor !== "" &&
            this.#pages.get(link.path)?.anchors.includes(link.anchor) === false,
        )
        .map((link) => `${path} leads to ${link.path}#${link.anchor}, which is not there`),
    );
  }
}
