import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { builtInWords } from "#language";
import { isModelFailure } from "#models";
import type { FirstAndFallback, LanguageModel } from "#models";
import { AppError, createEgress } from "#platform";
import type { EgressOptions } from "#platform";
import { isLanguageCode } from "@svc/contract/schemas";
import { SCHEMAS } from "../file/init-agent.ts";
import { slugOf } from "../file/read-agent.ts";
import { agentYaml } from "./agent-yaml.ts";
import { crawl } from "./crawl.ts";
import { draftAgent } from "./draft-agent.ts";
import type { AgentDraft } from "./draft-agent.ts";
import { findBrand } from "./find-brand.ts";
import { knowledgeFiles } from "./knowledge-files.ts";
import { readFolder } from "./read-folder.ts";
import { foundScenarios, scenarioFiles } from "./scenario-files.ts";
import { SiteReader } from "./site-reader.ts";
import { hashOf, loadState, newState, saveState } from "./site-state.ts";
import type { SitePage, SiteState } from "./site-state.ts";
import { findPlaces, findSlides, freeId } from "./worth-showing.ts";

export interface FromSource {
  /** The agent's folder, and as the operator named it. */
  at: string;
  shown: string;
  /** A web address, or a folder or file, as the operator typed it. */
  source: string;
  /** Where that folder or file is. */
  path: string;
  maxPages: number;
  delayMs: number;
  /** Which addresses may be asked. */
  egress: EgressOptions;
  /** `2026-11-17`. */
  today: string;
  signal: AbortSignal;
  onPage(done: number, total: number): void;
  /** Draft what pages do not say themselves; absent where no model is set up. */
  models?: FirstAndFallback<LanguageModel> | undefined;
}

export interface MadeAgent {
  brand: string;
  pages: number;
  files: string[];
  left: SiteState["left"];
  /** Fields that nobody has written yet. */
  toWrite: string[];
  /** What became of the model's drafts; absent where none was asked. */
  drafted?: string;
}

/** Makes an agent's folder from a site or documents. Goes on where an earlier run was stopped, and overwrites nothing else. */
export async function agentFromSource(given: FromSource): Promise<MadeAgent> {
  const { at, shown, source, maxPages } = given;
  slugOf(at);
  const state = (await unfinished(at, source)) ?? newState(source, maxPages);
  if (existsSync(join(at, "agent.yaml"))) throw alreadyThere(shown);
  const site = await readSource(given, state);
  if (state.pages.length === 0) throw nothingRead(source, state);
  const files = await folderFiles(given, state, site);
  for (const [path, content] of files.contents) {
    await mkdir(dirname(join(at, path)), { recursive: true });
    await writeFile(join(at, path), content, { flag: "wx" }).catch(
      (error: NodeJS.ErrnoException) => {
        throw error.code === "EEXIST" ? alreadyThere(join(shown, path)) : error;
      },
    );
  }
  await saveState(at, { ...state, written: hashes(files.contents) });
  return {
    brand: files.brand,
    pages: state.pages.length,
    files: [...files.contents.keys()],
    left: [...state.left, ...files.left],
    toWrite: files.toWrite,
    ...(files.drafted !== undefined && { drafted: files.drafted }),
  };
}

async function unfinished(at: string, source: string): Promise<SiteState | undefined> {
  const state = await loadState(at);
  return state?.source === source && !state.isComplete ? state : undefined;
}

interface OpenedSite {
  reader: SiteReader;
  /** Where it begins, after redirects. */
  start: string;
}

/** Reads all pages into the state, which is saved as it grows. */
export async function readSource(
  given: FromSource,
  state: SiteState,
  known?: ReadonlyMap<string, SitePage>,
): Promise<OpenedSite | undefined> {
  const { source, path, delayMs, signal, egress, today, at } = given;
  if (!/^https?:\/\//i.test(source)) {
    if (!existsSync(path)) throw cannotRead(source, "there is no such folder, file or web address");
    await readFolder(path, state, { today, onPage: given.onPage });
    return undefined;
  }
  const opened = await SiteReader.open(source, { egress: createEgress(egress), delayMs, signal });
  if ("why" in opened) throw cannotRead(source, opened.why);
  const { reader, start } = opened;
  let saved = state.pages.length;
  const save = async (): Promise<void> => {
    // A comparison leaves the folder as it is.
    if (known === undefined) await saveState(at, state);
    saved = state.pages.length;
  };
  try {
    await crawl({
      reader,
      start,
      state,
      today,
      ...(known !== undefined && { known }),
      onPage: async (done, total) => {
        given.onPage(done, total);
        if (done >= saved + 10) await save();
      },
    });
    given.onPage(state.pages.length, state.pages.length);
  } catch (error) {
    await save();
    if (!signal.aborted) throw error;
    throw new AppError("conflict", {
      what: `Stopped after ${state.pages.length} pages.`,
      why: "The command was interrupted.",
      fix: "Run the same command again: it goes on from there.",
    });
  }
  return { reader, start };
}

interface FolderFiles {
  contents: Map<string, string | Buffer>;
  brand: string;
  left: SiteState["left"];
  toWrite: string[];
  drafted?: string;
}

