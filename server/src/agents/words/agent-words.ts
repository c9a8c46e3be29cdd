import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { builtInWords } from "#language";
import { isModelFailure } from "#models";
import type { FirstAndFallback, LanguageModel } from "#models";
import { AppError } from "#platform";
import type { Words } from "@svc/contract/types";
import { agentFolder } from "../file/agent-folder.ts";
import type { AgentFolder } from "../file/agent-folder.ts";
import type { FileWithBytes } from "../file/load-files.ts";
import type { Mistake } from "../file/mistake.ts";
import { draftGroups, draftWords } from "./draft-words.ts";
import type { DraftRequest } from "./draft-words.ts";
import {
  MAX_WORDS_BYTES,
  readWordsFile,
  withDrafts,
  wordsMistakes,
  wordsPath,
} from "./words-file.ts";
import type { WordsFile } from "./words-file.ts";

/** A language of an agent that is not built in, and its file. */
export interface AgentWords {
  code: string;
  /** Absent where there is no file, or none that can be read. */
  file?: WordsFile;
  /** What is wrong with the file. A file that is not there is the fault of agent.yaml. */
  mistakes: Mistake[];
}

export async function readAgentWords(
  folder: AgentFolder,
  codes: string[],
  shown: string,
): Promise<AgentWords[]> {
  const present = await folder.list("languages");
  const own = codes.filter((code) => builtInWords(code) === undefined);
  return Promise.all(
    own.map(async (code): Promise<AgentWords> => {
      const path = wordsPath(code);
      if (!present.includes(path)) return { code, mistakes: [] };
      const found = await folder.read(path, MAX_WORDS_BYTES);
      const at = join(shown, path);
      if ("problem" in found) return { code, mistakes: [{ file: at, message: found.problem }] };
      const file = readWordsFile(code, found.bytes, at);
      return { code, file, mistakes: wordsMistakes(file, at) };
    }),
  );
}

/** The words of a language as browsers load them. */
export function storedWords(words: Words): FileWithBytes {
  const bytes = Buffer.from(`${JSON.stringify(words, null, 1)}\n`);
  return {
    path: wordsPath(words.language),
    sha256: createHash("sha256").update(bytes).digest("hex"),
    size: bytes.length,
    mediaType: "application/json",
    bytes,
  };
}

export interface DraftOptions {
  /** Called where there is something to draft. */
  begin(): { models: FirstAndFallback<LanguageModel>; signal: AbortSignal };
  onProgress(done: number, total: number, code: string): void;
}

/** What was drafted for one language. */
export interface DraftedLanguage {
  code: string;
  /** The file as the operator would name it. */
  file: string;
  drafted: number;
}

/**
 * Has a model draft what the languages of an agent lack, and writes it into `languages/<code>.yaml`
 * for the owner to review. What is there is never changed. Each part is written when it is done, so
 * that nothing is lost when the model fails.
 */
export async function draftLanguages(
  at: string,
  shown: string,
  { codes, ...agent }: DraftRequest["agent"] & { codes: string[] },
  { begin, onProgress }: DraftOptions,
): Promise<DraftedLanguage[]> {
  const folder = agentFolder(at);
  let asking: ReturnType<DraftOptions["begin"]> | undefined;
  const drafted: DraftedLanguage[] = [];
  for (const { code, file, mistakes } of await readAgentWords(folder, codes, shown)) {
    // A file with mistakes is its author's to correct first.
    const isFree = file === undefined ? mistakes.length === 0 : file.mistakes.length === 0;
    const texts = new Map(file?.texts);
    const groups = isFree ? draftGroups(texts) : [];
    if (groups.length === 0) continue;
    asking ??= begin();
    const written = join(shown, wordsPath(code));
    const before = texts.size;
    const faults: [path: string, why: string][] = [];
    for (const [index, group] of groups.entries()) {
      onProgress(index, groups.length, code);
      const request = { ...asking, code, agent, texts };
      const drafts = await draftWords(request, group).catch((error: unknown) => {
        throw notAsked(written, error);
      });
      for (const [key, text] of drafts.texts) texts.set(key, text);
      faults.push(...drafts.faults);
      await addDrafts(folder, at, code, drafts.texts);
    }
    onProgress(groups.length, groups.length, code);
    if (faults.length > 0) throw notDrafted(written, faults);
    drafted.push({ code, file: written, drafted: texts.size - before });
  }
  return drafted;
}

async function addDrafts(
  folder: AgentFolder,
  at: string,
  code: string,
  drafts: ReadonlyMap<string, string>,
): Promise<void> {
  const path = wordsPath(code);
  const isThere = (await folder.list("languages")).includes(path);
  const found = isThere ? await folder.read(path, MAX_WORDS_BYTES) : undefined;
  if (found !== undefined && "problem" in found)
    throw new AppError("invalid_input", {
      what: `${path} cannot take the drafts.`,
      why: found.problem,
      fix: "Correct that and run the same command again.",
    });
  await mkdir(dirname(join(at, path)), { recursive: true });
  // With `wx`, a file that somebody has written meanwhile is not overwritten.
  await writeFile(join(at, path), withDrafts(code, found?.bytes.toString("utf8"), drafts), {
    flag: isThere ? "w" : "wx",
  });
}

function notAsked(file: string, error: unknown): unknown {
  if (!isModelFailure(error)) return error;
  return new AppError(
    "unavailable",
    {
      what: `${file} could not be drafted to its end.`,
      why: `The model did not answer: ${error.message}.`,
      fix: "Run the same command again: what is drafted stays. `svc doctor` checks the models.",
    },
    { cause: error },
  );
}

function notDrafted(file: string, faults: [path: string, why: string][]): AppError {
  const shown = faults.slice(0, 10).map(([path, why]) => `${path}: ${why}`);
  return new AppError("unavailable", {
    what: `The model could not draft ${faults.length === 1 ? "a text" : `${faults.length} texts`} of ${file}.`,
    why: [...shown, ...(faults.length > 10 ? [`and ${faults.length - 10} more`] : [])].join("\n"),
    fix: "Run the same command again: it asks for these alone. Or write them into the file yourself.",
  });
}
