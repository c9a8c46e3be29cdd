import { setTimeout as wait } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { Egress, EgressOutcome } from "#platform";
import { readRobots, ROBOT_NAME } from "./robots.ts";
import type { Robots } from "./robots.ts";
import { isSameSite } from "./site-urls.ts";

/** Reads a site's pages one after the other, as its robots.txt asks, and never leaves it. */
export interface SiteReaderOptions {
  egress: Pick<Egress, "get">;
  /** Between two requests, unless robots.txt asks for more. */
  delayMs: number;
  signal: AbortSignal;
}

export interface ReadFile {
  kind: "read";
  /** After redirects. */
  url: string;
  contentType: string;
  bytes: Buffer;
  /** What a later request names, to be told whether anything changed. */
  seen: Seen;
  /** What the header X-Robots-Tag says. */
  robots: string;
}

export interface Seen {
  etag?: string;
  modified?: string;
}

export type ReadOutcome = ReadFile | { kind: "unchanged" } | { kind: "left"; why: string };

const MAX_MB = { page: 3, document: 20 };
const MAX_REDIRECTS = 5;
/** A page that takes longer is left out: 200 of them must not take an hour. */
const DEADLINE_MS = 20_000;
const MAX_CRAWL_DELAY_SECS = 10;
/** A site that is overloaded may ask us to wait, within reason. */
const MAX_RETRY_SECS = 30;

export class SiteReader {
  readonly #options: SiteReaderOptions;
  #host: string;
  #robots: Robots = readRobots("");
  #pauseMs = 0;

  private constructor(host: string, options: SiteReaderOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** Begins with robots.txt: a site whose rules cannot be read is not read at all. */
  static async open(
    start: string,
    options: SiteReaderOptions,
  ): Promise<{ reader: SiteReader; start: string } | { why: string }> {
    const reader = new SiteReader(new URL(start).host, options);
    const why = await reader.#readRules(start);
    if (why !== undefined) return { why };
    const first = await reader.#follow(start, {}, { isChecked: true, isStart: true });
    return first.kind === "read"
      ? { reader, start: first.url }
      : { why: first.kind === "left" ? first.why : "no page" };
  }

  async #readRules(url: string): Promise<string | undefined> {
    const rules = await this.#follow(new URL("/robots.txt", url).href, {});
    this.#robots = readRobots(rules.kind === "read" ? rules.bytes.toString() : "");
    if (rules.kind === "read" || (rules.kind === "left" && /^status 4|^leads off/.test(rules.why)))
      return undefined;
    return `its robots.txt cannot be read: ${rules.kind === "left" ? rules.why : "no answer"}`;
  }

  get sitemaps(): string[] {
    return this.#robots.sitemaps;
  }

  isOnSite(url: string): boolean {
    return isSameSite(url, this.#host);
  }

  async read(url: string, seen: Seen = {}): Promise<ReadOutcome> {
    const outcome = await this.#follow(url, seen, { isChecked: true });
    const again =
      outcome.kind === "left"
        ? /^status (?:429|5\d\d)(?:, again in (\d+) s)?$/.exec(outcome.why)
        : null;
    if (again === null) return outcome;
    await this.#wait(Math.min(Number(again[1] ?? 1), MAX_RETRY_SECS) * 1_000);
    return this.#follow(url, seen, { isChecked: true });
  }

  /** Each address of a chain of redirects is judged like the first: by the site, by robots.txt and by egress. */
  async #follow(
    start: string,
    seen: Seen,
    { isStart = false, isChecked = false }: { isStart?: boolean; isChecked?: boolean } = {},
  ): Promise<ReadOutcome> {
    let url = start;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      if (!this.isOnSite(url)) {
        if (!isStart) return left("leads off the site");
        // The address that was given may be an old name of the site.
        this.#host = new URL(url).host;
        const why = await this.#readRules(url);
        if (why !== undefined) return left(why);
      }
      const { pathname, search } = new URL(url);
      if (isChecked && !this.#robots.allows(pathname + search))
        return left("robots.txt forbids it");
      const outcome = await this.#get(url, seen);
      if (outcome.kind === "failed") return left(failureInWords(outcome));
      const { status, headers } = outcome;
      const location = one(headers["location"]);
      if (status >= 300 && status < 400 && status !== 304 && location !== undefined) {
        const next = URL.parse(location, url);
        if (next === null) return left("leads nowhere");
        next.hash = "";
        url = next.href;
        continue;
      }
      return answer(url, outcome);
    }
    return left("leads in circles");
  }

