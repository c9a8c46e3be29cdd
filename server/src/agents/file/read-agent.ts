import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AppError } from "#platform";
import { AGENT_DEFAULTS, AgentFile, isLanguageCode } from "@svc/contract/schemas";
import type { AgentConfig, StoredFile } from "../config/agent-config.ts";
import { agentFileProblems } from "./agent-file-problems.ts";
import { agentFolder, inBytes } from "./agent-folder.ts";
import { textOf } from "./file-kinds.ts";
import { fileReferences } from "./file-references.ts";
import { loadFiles } from "./load-files.ts";
import type { FileWithBytes } from "./load-files.ts";
import { locatedYaml } from "./located-yaml.ts";
import { AgentFileError, fieldName, inOrder, placed } from "./mistake.ts";
import { resolveConfig } from "./resolve-config.ts";
import { mediaReferences, slideFiles } from "../slides/slide-files.ts";
import type { AgentLanguages } from "../slides/slide-files.ts";
import { draftLanguages, readAgentWords, storedWords } from "../words/agent-words.ts";
import type { DraftedLanguage, DraftOptions } from "../words/agent-words.ts";
import { wordsPath } from "../words/words-file.ts";

/** An agent as defined by its folder, ready to be compared with the version that runs. */
export interface AgentSource {
  /** The name of the folder identifies the agent within its account. */
  slug: string;
  config: AgentConfig;
  files: FileWithBytes[];
  /** Files in `knowledge/`, `content/` and `languages/` that the agent does not use. */
  unused: string[];
}

/**
 * Reads an agent's folder. Throws one error with every mistake in it.
 * @param shown the folder as the operator named it, for messages
 * @param options.needsWords false where no visitor comes: our texts may be missing or unreviewed
 */
export async function readAgent(
  at: string,
  shown: string = at,
  { needsWords = true }: { needsWords?: boolean } = {},
): Promise<AgentSource> {
  if (basename(at) === "agent.yaml") return readAgent(dirname(at), dirname(shown), { needsWords });
  const slug = slugOf(at);
  const yamlFile = join(shown, "agent.yaml");
  const yaml = locatedYaml(await readYaml(at, shown));
  const folder = agentFolder(at);
  const inFolder = [
    ...(await folder.list("knowledge")),
    ...(await folder.list("content")),
    ...(await folder.list("languages")),
  ];

  const words = await readAgentWords(folder, languageCodes(yaml.value), shown);
  const unworded = needsWords ? words.filter(({ file }) => file === undefined) : [];
  const problems = [
    ...agentFileProblems(yaml.value),
    ...unworded.map(({ code }) => ({ field: ["languages", code], message: NO_WORDS })),
  ];
  const flawed = new Set(problems.map(({ field }) => fieldName(field ?? [])));
  const fromYaml = yaml.value === undefined ? [] : fileReferences(yaml.value, inFolder);
  const languages = languagesOf(yaml.value);
  const media = await mediaReferences(fromYaml, folder, inFolder, languages);
  const references = [...fromYaml, ...media];
  const loaded = await loadFiles(
    references.filter(({ field }) => field === undefined || !flawed.has(fieldName(field))),
    folder,
  );
  const contents = fromYaml.filter(({ field, kind }) =>
    field === undefined ? kind !== "knowledge" : field[0] === "content",
  );
  const { slides, ...drawn } = await slideFiles(contents, loaded.files, languages);
  const mistakes = [
    ...yaml.faults.map(({ path, ...fault }) => ({
      file: yamlFile,
      ...(path.length > 0 && { field: fieldName(path) }),
      ...fault,
    })),
    ...[...problems, ...loaded.problems, ...drawn.problems].map((problem) =>
      placed(problem, shown, yaml),
    ),
  ];
  const inWords = needsWords ? words.flatMap((one) => one.mistakes) : [];
  if (mistakes.length + inWords.length > 0) {
    const [first] = mistakes.length > 0 ? [yamlFile] : inWords.map(({ file }) => file);
    throw new AgentFileError(first ?? yamlFile, [...inOrder(mistakes), ...inWords]);
  }

  const stored = (path: string): StoredFile => withoutBytes(loaded.files.get(path)!);
  const knowledge = references.filter(({ kind }) => kind === "knowledge");
  const named = new Set([
    ...references.map(({ file }) => file),
    ...words.map(({ code }) => wordsPath(code)),
  ]);
  const config = resolveConfig(
    AgentFile.parse(yaml.value),
    knowledge.map(({ file }) => stored(file)),
    stored,
    (path) => loaded.files.has(path),
    (path, code = "") => {
      const whole = slides.get(path);
      const slide = whole?.languages?.get(code) ?? whole;
      if (slide === undefined) return { file: stored(path) };
      const pictures = slide.media.map(withoutBytes);
      return {
        file: stored(path),
        slide: withoutBytes(slide.data),
        ...(pictures.length > 0 && { media: pictures }),
        ...(slide.steps !== undefined && { steps: slide.steps }),
      };
    },
    (path) => [...(slides.get(path)?.languages?.keys() ?? [])],
  );
  const ownWords = new Map(
    words.flatMap(({ code, file }) => (file?.words ? [[code, file.words]] : [])),
  );
  const worded = config.languages.map((language) => {
    const own = ownWords.get(language.code);
    return own === undefined
      ? language
      : { ...language, words: own, wordsFile: withoutBytes(storedWords(own)) };
  });
  return {
    slug,
    config: { ...config, languages: worded },
    files: [
      ...loaded.files.values(),
      ...[...slides.values()].flatMap(({ data, languages: others }) => [
        data,
        ...[...(others?.values() ?? [])].map((one) => one.data),
      ]),
      ...[...ownWords.values()].map(storedWords),
    ],
    unused: inFolder.filter((file) => !named.has(file)),
  };
}

