import { createHash } from "node:crypto";

/** The part of the web that is read: one host, below one path. */
export interface SiteScope {
  host: string;
  /** Ends in `/`. */
  under: string;
}

export function scopeOf(start: string): SiteScope {
  const { host, pathname } = new URL(start);
  return { host: bareHost(host), under: pathname.slice(0, pathname.lastIndexOf("/") + 1) };
}

export function isInScope(url: string, { host, under }: SiteScope): boolean {
  const read = new URL(url);
  return isSameSite(url, host) && read.pathname.startsWith(under);
}

/** The same host, with or without `www.`. */
export function isSameSite(url: string, host: string): boolean {
  return bareHost(new URL(url).host) === bareHost(host);
}

function bareHost(host: string): string {
  return host.replace(/^www\./, "");
}

/** Parameters that say where a visitor came from or how a list is sorted, and never what is on the page. */
const NOISE =
  /^(?:utm_\w+|gclid|fbclid|msclkid|mc_\w+|ref|source|sid|session\w*|phpsessid|jsessionid|sort|order|print|share|replytocom)$/i;
const MAX_LENGTH = 500;
/** What a link to it would download, play or show as a picture. */
const NO_PAGE =
  /\.(?:png|jpe?g|gif|webp|svg|ico|avif|css|m?js|json|xml|rss|atom|woff2?|ttf|mp[34]|webm|mov|avi|wav|ogg|zip|gz|tgz|tar|rar|7z|dmg|exe|msi|apk|iso|pptx?|xlsx?|csv)$/i;

/** An address in the one spelling by which pages are told apart; undefined where it leads to no page. */
export function pageUrl(link: string, base: string): string | undefined {
  const url = URL.parse(link, base);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "" || NO_PAGE.test(url.pathname)) return undefined;
  url.hash = "";
  url.pathname = url.pathname.replace(/\/index\.(?:html?|php)$/, "/").replace(/\/{2,}/g, "/");
  const names = [...url.searchParams.keys()];
  for (const name of names) if (NOISE.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  return url.href.length > MAX_LENGTH ? undefined : url.href;
}

/** Addresses that differ only in numbers, keys and the values of parameters have the same shape. */
export function shapeOf(url: string): string {
  const { pathname, searchParams } = new URL(url);
  const path = pathname.replaceAll(/\d+|(?<=[/_-])[0-9a-f]{8,}(?=[/_.-]|$)/gi, "0");
  return `${path}?${[...searchParams.keys()].join("&")}`;
}

/** A year or a parameter: the addresses that calendars and filters make without end. */
export function mayBeEndless(url: string): boolean {
  return /(?<!\d)(?:19|20|21)\d\d(?!\d)|\?/.test(url);
}

/** The name of a page's file in `knowledge/`, without its ending. */
export function fileNameOf(url: string): string {
  const { pathname, search } = new URL(url);
  return safeName(decoded(pathname).replace(/\.\w{2,5}$/, "") + search) || "home";
}

/** Small letters, digits and `-`. A text in another script becomes a short hash of itself. */
export function safeName(text: string): string {
  const plain = text.normalize("NFKD").toLowerCase();
  const name = plain
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 80);
  if (name !== "" || !/[\p{L}\p{N}]/u.test(plain)) return name;
  return createHash("sha256").update(plain).digest("hex").slice(0, 12);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
