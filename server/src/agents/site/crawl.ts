import { gunzipSync } from "node:zlib";
import { decodeText } from "./charset.ts";
import { readDocument } from "./read-document.ts";
import type { ReadFile, SiteReader } from "./site-reader.ts";
import { hashOf } from "./site-state.ts";
import type { SitePage, SiteState } from "./site-state.ts";
import { isInScope, mayBeEndless, pageUrl, scopeOf, shapeOf } from "./site-urls.ts";
import type { SiteScope } from "./site-urls.ts";

export interface CrawlOptions {
  reader: SiteReader;
  /** Where the site begins, after redirects. */
  start: string;
  /** Filled as pages are read. Pages that are in it already are not read again. */
  state: SiteState;
  /** `2026-11-17`. */
  today: string;
  /** Pages of an earlier run: the site is asked only whether they have changed. */
  known?: ReadonlyMap<string, SitePage>;
  onPage(done: number, total: number): Promise<void> | void;
}

/** Links from the start. What is further away is a calendar or a list without end. */
const MAX_DEPTH = 8;
/** Pages whose addresses differ in numbers only. */
const MAX_OF_A_SHAPE = 60;
/** Pages that say the same but for numbers and months, before a calendar is taken for one. */
const MAX_ALIKE = 3;
/** A page with less says nothing. */
const LEAST_CHARACTERS = 40;
const MAX_SITEMAPS = 10;

/** Reads a site from its start and its sitemaps, the pages near the start first. */
export async function crawl(options: CrawlOptions): Promise<void> {
  const one = new Crawl(options);
  await one.run();
}

class Crawl {
  readonly #options: CrawlOptions;
  readonly #scope: SiteScope;
  readonly #waiting = new Map<string, number>();
  readonly #done = new Set<string>();
  readonly #byText = new Map<string, string>();
  readonly #shapes = new Map<string, { pages: number; alike: number; text: string }>();
  readonly #translations = new Map<string, string>();

  constructor(options: CrawlOptions) {
    this.#options = options;
    this.#scope = scopeOf(options.start);
    const { pages, left } = options.state;
    for (const { what } of left) this.#done.add(what);
    for (const page of pages) this.#taken(page);
  }

  async run(): Promise<void> {
    const { reader, start, state, onPage } = this.#options;
    this.#add(start, 0, start);
    for (const link of await this.#sitemapLinks()) this.#add(link, 1, start);
    for (let url = this.#next(); url !== undefined; url = this.#next()) {
      const depth = this.#waiting.get(url)!;
      this.#waiting.delete(url);
      this.#done.add(url);
      const why = await this.#visit(url, depth);
      if (why !== undefined) state.left.push({ what: url, why });
      const total = Math.min(state.maxPages, state.pages.length + this.#waiting.size);
      await onPage(state.pages.length, Math.max(total, state.pages.length + 1));
      // A site that answers nothing useful is not asked forever.
      if (state.left.length > state.maxPages * 2 + 50) break;
    }
    for (const url of this.#waiting.keys())
      if (reader.isOnSite(url))
        state.left.push({ what: url, why: `beyond ${state.maxPages} pages` });
    state.isComplete = true;
  }

  #next(): string | undefined {
    if (this.#options.state.pages.length >= this.#options.state.maxPages) return undefined;
    let best: string | undefined;
    let least = Infinity;
    for (const [url, depth] of this.#waiting) {
      const weight = depth * 1_000 + url.length;
      if (weight < least) [best, least] = [url, weight];
    }
    return best;
  }

  /** @returns why the page is left out, if it is */
  async #visit(url: string, depth: number): Promise<string | undefined> {
    const translated = this.#translations.get(url);
    if (translated !== undefined) return `is a translation of ${translated}`;
    const endless = this.#isEndless(url);
    if (endless) return "one of a series without end";
    const { reader, known, state } = this.#options;
    const before = known?.get(url);
    const outcome = await reader.read(url, before?.seen);
    if (outcome.kind === "left") return outcome.why;
    if (outcome.kind === "unchanged") {
      if (before === undefined) return "has no text";
      this.#keep({ ...before, depth });
      return undefined;
    }
    const at = pageUrl(outcome.url, url) ?? url;
    if (at !== url && this.#done.has(at)) return `leads to ${at}`;
    if (!isInScope(at, this.#scope)) return "leads out of what was asked for";
    this.#done.add(at);
    return this.#take(at, depth, outcome, state);
  }

  async #take(
    url: string,
    depth: number,
    file: ReadFile,
    state: SiteState,
  ): Promise<string | undefined> {
    const { document, why } = await readDocument(file.bytes, file.contentType, url);
    if (document === undefined) return why;
    const { html, left } = document;
    for (const text of left) state.left.push({ what: url, why: text });
    const links = (html?.links ?? []).flatMap((link) => pageUrl(link, url) ?? []);
    const followed =
      html?.mayBeFollowed === false || /nofollow|none/i.test(file.robots)
        ? []
        : [...new Set(links)];
    for (const link of followed) this.#add(link, depth + 1, url);
    if (html?.mayBeKept === false || /noindex|none/i.test(file.robots))
      return "asks not to be indexed";
    if (state.pages.length === 0 && html !== undefined) state.look = html.look;
    const original = this.#originalOf(url, document.language, html?.alternates ?? []);
    if (original !== undefined) return `is a translation of ${original}`;
    const text = document.blocks.join("\n");
    if (text.length < LEAST_CHARACTERS) return "has no text";
    const same = this.#byText.get(hashOf(text));
    if (same !== undefined) return `says the same as ${same}`;
    this.#keep({
      url,
      title: document.title,
      readOn: this.#options.today,
      blocks: document.blocks,
      language: document.language,
      links: followed.filter((link) => isInScope(link, this.#scope)),
      depth,
      seen: file.seen,
      tables: html?.tables ?? [],
      places: html?.places ?? [],
    });
    return undefined;
  }

  #keep(page: SitePage): void {
    this.#options.state.pages.push(page);
    this.#taken(page);
  }

  /** Notes what later pages are compared with. */
  #taken({ url, blocks, links, depth }: SitePage): void {
    this.#done.add(url);
    this.#waiting.delete(url);
    const text = blocks.join("\n");
    this.#byText.set(hashOf(text), url);
    const shape = this.#shapes.get(shapeOf(url)) ?? { pages: 0, alike: 0, text: "" };
    const plain = withoutDates(text);
    this.#shapes.set(shapeOf(url), {
      pages: shape.pages + 1,
      alike: shape.alike + Number(plain === shape.text),
      text: plain,
    });
    for (const link of links) this.#add(link, depth + 1, url);
  }

