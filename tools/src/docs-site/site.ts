import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { Html, fill, html } from "../html.ts";
import { renderDocument } from "./render-document.ts";
import type { RenderedDocument } from "./render-document.ts";

/**
 * The repository's documents as a site of plain files. All its links are relative: it may lie in
 * any folder of a server. By hand around a Markdown library: a generator of sites would bring a
 * hundred packages for a template, a style sheet and a search.
 */
export interface DocsSite {
  /** Returns the paths of all files: `index.html`, `guide/export.html`, `images/avatars.png`, `playground/index.html`. */
  paths(): string[];
  /** Read anew each time, so that a change shows on reload. Undefined: there is no such file. */
  read(path: string): Promise<string | Buffer | undefined>;
  /** Links that lead to a heading that is not there, in words. */
  deadLinks(): Promise<string[]>;
}

const INDEX = "docs/README.md";
const DOCUMENTS = ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**/*.md"];
/** Files that are copied as they are, by the folder whose name is left out of their address. */
const ASSETS: [folder: string, pattern: string][] = [
  ["docs", "**/*.{png,webp,json,mjs,py,go,php}"],
  ["contract", "openapi.json"],
  ["sdk", "playground/**/*.{html,css,js,svg}"],
  ["tools/src/docs-site", "site.{css,js}"],
];
const SEARCH = "search.json";

export function docsSite(root: string): DocsSite {
  const readText = (file: string): Promise<string> => readFile(join(root, file), "utf8");
  /** Each path of the site, and the file behind it. */
  function sources(): Map<string, string> {
    const list = (pattern: string): string[] => globSync(pattern, { cwd: root }).toSorted();
    return new Map([
      ...DOCUMENTS.flatMap(list).map((file) => [pageOf(file), file] as const),
      ...ASSETS.flatMap(([folder, pattern]) =>
        list(`${folder}/${pattern}`).map((file) => [file.slice(folder.length + 1), file] as const),
      ),
    ]);
  }

  async function render(path: string, files: Map<string, string>): Promise<RenderedDocument> {
    const known = new Map([...files].map(([target, file]) => [file, target]));
    const source = files.get(path)!;
    return renderDocument(source, await readText(source), (file) => {
      const target = known.get(file);
      return target && relative(path, target);
    });
  }

  async function renderAll(): Promise<Map<string, RenderedDocument>> {
    const files = sources();
    const pages = [...files.keys()].filter((path) => files.get(path)!.endsWith(".md"));
    return new Map(
      await Promise.all(pages.map(async (path) => [path, await render(path, files)] as const)),
    );
  }

  const readNavigation = async (): Promise<NavigationPart[]> =>
    navigationOf(INDEX, await readText(INDEX));

  /** In the order of the navigation: of what is found equally well, guides come before decisions. */
  async function searchEntries(): Promise<SearchEntry[]> {
    const rendered = await renderAll();
    const listed = (await readNavigation()).flatMap(({ pages }) =>
      pages.map(({ document }) => pageOf(document)),
    );
    return [...new Set([...listed, ...rendered.keys()])].flatMap((path) => {
      const { title, headings, texts } = rendered.get(path)!;
      return headings.map(({ text, anchor }, index): SearchEntry => [
        path,
        title,
        text,
        anchor,
        texts[index] ?? "",
      ]);
    });
  }

  return {
    paths: () => [...sources().keys(), SEARCH],
    read: async (path) => {
      if (path === SEARCH) return JSON.stringify(await searchEntries());
      const files = sources();
      const source = files.get(path);
      if (source === undefined) return undefined;
      if (!source.endsWith(".md")) return readFile(join(root, source));
      const navigation = await readNavigation();
      const shell = await readText("tools/src/docs-site/shell.html");
      return pageAround(shell, path, await render(path, files), navigation);
    },
    deadLinks: async () => {
      const pages = await renderAll();
      return [...pages.values()].flatMap(({ title, links }) =>
        links
          .filter(({ to, anchor }) => anchor !== "" && !hasAnchor(pages.get(pageOf(to)), anchor))
          .map(({ to, anchor }) => `"${title}" links to #${anchor} of ${to}, which is not there.`),
      );
    },
  };
}

function hasAnchor(page: RenderedDocument | undefined, wanted: string): boolean {
  return page?.headings.some(({ anchor }) => anchor === wanted) ?? false;
}

/** The page that a document becomes. */
function pageOf(document: string): string {
  if (document === INDEX) return "index.html";
  return document.replace(/^docs\//, "").replace(/\.md$/, ".html");
}

function relative(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}

function pageAround(
  shell: string,
  path: string,
  { title, body, headings }: RenderedDocument,
  navigation: NavigationPart[],
): string {
  const outline = headings
    .filter(({ level }) => level === 2 || level === 3)
    .map(
      ({ level, text, anchor }) =>
        html`<li class="level-${level}"><a href="#${anchor}">${text}</a></li>`,
    );
  return fill(shell, {
    title: path === "index.html" ? "Svc: documentation" : `${title} · Svc`,
    root: relative(path, "index.html").slice(0, -"index.html".length),
    navigation: navigation.map((part) => partOf(part, path)),
    outline:
      outline.length > 1
        ? html`<ul>
            ${outline}
          </ul>`
        : new Html(""),
    body,
  });
}

/** Open where the reader is. */
function partOf({ name, pages }: NavigationPart, path: string): Html {
  const links = pages.map(({ name: text, document }) => {
    const page = pageOf(document);
    return page === path
      ? html`<li><a href="${relative(path, page)}" aria-current="page">${text}</a></li>`
      : html`<li><a href="${relative(path, page)}">${text}</a></li>`;
  });
  const content = html`<summary>${name}</summary>
    <ul>
      ${links}
    </ul>`;
  const isHere = pages.some(({ document }) => pageOf(document) === path);
  return isHere || path === "index.html"
    ? html`<details open>${content}</details>`
    : html`<details>${content}</details>`;
}

/** A heading, where it is, and what stands under it. */
type SearchEntry = [page: string, title: string, heading: string, anchor: string, text: string];

/** Pages that belong together, as the first page lists them. */
export interface NavigationPart {
  name: string;
  pages: { name: string; document: string }[];
}

/**
 * From the tables of the first page: who a part is for, and links to its pages; or a date, and a
 * decision. So there is no second list to keep.
 *
 * @param index its path, from the repository's root
 */
export function navigationOf(index: string, markdown: string): NavigationPart[] {
  const rows = [...markdown.matchAll(/^\| ([^|]+) \| (.*\]\(.*) \|$/gm)];
  const parts = rows.map(([, name = "", cell = ""]) => ({
    name: /^\d/.test(name) ? DECISIONS : capital(name),
    pages: [...cell.matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g)].map(([, text = "", path = ""]) => ({
      name: capital(text),
      document: posix.join(posix.dirname(index), path),
    })),
  }));
  const decisions = parts.filter(({ name }) => name === DECISIONS);
  return [
    ...parts.filter(({ name }) => name !== DECISIONS),
    { name: DECISIONS, pages: decisions.flatMap(({ pages }) => pages) },
  ].filter(({ pages }) => pages.length > 0);
}

const DECISIONS = "Decisions";

/** Capitalises the first letter, except in the name of a file. */
function capital(text: string): string {
  return /^\w+\./.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