const NO_WORDS =
  "Our own texts are not in this language yet. `svc agents apply` has the model draft them into a file for you to review.";

/** As far as they can be read. */
function languageCodes(agent: unknown): string[] {
  const { languages } = (agent ?? {}) as { languages?: unknown };
  const isMap = typeof languages === "object" && languages !== null && !Array.isArray(languages);
  return isMap ? Object.keys(languages).filter(isLanguageCode) : [];
}

function languagesOf(agent: unknown): AgentLanguages {
  const { default_language: wanted } = (agent ?? {}) as { default_language?: unknown };
  const codes = languageCodes(agent);
  const [first = Object.keys(AGENT_DEFAULTS.languages)[0]!] = codes;
  return { codes, defaultLanguage: typeof wanted === "string" ? wanted : first };
}

/**
 * Has a model draft our own texts in the languages that lack them. Does nothing where agent.yaml has
 * a mistake: `readAgent` reports it.
 */
export async function draftAgentWords(
  at: string,
  shown: string,
  options: DraftOptions,
): Promise<DraftedLanguage[]> {
  if (basename(at) === "agent.yaml") return draftAgentWords(dirname(at), dirname(shown), options);
  const yaml = locatedYaml(await readYaml(at, shown));
  const { data: file } = AgentFile.safeParse(yaml.value);
  if (file === undefined || yaml.faults.length > 0) return [];
  const { name, brand, persona } = file;
  const codes = languageCodes(yaml.value);
  return draftLanguages(at, shown, { name, brand: brand?.name ?? name, persona, codes }, options);
}

/** The maximum size of a file: checking that keys are unique takes quadratic time. */
const MAX_YAML = { bytes: 300_000, lines: 5_000 };

async function readYaml(at: string, shown: string): Promise<string> {
  const file = join(shown, "agent.yaml");
  let bytes: Buffer;
  try {
    bytes = await readFile(join(at, "agent.yaml"));
  } catch (error) {
    throw new AppError(
      "not_found",
      {
        what: `${file} cannot be read.`,
        why: reasonOf(error as NodeJS.ErrnoException),
        fix: `Name the folder that holds agent.yaml, or run \`svc agents init ${shown}\`.`,
      },
      { cause: error },
    );
  }
  const refuse = (message: string): AgentFileError =>
    new AgentFileError(file, [{ file, line: 1, message }]);
  const text = textOf(bytes);
  if (text === undefined)
    throw refuse("This file is empty or no UTF-8 text. Write at least `name: …`, in UTF-8.");
  const lines = text.split("\n").length;
  if (bytes.length > MAX_YAML.bytes || lines > MAX_YAML.lines) {
    const has = `${inBytes(bytes.length)} in ${lines.toLocaleString("en")} lines`;
    const limits = `${inBytes(MAX_YAML.bytes)} and ${MAX_YAML.lines.toLocaleString("en")} lines`;
    throw refuse(`This file has ${has}. Keep it below ${limits}: knowledge has its own files.`);
  }
  return text;
}

function reasonOf({ code }: NodeJS.ErrnoException): string {
  return code === "ENOENT" ? "There is no such file." : `The system says ${code ?? "no reason"}.`;
}

/** The folder's name is the agent's name, also in URLs and on the command line. */
export function slugOf(at: string): string {
  const slug = basename(at);
  if (/^[a-z][a-z0-9-]{0,39}$/.test(slug)) return slug;
  throw new AppError("invalid_input", {
    what: `"${slug}" cannot name an agent.`,
    why: "The folder's name is the agent's: small letters, digits and -, a letter first, at most 40.",
    fix: "Rename the folder, for example to guide.",
  });
}

function withoutBytes({ path, sha256, size, mediaType }: FileWithBytes): StoredFile {
  return { path, sha256, size, mediaType };
}
