import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { docsSite, navigationOf } from "./site.ts";

const site = docsSite(resolve(import.meta.dirname, "../../.."));

async function read(path: string): Promise<string> {
  return String(await site.read(path));
}

describe("the site of the documents", () => {
  it("has a page for each, with its title, and a link to each on every page", async () => {
    const page = await read("guide/export.html");
    expect(page).toContain("<title>Export your sessions · Svc</title>");
    expect(page).toMatch(/<a href="export.html" aria-current="page">Export your sessions<\/a>/);
    const pages = site
      .paths()
      .filter((path) => /^(guide|operate|reference|decisions)\/.*html/.test(path));
    expect(pages.length).toBeGreaterThan(40);
    const first = await read("index.html");
    expect(pages.filter((path) => !first.includes(`href="${path}"`))).toEqual([]);
  });

  it("leads to no heading that is not there", async () => {
    expect(await site.deadLinks()).toEqual([]);
  });

  it("is of relative links only, so that it may lie anywhere", async () => {
    for (const path of ["index.html", "guide/export.html"]) {
      expect(await read(path)).not.toMatch(/(?:src|href)="\//);
    }
    expect(await read("guide/export.html")).toContain('href="../site.css"');
  });

  it("brings the playground, the contract and the pictures", () => {
    expect(site.paths()).toEqual(
      expect.arrayContaining(["playground/index.html", "openapi.json", "images/avatars.png"]),
    );
  });

  it("finds what stands under a heading", async () => {
    const entries = JSON.parse(await read("search.json")) as string[][];
    expect(entries).toContainEqual([
      "guide/export.html",
      "Export your sessions",
      "Authenticate",
      "authenticate",
      expect.stringContaining("With the token alone"),
    ]);
  });

  it.each(["../package.json", "guide/no.html", ""])("has no %j", async (path) => {
    expect(await site.read(path)).toBeUndefined();
  });
});

it("takes its order from the first page's tables, decisions last", () => {
  const tables = `
| part | pages |
|---|---|
| start here | [Five minutes](guide/five.md) |

| date | decision |
|---|---|
| 2026-01-01 | [one thing](decisions/one.md), and why |
| 2026-01-02 | [Another](decisions/another.md) |

| reference | [OpenAPI](../contract/openapi.json), [the file](reference/file.md), [Architecture](../ARCHITECTURE.md) |
`;
  expect(navigationOf("docs/README.md", tables)).toEqual([
    { name: "Start here", pages: [{ name: "Five minutes", document: "docs/guide/five.md" }] },
    {
      name: "Reference",
      pages: [
        { name: "The file", document: "docs/reference/file.md" },
        { name: "Architecture", document: "ARCHITECTURE.md" },
      ],
    },
    {
      name: "Decisions",
      pages: [
        { name: "One thing", document: "docs/decisions/one.md" },
        { name: "Another", document: "docs/decisions/another.md" },
      ],
    },
  ]);
});
