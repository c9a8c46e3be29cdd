import type { Words } from "@svc/contract/types";
import { isMap, Pair, parseDocument, Scalar, YAMLMap } from "yaml";
import type { Document } from "yaml";
import { textOf } from "../file/file-kinds.ts";
import { nearest } from "../file/known-fields.ts";
import { locatedYaml } from "../file/located-yaml.ts";
import type { Mistake } from "../file/mistake.ts";
import { ENGLISH_TEXTS, wordProblem, wordsFrom } from "./check-words.ts";

/** `languages/it.yaml`: our texts in a language that is not built in, as the agent's owner has reviewed them. */
export interface WordsFile {
  /** Absent while texts are missing. */
  words?: Words;
  /** The paths of texts that are not there. */
  missing: string[];
  /** The texts that are there, under their paths. */
  texts: Map<string, string>;
  isReviewed: boolean;
  /** What is wrong with those that are there. */
  mistakes: Mistake[];
}

/** Far more than all texts take in any script. */
export const MAX_WORDS_BYTES = 200_000;

export function wordsPath(code: string): string {
  return `languages/${code}.yaml`;
}

/** @param file as it is shown in messages. */
export function readWordsFile(code: string, bytes: Buffer, file: string): WordsFile {
  const text = textOf(bytes);
  const yaml = locatedYaml(text ?? "");
  const texts = new Map<string, string>();
  const mistakes: Mistake[] = yaml.faults.map(({ path, ...fault }) => ({
    file,
    ...(path.length > 0 && { field: path.join(".") }),
    ...fault,
  }));
  const complain = (field: string, message: string): void =>
    void mistakes.push({ file, ...yaml.locate(field.split(".")), field, message });
  if (text === undefined) mistakes.push({ file, message: "This is no UTF-8 text. Save it so." });

  const { reviewed, ...sections } = asMap(yaml.value) ?? {};
  const read = (value: unknown, path: string): void => {
    const inside = asMap(value);
    if (ENGLISH_TEXTS.has(path)) {
      if (typeof value === "string") texts.set(path, value);
      else complain(path, "This is no text. Write one, in quotes.");
    } else if (!KNOWN.has(path)) {
      const near = nearest(path, [...ENGLISH_TEXTS.keys(), ...KNOWN]);
      const fix = near === undefined ? "Remove it." : `Did you mean \`${near}\`?`;
      complain(path, `This key is not known here. ${fix}`);
    } else if (inside === undefined) complain(path, "Write keys with texts below it, indented.");
    else for (const [key, one] of Object.entries(inside)) read(one, `${path}.${key}`);
  };
  for (const [key, value] of Object.entries(sections)) read(value, key);
  for (const [path, one] of texts) {
    const problem = wordProblem(path, one, texts);
    if (problem !== undefined) complain(path, problem);
  }
  const missing = [...ENGLISH_TEXTS.keys()].filter((path) => !texts.has(path));
  const isWhole = missing.length === 0 && mistakes.length === 0;
  return {
    ...(isWhole && { words: wordsFrom(code, texts) }),
    missing,
    texts,
    isReviewed: reviewed === true,
    mistakes,
  };
}

/** Why a file cannot be applied. */
export function wordsMistakes(
  { missing, isReviewed, mistakes }: WordsFile,
  file: string,
): Mistake[] {
  if (mistakes.length > 0) return mistakes;
  const [first, second] = missing;
  if (first !== undefined) {
    const which = second === undefined ? `${first} is` : `${missing.length} texts are`;
    const hint = second === undefined ? "" : `, ${first} first`;
    const message = `${which} missing here${hint}. \`svc agents apply\` drafts what is missing.`;
    return [{ file, line: 1, message }];
  }
  if (isReviewed) return [];
  const message =
    "Nobody has reviewed these texts. Read them, correct them, and write `reviewed: true`.";
  return [{ file, line: 1, field: "reviewed", message }];
}

/**
 * Adds drafted texts to a file, each below its English original. What is there stays as it is, and
 * the whole counts as unreviewed.
 */
export function withDrafts(
  code: string,
  existing: string | undefined,
  drafts: ReadonlyMap<string, string>,
): string {
  const document = parseDocument(existing ?? `reviewed: false\n`);
  if (existing === undefined) document.commentBefore = header(code);
  document.set("reviewed", false);
  for (const [path, original] of ENGLISH_TEXTS) {
    const draft = drafts.get(path);
    if (draft !== undefined) addText(document, path.split("."), draft, original);
  }
  return document.toString({ lineWidth: 0 });
}

function header(code: string): string {
  const name = new Intl.DisplayNames("en", { type: "language" }).of(code) ?? code;
  return ` Our own texts in ${name}: what visitors read and hear beside your agent's words.
 A model has drafted them. Read each below its English original and correct it; {…} stays
 as it is. Then write true here, and run \`svc agents apply\` again.`;
}

function addText(document: Document, path: string[], text: string, original: string): void {
  const [key = "", ...outer] = path.toReversed();
  let map = document.contents;
  for (const step of outer.toReversed()) {
    if (!isMap(map)) return;
    if (!isMap(map.get(step))) map.set(step, new YAMLMap());
    map = map.get(step) as YAMLMap;
  }
  if (!isMap(map)) return;
  const name = new Scalar(key);
  name.commentBefore = ` ${original}`;
  map.add(new Pair(name, new Scalar(text)), true);
}

/** The paths of maps: `call`, `cards.reasons`. */
const KNOWN: ReadonlySet<string> = new Set(
  [...ENGLISH_TEXTS.keys()].flatMap((path) => {
    const steps = path.split(".");
    return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join("."));
  }),
);

function asMap(value: unknown): Record<string, unknown> | undefined {
  const is = typeof value === "object" && value !== null && !Array.isArray(value);
  return is ? (value as Record<string, unknown>) : undefined;
}
