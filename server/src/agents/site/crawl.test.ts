import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { crawl } from "./crawl.ts";
import { knowledgeFiles } from "./knowledge-files.ts";
import { SiteReader } from "./site-reader.ts";
import type { SiteReaderOptions } from "./site-reader.ts";
import { newState } from "./site-state.ts";
import type { SitePage, SiteState } from "./site-state.ts";

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

type Site = Record<string, Answer | string>;

const START = "https://acme.example/";

/** Answers as the guard does: what is not public is refused before anything is sent. */
function egressTo(site: Site, asked: string[]): SiteReaderOptions["egress"] {
  return {
    async get({ url, headers }) {
      const { host, pathname, search } = new URL(url);
      const tookMs = 1;
      if (host !== "acme.example")
        return { kind: "failed", why: "forbidden_address", detail: host, tookMs };
      asked.push(pathname + search);
      const found = site[pathname + search] ?? { status: 404 };
      const {
        status = 200,
        headers: own = {},
        body = "",
      } = typeof found === "string" ? { body: found } : found;
      const isKnown = own["etag"] !== undefined && headers["if-none-match"] === own["etag"];
      return {
        kind: "answered",
        status: isKnown ? 304 : status,
        headers: { "content-type": "text/html", ...own },
        body: Buffer.from(body),
        bodyEnd: "whole",
        certificateUntil: undefined,
        tookMs,
      };
    },
  };
}

async function read(
  site: Site,
  { known, maxPages = 50 }: { known?: SitePage[]; maxPages?: number } = {},
): Promise<{ state: SiteState; asked: string[]; why: Record<string, string> }> {
  const asked: string[] = [];
  const { signal } = new AbortController();
  const opened = await SiteReader.open(START, {
    egress: egressTo(site, asked),
    delayMs: 0,
    signal,
  });
  const state = newState(START, maxPages);
  if ("why" in opened) throw new Error(opened.why);
  const pages = new Map((known ?? []).map((page) => [page.url, page]));
  await crawl({ ...opened, state, known: pages, today: "2026-11-17", onPage: () => {} });
  const why = Object.fromEntries(state.left.map((one) => [new URL(one.what).pathname, one.why]));
  return { state, asked, why };
}

const page = (about: string, links: string[] = [], head = ""): string =>
  `<html lang="en"><head>${head}</head><body><main><h1>${about}</h1><p>What we say about ${about} is a sentence of some length.</p>${links.map((to) => `<a href="${to}">go</a>`).join("")}</main></body></html>`;

const paths = ({ pages }: SiteState): string[] => pages.map(({ url }) => new URL(url).pathname);

it("reads what is linked and what the sitemap names, and nothing that robots.txt forbids", async () => {
  const { state, asked, why } = await read({
    "/robots.txt": "User-agent: *\nDisallow: /private\nSitemap: https://acme.example/map.xml.gz",
    "/map.xml.gz": {
      body: gzipSync("<urlset><url><loc>https://acme.example/lonely</loc></url></urlset>"),
    },
    "/": page("home", [
      "/a?utm_source=x#top",
      "/private/1",
      "https://other.example/",
      "/picture.png",
    ]),
    "/a": page("a", ["/private-area"]),
    "/lonely": page("lonely"),
  });
  expect(paths(state)).toEqual(["/", "/a", "/lonely"]);
  expect(why).toMatchObject({ "/private/1": "robots.txt forbids it" });
  expect(asked.filter((path) => path.startsWith("/private"))).toEqual([]);
});

it("reads nothing at all where robots.txt fails or forbids all", async () => {
  await expect(read({ "/robots.txt": { status: 503 }, "/": page("home") })).rejects.toThrow(
    "status 503",
  );
  const forbidding = { "/robots.txt": "User-agent: *\nDisallow: /", "/": page("home") };
  await expect(read(forbidding)).rejects.toThrow("robots.txt forbids it");
});

