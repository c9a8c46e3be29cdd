import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { readDocument } from "./read-document.ts";
import type { SiteState } from "./site-state.ts";

const MAX_BYTES = 20_000_000;
/** Files that belong to programs, not to readers. */
const NO_DOCUMENT =
  /(?:^|\/)(?:\.|node_modules\/)|\.(?:png|jpe?g|gif|webp|svg|ico|css|m?[jt]sx?|map|lock|zip|gz|mp[34]|webm|woff2?)$/i;

/** Reads a document, or every document below a folder, into the state. */
export async function readFolder(
  at: string,
  state: SiteState,
  { today, onPage }: { today: string; onPage(done: number, total: number): void },
): Promise<void> {
  const isFolder = (await stat(at)).isDirectory();
  const files = isFolder ? await filesBelow(at) : [at];
  for (const [index, file] of files.entries()) {
    onPage(index, files.length);
    const name = isFolder ? relative(at, file).replaceAll(sep, "/") : basename(file);
    const leave = (why: string): void => void state.left.push({ what: name, why });
    if (state.pages.length >= state.maxPages) {
      leave(`beyond ${state.maxPages} documents`);
      continue;
    }
    if ((await stat(file)).size > MAX_BYTES) {
      leave("is larger than 20 MB");
      continue;
    }
    const { document, why } = await readDocument(await readFile(file), "", name);
    if (document === undefined) {
      leave(why);
      continue;
    }
    for (const text of document.left) leave(text);
    if (document.blocks.length === 0) {
      leave("has no text");
      continue;
    }
    const { title, blocks, language, html } = document;
    if (language !== undefined && !state.languages.includes(language))
      state.languages.push(language);
    state.pages.push({
      url: name,
      title,
      readOn: today,
      blocks,
      language,
      links: [],
      depth: name.split("/").length - 1,
      seen: {},
      tables: html?.tables ?? [],
      places: [],
    });
  }
  onPage(files.length, files.length);
  state.isComplete = true;
}

/** Sorted, so that the same folder makes the same files. Links are not followed: they can lead out of it. */
async function filesBelow(at: string): Promise<string[]> {
  const entries = await readdir(at, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !NO_DOCUMENT.test(relative(at, file).replaceAll(sep, "/")))
    .toSorted();
}