async function folderFiles(
  given: FromSource,
  state: SiteState,
  site: OpenedSite | undefined,
): Promise<FolderFiles> {
  const { source, today } = given;
  const { files, left } = knowledgeFiles(state.pages);
  const brand = await findBrand(state, site?.start, site?.reader);
  const pages = [...files.values()].map(({ page }) => page);
  const codes = languageCodes(state);
  const { draft, drafted } = await drafts(given, brand.name, codes.builtIn, pages);
  const ids = new Set<string>();
  const tables = findSlides(pages, ids);
  const points = (draft?.slides ?? []).map(({ title, points: all }) => {
    const id = freeId(title, ids);
    const text = `## ${title}\n\n${all.map((point) => `- ${point}`).join("\n")}\n`;
    return { id, title, file: `content/${id.replaceAll("_", "-")}.md`, text };
  });
  const scenarios = [...(draft?.scenarios ?? []), ...foundScenarios(pages)];
  const yaml = agentYaml({
    source,
    today,
    brand,
    site: site && new URL("/", site.start).href,
    languages: codes.builtIn,
    unworded: codes.others,
    slides: [
      ...tables.map((slide) => ({ ...slide, kind: "table" as const })),
      ...points.map((slide) => ({ ...slide, kind: "markdown" as const })),
    ],
    places: findPlaces(pages, ids),
    draft,
  });
  const isMissing: [field: string, isMissing: boolean][] = [
    ["greeting", Object.keys(draft?.greetings ?? {}).length === 0],
    ["questions", (draft?.questions ?? []).length === 0],
    ["qualification", (draft?.qualified ?? []).length === 0],
    ["persona", true],
    ["scenarios", scenarios.length === 0],
    ["brand.logo", brand.logo === undefined],
    ["brand.colors", brand.colors === undefined],
  ];
  return {
    brand: brand.name,
    left,
    contents: new Map<string, string | Buffer>([
      ["agent.yaml", yaml],
      ...[...files].map(([path, { text }]): [string, string] => [path, text]),
      ...tables.map(({ file, csv }): [string, string] => [file, csv]),
      ...points.map(({ file, text }): [string, string] => [file, text]),
      ...scenarioFiles(scenarios, codes.builtIn[0]!),
      ...(brand.logo === undefined ? [] : [[brand.logo.path, brand.logo.bytes] as const]),
      ...[...SCHEMAS].map(([path, schema]): [string, string] => [
        path,
        `${JSON.stringify(schema, null, 2)}\n`,
      ]),
    ]),
    toWrite: isMissing.flatMap(([field, is]) => (is ? [field] : [])),
    ...(drafted !== undefined && { drafted }),
  };
}

/** A model that fails costs its drafts, not the pages that were read. */
async function drafts(
  { models, signal }: FromSource,
  brand: string,
  languages: string[],
  pages: SitePage[],
): Promise<{ draft?: AgentDraft; drafted?: string }> {
  if (models === undefined) return {};
  try {
    const draft = await draftAgent({ models, brand, languages, pages, signal });
    return { draft, drafted: draftedInWords(draft) };
  } catch (error) {
    if (signal.aborted) throw error;
    const why = isModelFailure(error) ? error.message : "its answer could not be read";
    return { drafted: `nothing: ${why}` };
  }
}

function draftedInWords({ refused, ...draft }: AgentDraft): string {
  const parts: [string, number][] = [
    ["greeting", Object.keys(draft.greetings).length],
    ["questions", draft.questions.length],
    ["qualification", draft.qualified.length],
    ["slides", draft.slides.length],
    ["scenarios", draft.scenarios.length],
  ];
  const made = parts.flatMap(([name, count]) => (count > 0 ? [name] : []));
  const what = made.length === 0 ? "nothing" : `${made.join(", ")}, for you to read and correct`;
  return refused === 0 ? what : `${what}; left out what did not pass the checks: ${refused}`;
}

/** A site's languages by their plain codes: an agent that speaks English speaks it with everybody. */
function languageCodes({ languages }: SiteState): { builtIn: string[]; others: string[] } {
  const codes = [...new Set(languages.map((code) => code.split("-", 1)[0]!.toLowerCase()))].filter(
    isLanguageCode,
  );
  const builtIn = codes.filter((code) => builtInWords(code) !== undefined);
  return {
    builtIn: builtIn.length > 0 ? builtIn : ["en"],
    others: codes.filter((code) => !builtIn.includes(code)),
  };
}

function hashes(contents: FolderFiles["contents"]): Record<string, string> {
  return Object.fromEntries([...contents].map(([path, content]) => [path, hashOf(content)]));
}

function alreadyThere(what: string): AppError {
  return new AppError("conflict", {
    what: `${what} is there already.`,
    why: "A new agent never overwrites what somebody has written.",
    fix: `Name a folder that is not there yet, or run \`svc agents refresh ${basename(what)}\` to see what changed.`,
  });
}

function cannotRead(source: string, why: string): AppError {
  return new AppError("invalid_input", {
    what: `${source} cannot be read.`,
    why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    fix: why.includes("not public")
      ? "Give a public address. For a try on your own machine add --local."
      : "Check the address in a browser, and that robots.txt lets svc-agents in.",
  });
}

function nothingRead(source: string, { left }: SiteState): AppError {
  const [first] = left;
  return new AppError("not_found", {
    what: `${source} has no page that can be read.`,
    why: first === undefined ? "It is empty." : `${first.what}: ${first.why}.`,
    fix: "Give the address of a page with text. Pages that are drawn by scripts alone have none.",
  });
}
