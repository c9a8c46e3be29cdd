import { MAX_BYTES, MAX_TOTAL_BYTES } from "../file/file-kinds.ts";
import type { SitePage, SiteState } from "./site-state.ts";
import { fileNameOf, safeName } from "./site-urls.ts";

/** The files of knowledge that pages make, by their paths, and what did not fit. */
export interface KnowledgeFiles {
  files: Map<string, { text: string; page: SitePage }>;
  left: SiteState["left"];
}

/** Room for what the owner adds. */
const ROOM_BYTES = 200_000;
/** A block on this many pages, and on half of all, is part of the site's frame. */
const LEAST_REPEATS = 4;

export function knowledgeFiles(pages: SitePage[]): KnowledgeFiles {
  const frame = repeatedBlocks(pages);
  const files: KnowledgeFiles["files"] = new Map();
  const left: SiteState["left"] = [];
  let total = 0;
  for (const page of pages) {
    const blocks = page.blocks.filter((block) => {
      const first = frame.get(block);
      return first === undefined || first === page;
    });
    const text = fileText(page, blocks);
    const bytes = Buffer.byteLength(text);
    if (blocks.length === 0) left.push({ what: page.url, why: "says only what every page says" });
    else if (bytes > MAX_BYTES.knowledge)
      left.push({ what: page.url, why: "is longer than 500 KB" });
    else if (total + bytes > MAX_TOTAL_BYTES.knowledge - ROOM_BYTES)
      left.push({ what: page.url, why: "did not fit into 5 MB of knowledge" });
    else {
      total += bytes;
      files.set(freePath(page.url, files), { text, page });
    }
  }
  return { files, left };
}

/** Blocks that most pages have, each with the one page that keeps it. */
function repeatedBlocks(pages: SitePage[]): Map<string, SitePage> {
  const found = new Map<string, { count: number; first: SitePage }>();
  for (const page of pages)
    for (const block of new Set(page.blocks)) {
      const before = found.get(block);
      found.set(block, { count: (before?.count ?? 0) + 1, first: before?.first ?? page });
    }
  const least = Math.max(LEAST_REPEATS, pages.length / 2);
  return new Map(
    [...found]
      .filter(([, { count }]) => count >= least)
      .map(([block, { first }]) => [block, first]),
  );
}

/** The file's head names the page, which visitors can open from an answer. */
function fileText({ url, title, readOn }: SitePage, blocks: string[]): string {
  const head = [
    "---",
    ...(isAddress(url) ? [`source: ${url}`] : [`file: ${url}`]),
    `title: ${title.replaceAll(/\s+/g, " ")}`,
    `read: ${readOn}`,
    "---",
  ];
  // A list stays one block.
  const body = blocks.reduce((text, block, index) => {
    const isItem = (one = ""): boolean => /^\s*(?:-|1\.) /.test(one);
    return `${text}${isItem(block) && isItem(blocks[index - 1]) ? "\n" : "\n\n"}${block}`;
  }, `# ${title}`);
  return `${head.join("\n")}\n\n${body}\n`.toWellFormed().replaceAll("\0", "");
}

function isAddress(url: string): boolean {
  return /^https?:/.test(url);
}

function freePath(url: string, taken: ReadonlyMap<string, unknown>): string {
  const name = isAddress(url) ? fileNameOf(url) : safeName(url.replace(/\.\w+$/, "")) || "document";
  for (let count = 1; ; count++) {
    const path = `knowledge/${name}${count === 1 ? "" : `-${count}`}.md`;
    if (!taken.has(path)) return path;
  }
}