  async #get(url: string, seen: Seen): Promise<EgressOutcome> {
    const { egress, delayMs, signal } = this.#options;
    await this.#wait(this.#pauseMs);
    const asked = Math.min(this.#robots.crawlDelaySecs ?? 0, MAX_CRAWL_DELAY_SECS) * 1_000;
    const isDocument = /\.(?:pdf|docx)$/i.test(new URL(url).pathname);
    const outcome = await egress.get({
      url,
      headers: {
        "user-agent": `${ROBOT_NAME}/1.0 (reads a site at its owner's request)`,
        accept: "text/html, application/xhtml+xml, application/pdf, text/*;q=0.8, */*;q=0.5",
        "accept-encoding": "gzip, br",
        ...(seen.etag !== undefined && { "if-none-match": seen.etag }),
        ...(seen.modified !== undefined && { "if-modified-since": seen.modified }),
      },
      limits: {
        bytes: MAX_MB[isDocument ? "document" : "page"] * 1_000_000,
        waitMs: DEADLINE_MS,
      },
      deadlineMs: DEADLINE_MS,
      signal,
    });
    this.#pauseMs = Math.max(delayMs, asked);
    return outcome;
  }

  async #wait(ms: number): Promise<void> {
    if (ms > 0) await wait(ms, undefined, { signal: this.#options.signal });
    this.#options.signal.throwIfAborted();
  }
}

function answer(url: string, outcome: Extract<EgressOutcome, { kind: "answered" }>): ReadOutcome {
  const { status, headers, body, bodyEnd } = outcome;
  if (status === 304) return { kind: "unchanged" };
  const again = Number(one(headers["retry-after"]));
  if (status !== 200) return left(`status ${status}${again > 0 ? `, again in ${again} s` : ""}`);
  if (bodyEnd === "cut") return left("is too large, or came too slowly");
  if (bodyEnd === "broken") return left("broke off");
  const bytes = unpacked(body, one(headers["content-encoding"]));
  if (bytes === undefined) return left("is packed in a way that cannot be read");
  const etag = one(headers["etag"]);
  const modified = one(headers["last-modified"]);
  return {
    kind: "read",
    url,
    contentType: one(headers["content-type"]) ?? "",
    bytes,
    seen: { ...(etag !== undefined && { etag }), ...(modified !== undefined && { modified }) },
    robots: one(headers["x-robots-tag"]) ?? "",
  };
}

/** A few bytes can unpack to more than the memory holds. */
function unpacked(body: Buffer, encoding = "identity"): Buffer | undefined {
  const limits = { maxOutputLength: MAX_MB.document * 1_000_000 };
  try {
    if (/^identity$/i.test(encoding)) return body;
    if (/gzip$/i.test(encoding)) return gunzipSync(body, limits);
    if (/^br$/i.test(encoding)) return brotliDecompressSync(body, limits);
    return /^deflate$/i.test(encoding) ? inflateSync(body, limits) : undefined;
  } catch {
    return undefined;
  }
}

function failureInWords({ why, detail }: Extract<EgressOutcome, { kind: "failed" }>): string {
  if (why === "forbidden_address" || (why === "bad_address" && detail.includes("public")))
    return "leads to an address that is not public";
  if (why === "timed_out") return "took too long";
  return `${why.replaceAll("_", " ")} (${detail})`;
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function left(why: string): { kind: "left"; why: string } {
  return { kind: "left", why };
}
