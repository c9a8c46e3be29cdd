import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AppError } from "#platform";
import { AgentFile } from "@svc/contract/schemas";
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

/** An agent as defined by its folder, ready to be compared with the version that runs. */
export interface AgentSource {
  /** The name of the folder identifies the agent within its account. */
  slug: string;
  config: AgentConfig;
  files: FileWithBytes[];
  /** Files in `knowledge/` and `content/` that the agent does not use. */
  unused: string[];
}

/**
 * Reads an agent's folder. Throws one error with every mistake in it.
 * @param shown the folder as the operator named it, for messages
 */
export async function readAgent(at: string, shown: string = at): Promise<AgentSource> {
  if (basename(at) === "agent.yaml") return readAgent(dirname(at), dirname(shown));
  const slug = slugOf(at);
  const yamlFile = join(shown, "agent.yaml");
  const yaml = locatedYaml(await readYaml(at, shown));
  const folder = agentFolder(at);
  const inFolder = [...(await folder.list("knowledge")), ...(await folder.list("content"))];

  const problems = agentFileProblems(yaml.value);
  const flawed = new Set(problems.map(({ field }) => fieldName(field ?? [])));
  const references = yaml.value === undefined ? [] : fileReferences(yaml.value, inFolder);
  const loaded = await loadFiles(
    references.filter(({ field }) => field === undefined || !flawed.has(fieldName(field))),
    folder,
  );
  const mistakes = [
    ...yaml.faults.map(({ path, ...fault }) => ({
      file: yamlFile,
      ...(path.length > 0 && { field: fieldName(path) }),
      ...fault,
    })),
    ...[...problems, ...loaded.problems].map((problem) => placed(problem, shown, yaml)),
  ];
  if (mistakes.length > 0) throw new AgentFileError(yamlFile, inOrder(mistakes));

  const stored = (path: string): StoredFile => withoutBytes(loaded.files.get(path)!);
  const knowledge = references.filter(({ kind }) => kind === "knowledge");
  const named = new Set(references.map(({ file }) => file));
  return {
    slug,
    config: resolveConfig(
      AgentFile.parse(yaml.value),
      knowledge.map(({ file }) => stored(file)),
      stored,
      (path) => loaded.files.has(path),
    ),
    files: [...loaded.files.values()],
    unused: inFolder.filter((file) => !named.has(file)),
  };
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