  #isEndless(url: string): boolean {
    const shape = this.#shapes.get(shapeOf(url));
    if (shape === undefined) return false;
    const isNumbered = shapeOf(url) !== `${new URL(url).pathname}?`;
    return (
      (isNumbered && shape.pages >= MAX_OF_A_SHAPE) ||
      (mayBeEndless(url) && shape.alike >= MAX_ALIKE - 1)
    );
  }

  /** Notes a page's translations; returns the page in the site's own language where this is one of them. */
  #originalOf(
    url: string,
    language: string | undefined,
    alternates: { language: string; link: string }[],
  ): string | undefined {
    const { state } = this.#options;
    const offered = alternates.flatMap(({ language: code, link }) => {
      const at = pageUrl(link, url);
      return at === undefined || code === "x-default" ? [] : [{ code, at }];
    });
    for (const code of [language, ...offered.map((one) => one.code)])
      if (code !== undefined && !state.languages.includes(code)) state.languages.push(code);
    const main = state.languages[0];
    const original = offered.find(({ code }) => main !== undefined && isSame(code, main));
    if (original === undefined) return undefined;
    for (const { code, at } of offered)
      if (!isSame(code, main!) && at !== original.at) this.#translations.set(at, original.at);
    if (original.at === url || (language !== undefined && isSame(language, main!)))
      return undefined;
    this.#add(original.at, 1, url);
    return original.at;
  }

  #add(link: string, depth: number, base: string): void {
    const url = pageUrl(link, base);
    if (url === undefined || depth > MAX_DEPTH || this.#done.has(url)) return;
    if (!isInScope(url, this.#scope)) return;
    this.#waiting.set(url, Math.min(depth, this.#waiting.get(url) ?? Infinity));
  }

  async #sitemapLinks(): Promise<string[]> {
    const { reader, start } = this.#options;
    const named = reader.sitemaps.length > 0 ? reader.sitemaps : ["/sitemap.xml"];
    const waiting = named.flatMap((one) => URL.parse(one, start)?.href ?? []);
    const links: string[] = [];
    for (let read = 0; waiting.length > 0 && read < MAX_SITEMAPS; read++) {
      const outcome = await reader.read(waiting.shift()!);
      if (outcome.kind !== "read") continue;
      const text = sitemapText(outcome);
      const found = [...text.matchAll(/<loc>\s*(?:<!\[CDATA\[)?([^<\]]+)/g)].map(([, address]) =>
        address!.trim().replaceAll("&amp;", "&"),
      );
      if (/<sitemapindex/i.test(text)) waiting.push(...found);
      else links.push(...found);
    }
    return links;
  }
}

function sitemapText({ bytes, contentType }: ReadFile): string {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    const plain = isPacked ? gunzipSync(bytes, { maxOutputLength: 20_000_000 }) : bytes;
    return decodeText(plain, contentType);
  } catch {
    return "";
  }
}

function isSame(code: string, other: string): boolean {
  return code.split("-", 1)[0]!.toLowerCase() === other.split("-", 1)[0]!.toLowerCase();
}

/** The names of months and weekdays in the built-in languages: a calendar's pages differ in nothing else. */
const DATES = new RegExp(
  ["en", "de", "fr", "es"]
    .flatMap((language) =>
      Array.from({ length: 12 }, (_, month) =>
        (["long", "short"] as const).flatMap((length) => [
          new Intl.DateTimeFormat(language, { month: length }).format(
            new Date(2024, month, month + 1),
          ),
          new Intl.DateTimeFormat(language, { weekday: length }).format(
            new Date(2024, 0, month + 1),
          ),
        ]),
      ),
    )
    .flat()
    .toSorted((a, b) => b.length - a.length)
    .join("|")
    .replaceAll(".", "\\."),
  "giu",
);

function withoutDates(text: string): string {
  return text.replaceAll(DATES, "").replaceAll(/\d+/g, "0");
}
