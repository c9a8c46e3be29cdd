import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import type { DomDocument, DomElement } from "linkedom";
import { removeHidden } from "./hidden-text.ts";
import { headingText, tableRows, textOf, toMarkdown } from "./to-markdown.ts";

/** What one page says to its visitors, and to those who read it by machine. */
export interface HtmlPage {
  title: string;
  /** Markdown, a block each. */
  blocks: string[];
  language: string | undefined;
  /** As they stand in the page. */
  links: string[];
  canonical: string | undefined;
  /** The same page in other languages. */
  alternates: { language: string; link: string }[];
  mayBeKept: boolean;
  mayBeFollowed: boolean;
  tables: { title: string; rows: string[][] }[];
  places: { selector: string; caption: string }[];
  look: PageLook;
}

/** What a page tells of the brand. */
export interface PageLook {
  names: string[];
  colours: string[];
  /** Pictures that may be the logo, the likeliest first. */
  logos: string[];
  stylesheets: string[];
}

const CHROME =
  "nav, header, footer, aside, form, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=complementary]";
/** Readability is made for articles. Where it keeps less of the text than this, the page is none, such as a list of prices. */
const ARTICLE_SHARE = 0.9;

export function readHtml(html: string): HtmlPage {
  const { document } = parseHTML(withBody(html));
  const head = readHead(document);
  removeHidden(document);
  const heading = [...document.querySelectorAll("h1")].map(headingText).find((text) => text !== "");
  const main = mainBlocks(document);
  const title = heading ?? (document.title.trim() || main[0] || "");
  const root = document.body;
  return {
    ...head,
    title: title.replaceAll(/\s+/g, " ").slice(0, 120),
    blocks: main.filter((block) => block !== `## ${title}`),
    tables: [...root.querySelectorAll("table")].flatMap((table) => {
      const rows = tableRows(table);
      return rows === undefined ? [] : [{ title: captionOf(table) ?? title, rows }];
    }),
    places: [...root.querySelectorAll("h2[id], h3[id], section[id], table[id], div[id]")].flatMap(
      placeOf,
    ),
  };
}