it("a redirect to another network is refused, and one off the site is not followed", async () => {
  const to = (location: string): Answer => ({ status: 302, headers: { location } });
  const { why } = await read({
    "/": page("home", ["/meta", "/circle", "/boom"]),
    "/meta": to("http://169.254.169.254/latest"),
    "/circle": to("/circle"),
    "/boom": { status: 500 },
  });
  expect(why).toEqual({
    "/meta": "leads off the site",
    "/circle": "leads in circles",
    "/boom": "status 500",
  });
});

it("a calendar ends after a few months, and numbered pages that differ do not", async () => {
  const months = Array.from({ length: 40 }, (_, month): [string, string] => [
    `/events/2026-${month}`,
    page(`month ${month}`, [`/events/2026-${month + 1}`]),
  ]);
  const boats = Array.from({ length: 12 }, (_, at): [string, string] => [
    `/boat/${at}`,
    page(`boat ${at}`),
  ]);
  const { state, asked } = await read({
    "/": page("home", ["/events/2026-0", ...boats.map(([path]) => path)]),
    ...Object.fromEntries([...months, ...boats]),
  });
  expect(asked.filter((path) => path.startsWith("/events")).length).toBeLessThanOrEqual(4);
  expect(paths(state).filter((path) => path.startsWith("/boat")).length).toBe(12);
});

it("takes the site's own language, and names the others", async () => {
  const head = `<link rel="alternate" hreflang="en" href="/"><link rel="alternate" hreflang="de" href="/de/">`;
  const { state, why, asked } = await read({
    "/": page("home", ["/de/"], head),
    "/de/": page("start", [], head),
  });
  expect([paths(state), state.languages]).toEqual([["/"], ["en", "de"]]);
  expect(why).toEqual({ "/de/": "is a translation of https://acme.example/" });
  expect(asked).not.toContain("/de/");
});

it("asks only whether known pages have changed", async () => {
  const site: Site = {
    "/": { body: page("home", ["/a"]), headers: { etag: '"1"' } },
    "/a": { body: page("a"), headers: { etag: '"1"' } },
  };
  const first = await read(site);
  const changed = { ...site, "/a": { body: page("new a"), headers: { etag: '"2"' } } };
  const second = await read(changed, { known: first.state.pages });
  expect(second.state.pages[0]).toEqual(first.state.pages[0]);
  expect(second.state.pages[1]).toMatchObject({ title: "new a" });
});

it("goes on where it was stopped", async () => {
  const site = {
    "/": page("home", ["/a", "/b"]),
    "/a": page("a"),
    "/b": page("b", ["/c"]),
    "/c": page("c"),
  };
  const { state } = await read(site, { maxPages: 2 });
  expect(paths(state)).toEqual(["/", "/a"]);
  const asked: string[] = [];
  const { signal } = new AbortController();
  const opened = await SiteReader.open(START, {
    egress: egressTo(site, asked),
    delayMs: 0,
    signal,
  });
  if ("why" in opened) throw new Error(opened.why);
  const stopped = { ...state, left: [], maxPages: 50 };
  await crawl({ ...opened, state: stopped, today: "2026-11-17", onPage: () => {} });
  expect(paths(stopped)).toEqual(["/", "/a", "/b", "/c"]);
  expect(asked.filter((path) => path === "/a")).toEqual([]);
});

it("a block of every page is kept once, and a file names its page", async () => {
  const { state } = await read(
    Object.fromEntries(
      ["/", "/a", "/b", "/c", "/d"].map((path) => [
        path,
        page(`page ${path}`, ["/a", "/b", "/c", "/d"]).replace(
          "</main>",
          "<p>Call 555 today.</p></main>",
        ),
      ]),
    ),
  );
  const { files } = knowledgeFiles(state.pages);
  const texts = [...files.values()].map(({ text }) => text);
  expect(texts.filter((text) => text.includes("Call 555"))).toHaveLength(1);
  expect(files.get("knowledge/a.md")?.text).toMatch(
    /^---\nsource: https:\/\/acme\.example\/a\ntitle: page \/a\nread: 2026-11-17\n---\n\n# page \/a\n\n/,
  );
});
