import { readFile, rm, writeFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "#platform";
import type { PlannedChange } from "../versions/plan-agent.ts";
import { readSource } from "./agent-from-source.ts";
import type { FromSource } from "./agent-from-source.ts";
import { knowledgeFiles } from "./knowledge-files.ts";
import { hashOf, loadState, newState, saveState } from "./site-state.ts";
import type { SitePage, SiteState } from "./site-state.ts";

export interface RefreshedAgent {
  source: string;
  pages: number;
  /** What the source says now and did not say when it was read, and the reverse. */
  changes: PlannedChange[];
  /** Files that somebody has changed since: they are never overwritten. */
  edited: string[];
  left: SiteState["left"];
}

/** Why a page may be there and yet not have been read this time. */
const PASSING = /^status (?:429|5)|^took too long|^broke off|^(?:connect|connection|dns|tls)\b/;

/** Compares a source with what was read of it, and writes what changed into the folder where that is wanted. */
export async function refreshAgent(
  given: Omit<FromSource, "source" | "maxPages" | "path"> & { pathOf(source: string): string },
  { shouldWrite }: { shouldWrite: boolean },
): Promise<RefreshedAgent> {
  const { at, shown } = given;
  const state = await loadState(at);
  if (state?.isComplete !== true) throw notMade(shown);
  const { source, maxPages } = state;
  const known = new Map(state.pages.map((page) => [page.url, page]));
  const fresh = newState(source, maxPages);
  await readSource({ ...given, source, maxPages, path: given.pathOf(source) }, fresh, known);
  const pages = [...fresh.pages.map((page) => sameDay(page, known)), ...missed(fresh, known)];
  const before = knowledgeFiles(state.pages).files;
  const after = knowledgeFiles(pages);
  const changes = [...new Set([...before.keys(), ...after.files.keys()])].flatMap((field) =>
    changeOf(field, before.get(field)?.text, after.files.get(field)?.text),
  );
  const edited = await editedFiles(at, changes, state);
  if (shouldWrite) {
    const written = changes.filter(({ field }) => !edited.includes(field));
    const hashes = await write(at, written, state.written);
    await saveState(at, { ...fresh, pages, written: hashes });
  }
  return { source, pages: pages.length, changes, edited, left: [...fresh.left, ...after.left] };
}

/** A page that says what it said before was read then: its file stays as it is. */
function sameDay(page: SitePage, known: ReadonlyMap<string, SitePage>): SitePage {
  const before = known.get(page.url);
  const isSame =
    before?.title === page.title && before.blocks.join("\n") === page.blocks.join("\n");
  return isSame ? { ...page, readOn: before.readOn } : page;
}

/** Pages that failed this time are taken to be as they were. */
function missed(fresh: SiteState, known: ReadonlyMap<string, SitePage>): SitePage[] {
  return fresh.left.flatMap(({ what, why }) => {
    const page = PASSING.test(why) ? known.get(what) : undefined;
    return page === undefined ? [] : [page];
  });
}

function changeOf(
  field: string,
  from: string | undefined,
  to: string | undefined,
): PlannedChange[] {
  if (from === to) return [];
  const change = from === undefined ? "added" : to === undefined ? "removed" : "changed";
  return [{ field, change, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
}

async function editedFiles(
  at: string,
  changes: PlannedChange[],
  { written }: SiteState,
): Promise<string[]> {
  const edited: string[] = [];
  for (const { field } of changes) {
    const bytes = await readFile(join(at, field)).catch(() => undefined);
    // A file that the owner has removed is not brought back either.
    const now = bytes === undefined ? undefined : hashOf(bytes);
    if (now !== written[field]) edited.push(field);
  }
  return edited;
}

async function write(
  at: string,
  changes: PlannedChange[],
  hashes: Record<string, string>,
): Promise<Record<string, string>> {
  const written = new Map(Object.entries(hashes));
  for (const { field, to } of changes) {
    const path = join(at, field);
    if (to === undefined) {
      await rm(path, { force: true });
      written.delete(field);
      continue;
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, to);
    written.set(field, hashOf(to));
  }
  return Object.fromEntries(written);
}

function notMade(shown: string): AppError {
  return new AppError("not_found", {
    what: `${shown} was not made from a site or documents.`,
    why: "It has no .source.json, which says what was read and when, or it is not complete.",
    fix: `Make a folder with \`svc agents from <source> ${shown}\` first.`,
  });
}
