import { inBytes } from "../file/agent-folder.ts";
import type { AgentConfig, StoredFile } from "./agent-config.ts";

/** One difference between two versions, by the names of the agent file. */
export interface ConfigChange {
  /** `languages.de.greeting`, `questions.team_size`, or a file such as `knowledge/pricing.md`. */
  field: string;
  /** Undefined: it was not there before. */
  from: ConfigValue | undefined;
  /** Undefined: it is not there any more. */
  to: ConfigValue | undefined;
}

export type ConfigValue = string | StoredFile;

/** Every difference, in the order of the new version; what is gone comes last. */
export function compareConfigs(from: Partial<AgentConfig>, to: AgentConfig): ConfigChange[] {
  const before = new Map(flattenConfig(from));
  const after = new Map(flattenConfig(to));
  const gone = [...before.keys()].filter((field) => !after.has(field));
  return [...after.keys(), ...gone]
    .map((field) => ({ field, from: before.get(field), to: after.get(field) }))
    .filter((change) => !isSame(change.from, change.to));
}

function isSame(from: ConfigValue | undefined, to: ConfigValue | undefined): boolean {
  if (typeof from !== "object" || typeof to !== "object") return from === to;
  return from.sha256 === to.sha256 && from.mediaType === to.mediaType;
}

/** The settings of a version, one by one, by the names of the agent file. */
export function flattenConfig(config: Partial<AgentConfig>): [field: string, value: ConfigValue][] {
  return Object.entries(config).flatMap(([key, value]) => flatten(inSnakeCase(key), value));
}

function flatten(field: string, value: unknown): [field: string, value: ConfigValue][] {
  if (Array.isArray(value)) return flattenList(field, value);
  if (isStoredFile(value)) return [[field, value.path], fileItself(value)];
  if (typeof value !== "object" || value === null) return [[field, String(value)]];
  return Object.entries(value).flatMap(([key, one]) =>
    flatten(`${field}.${inSnakeCase(key)}`, one),
  );
}

/** First the items in their order, then what each of them holds. An empty list says nothing. */
function flattenList(field: string, items: unknown[]): [field: string, value: ConfigValue][] {
  if (items.length === 0) return [];
  const names = items.map(nameOf).join(", ");
  const inside = items.flatMap((item) => {
    if (isStoredFile(item)) return [fileItself(item)];
    if (typeof item !== "object" || item === null) return [];
    const { id: _id, code: _code, key: _key, text, ...rest } = item as Named;
    return flatten(`${field}.${nameOf(item)}`, text ?? rest);
  });
  return [[field, names], ...inside];
}

/** An item of a list is told apart by its name. */
interface Named {
  id?: string;
  code?: string;
  key?: string;
  path?: string;
  text?: string;
}

function nameOf(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item);
  const { id, code, key, path } = item as Named;
  return id ?? code ?? key ?? path ?? "";
}

/** The bytes of a file change while its path stays. A path without a folder could be taken for a field. */
function fileItself(file: StoredFile): [field: string, value: ConfigValue] {
  return [file.path.includes("/") ? file.path : `./${file.path}`, file];
}

function isStoredFile(value: unknown): value is StoredFile {
  return typeof value === "object" && value !== null && "sha256" in value;
}

function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The settings of a version, by the names of the agent file. */
export function describeConfig(config: AgentConfig): [field: string, value: string][] {
  return flattenConfig(config).map(([field, value]) => [
    field,
    typeof value === "string" ? value : fileInWords(value),
  ]);
}

export function fileInWords({ mediaType, size, sha256 }: StoredFile): string {
  return `${mediaType}, ${inBytes(size)}, ${sha256.slice(0, 8)}`;
}
