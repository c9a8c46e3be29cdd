import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { HtmlPage, PageLook } from "./read-html.ts";
import type { Seen } from "./site-reader.ts";

/** What was read of a site or a folder of documents. A later run goes on from it, and compares with it. */
export interface SiteState {
  /** As it was typed. */
  source: string;
  maxPages: number;
  isComplete: boolean;
  pages: SitePage[];
  /** What was not taken, and why. */
  left: { what: string; why: string }[];
  /** The languages that pages are offered in, the start's first. */
  languages: string[];
  look: PageLook;
  /** The hash of each file that was written, by which an owner's own changes are seen. */
  written: Record<string, string>;
}

export interface SitePage {
  /** A web address, or the path of a document. */
  url: string;
  title: string;
  /** The day on which it was read, as the file says it: `2026-11-17`. */
  readOn: string;
  /** Markdown, a block each, with what every page repeats. */
  blocks: string[];
  language?: string | undefined;
  /** Pages that it links to, as far as they may be read. */
  links: string[];
  /** Links from the start. */
  depth: number;
  seen: Seen;
  tables: HtmlPage["tables"];
  places: HtmlPage["places"];
}

/** Hidden, so that it is no part of the agent. */
const STATE_FILE = ".source.json";

const texts = z.array(z.string());
const Page: z.ZodType<SitePage> = z.object({
  url: z.string(),
  title: z.string(),
  readOn: z.string(),
  blocks: texts,
  language: z.string().optional(),
  links: texts,
  depth: z.number(),
  seen: z.object({ etag: z.string().exactOptional(), modified: z.string().exactOptional() }),
  tables: z.array(z.object({ title: z.string(), rows: z.array(texts) })),
  places: z.array(z.object({ selector: z.string(), caption: z.string() })),
});

const State: z.ZodType<SiteState> = z.object({
  source: z.string(),
  maxPages: z.number(),
  isComplete: z.boolean(),
  pages: z.array(Page),
  left: z.array(z.object({ what: z.string(), why: z.string() })),
  languages: texts,
  look: z.object({ names: texts, colours: texts, logos: texts, stylesheets: texts }),
  written: z.record(z.string(), z.string()),
});

export function newState(source: string, maxPages: number): SiteState {
  return {
    source,
    maxPages,
    isComplete: false,
    pages: [],
    left: [],
    languages: [],
    look: { names: [], colours: [], logos: [], stylesheets: [] },
    written: {},
  };
}

export async function loadState(at: string): Promise<SiteState | undefined> {
  try {
    return State.parse(JSON.parse(await readFile(join(at, STATE_FILE), "utf8")));
  } catch {
    return undefined;
  }
}

/** Written whole or not at all: a run that is killed meanwhile must be able to go on. */
export async function saveState(at: string, state: SiteState): Promise<void> {
  await mkdir(at, { recursive: true });
  const path = join(at, STATE_FILE);
  await writeFile(`${path}.new`, JSON.stringify(state));
  await rename(`${path}.new`, path);
}

export function hashOf(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