/** linkedom puts nothing right: without these tags a fragment would have no body. */
function withBody(html: string): string {
  if (/<body[\s>]/i.test(html)) return html;
  const [, head = ""] = /<head[^>]*>([^]*?)<\/head>/i.exec(html) ?? [];
  const [, language] = /<html[^>]*\slang\s*=\s*["']?([\w-]+)/i.exec(html) ?? [];
  const rest = html
    .replace(/<head[^>]*>[^]*?<\/head>/i, "")
    .replaceAll(/<\/?html[^>]*>|<!doctype[^>]*>/gi, "");
  const LOOSE = /<(?:meta|link)\b[^>]*>|<title\b[^>]*>[^<]*(?:<\/title>)?/gi;
  const loose = head === "" ? (rest.match(LOOSE) ?? []) : [];
  return `<html lang="${language ?? ""}"><head>${head}${loose.join("")}</head><body>${rest.replaceAll(LOOSE, "")}</body></html>`;
}

/** The main text: Readability's where the page is an article, else all but what surrounds it. */
function mainBlocks(document: DomDocument): string[] {
  const body = document.body.cloneNode(true);
  // A heading inside the page's header is part of what it says.
  const container = only(body, "main") ?? only(body, "[role=main]") ?? body;
  for (const element of container.querySelectorAll(CHROME))
    if (
      element.localName !== "header" ||
      element.querySelector("nav") !== null ||
      container === body
    )
      element.remove();
  // A menu that no tag names as one: a link in each of a hundred boxes.
  const all = toMarkdown(container, { withMenus: container !== body });
  const copy = parseHTML(`<html><body>${container.innerHTML}</body></html>`).document;
  const article = readable(copy);
  return sizeOf(article) >= sizeOf(all) * ARTICLE_SHARE ? article : all;
}

/** Broken pages make Readability throw; then there is no article. */
function readable(document: DomDocument): string[] {
  try {
    const content = new Readability(document, { charThreshold: 200 }).parse()?.content ?? "";
    return toMarkdown(parseHTML(`<html><body>${content}</body></html>`).document.body);
  } catch {
    return [];
  }
}

function only(root: DomElement, selector: string): DomElement | undefined {
  const [first, ...more] = root.querySelectorAll(selector);
  return more.length === 0 ? first : undefined;
}

function sizeOf(blocks: string[]): number {
  return blocks.reduce((sum, block) => sum + block.length, 0);
}

type Head = Pick<
  HtmlPage,
  "language" | "links" | "canonical" | "alternates" | "mayBeKept" | "mayBeFollowed" | "look"
>;

function readHead(document: DomDocument): Head {
  const attributes = (selector: string, name: string): string[] =>
    [...document.querySelectorAll(selector)].flatMap((one) => one.getAttribute(name)?.trim() || []);
  const meta = (name: string): string | undefined =>
    attributes(`meta[name="${name}"], meta[property="${name}"]`, "content")[0];
  const robots = (meta("robots") ?? "").toLowerCase();
  const data = jsonLd(document);
  const css = [...document.querySelectorAll("style")]
    .map((one) => one.textContent ?? "")
    .join("\n");
  return {
    language: document.documentElement.getAttribute("lang")?.trim() || undefined,
    links: attributes("a[href], area[href]", "href"),
    canonical: attributes("link[rel=canonical]", "href")[0],
    alternates: [...document.querySelectorAll("link[rel=alternate][hreflang]")].map((one) => ({
      language: one.getAttribute("hreflang") ?? "",
      link: one.getAttribute("href") ?? "",
    })),
    mayBeKept: !/noindex|none/.test(robots),
    mayBeFollowed: !/nofollow|none/.test(robots),
    look: {
      names: [meta("og:site_name"), ...data.names, meta("application-name")].flatMap((name) =>
        name === undefined || name.length > 60 ? [] : [name.replaceAll(/\s+/g, " ").trim()],
      ),
      colours: [meta("theme-color") ?? "", ...brandColours(css)].filter((one) =>
        /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(one),
      ),
      logos: [
        ...data.logos,
        ...attributes(
          "header img[src*=logo], header img[class*=logo], header img[alt*=ogo]",
          "src",
        ),
        ...attributes("img[src*=logo], img[class*=logo]", "src"),
        ...attributes('link[rel~=icon][type="image/svg+xml"]', "href"),
        ...attributes('link[rel="apple-touch-icon"]', "href"),
        ...attributes("link[rel~=icon]", "href"),
      ],
      stylesheets: attributes("link[rel=stylesheet]", "href"),
    },
  };
}

/** The values of `--brand`, `--primary-color` and the like. */
export function brandColours(css: string): string[] {
  return [...css.matchAll(/--[\w-]*(?:brand|primary|accent)[\w-]*\s*:\s*(#[0-9a-f]{3,6})\b/gi)].map(
    ([, colour]) => colour!,
  );
}

/** Name and logo of the organisation, as pages tell them to search engines. */
function jsonLd(document: DomDocument): { names: string[]; logos: string[] } {
  const found: { names: string[]; logos: string[] } = { names: [], logos: [] };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (typeof value !== "object" || value === null) return;
    const { "@type": type, "@graph": graph, name, logo } = value as Record<string, unknown>;
    visit(graph);
    if (typeof type !== "string" || !/Organization|WebSite|Corporation|LocalBusiness/.test(type))
      return;
    if (typeof name === "string") found.names.push(name);
    const url = typeof logo === "object" && logo !== null && "url" in logo ? logo.url : logo;
    if (typeof url === "string") found.logos.push(url);
  };
  for (const script of document.querySelectorAll('script[type="application/ld+json"]'))
    try {
      const data: unknown = JSON.parse(script.textContent ?? "");
      visit(data);
    } catch {
      // Written for others; without it the page's other signs remain.
    }
  return found;
}

function captionOf(table: DomElement): string | undefined {
  const caption = table.querySelector("caption");
  return caption === null ? undefined : textOf(caption) || undefined;
}

/** A part of the page that a light can be put around: a heading, or a section or table that has one. */
function placeOf(element: DomElement): { selector: string; caption: string }[] {
  const id = element.getAttribute("id") ?? "";
  if (!/^[a-z][\w-]{0,60}$/i.test(id) || element.closest(CHROME) !== null) return [];
  const heading = /^h\d$/.test(element.localName)
    ? element
    : element.querySelector("h2, h3, caption");
  const caption = heading === null ? "" : textOf(heading);
  return caption === "" || caption.length > 80 ? [] : [{ selector: `#${id}`, caption }];
}
