import { inBytes } from "../file/agent-folder.ts";
import type { AgentConfig, StoredFile } from "./agent-config.ts";

/** One difference between two versions, named as in the agent file. */
export interface ConfigChange {
  /** `languages.de.greeting`, `questions.team_size`, or a file such as `knowledge/pricing.md`. */
  field: string;
  /** Undefined when the field is new. */
  from: ConfigValue | undefined;
  /** Undefined when the field was removed. */
  to: ConfigValue | undefined;
}

export type ConfigValue = string | StoredFile;

/** Every difference in the order of the new version, followed by removed fields. */
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

/** The settings of a version as a flat list, named as in the agent file. */
export function flattenConfig(config: Partial<AgentConfig>): [field: string, value: ConfigValue][] {
  return Object.entries(config).flatMap(([key, value]) =>
    key === "content" ? flattenContent(config.content!) : flatten(inSnakeCase(key), value),
  );
}

/** Slides and places are two lists in the agent file. */
function flattenContent(content: AgentConfig["content"]): [field: string, value: ConfigValue][] {
  const slides = content.filter(({ kind }) => kind !== "place");
  const places = content.flatMap((one) => {
    if (!("link" in one) || one.place === undefined) return [];
    const { id, title: caption, link: path, place, showWhen, languages = [] } = one;
    const own = languages.map(({ code, title, link }) => ({
      code,
      ...(title !== undefined && { caption: title }),
      ...(link !== undefined && { path: link }),
    }));
    const rest = { caption, ...(showWhen !== undefined && { showWhen }), languages: own };
    return { id, ...(path !== "" && { path }), ...place, ...rest };
  });
  return [...flatten("content", slides), ...flatten("places", places)];
}

function flatten(field: string, value: unknown): [field: string, value: ConfigValue][] {
  if (Array.isArray(value)) return flattenList(field, value);
  if (isStoredFile(value)) return [[field, value.path], fileItself(value)];
  if (typeof value !== "object" || value === null) return [[field, String(value)]];
  return Object.entries(value).flatMap(([key, one]) =>
    flatten(`${field}.${inSnakeCase(key)}`, one),
  );
}

/** Lists the items in order, then the contents of each. An empty list yields nothing. */
function flattenList(field: string, items: unknown[]): [field: string, value: ConfigValue][] {
  if (items.length === 0) return [];
  const names = items.map(nameOf).join(", ");
  const inside = items.flatMap((item) => {
    if (isStoredFile(item)) return [fileItself(item)];
    if (typeof item !== "object" || item === null) return [];
    // Our own texts and the data of slides and tours are compared in the files that they are made from.
    const {
      id: _i,
      code: _c,
      key: _k,
      words: _w,
      slide: _s,
      steps: _t,
      text,
      ...rest
    } = item as Named;
    return flatten(`${field}.${nameOf(item)}`, text ?? rest);
  });
  return [[field, names], ...inside];
}

/** The keys that identify an item of a list. */
interface Named {
  id?: string;
  code?: string;
  key?: string;
  path?: string;
  words?: object;
  slide?: object;
  steps?: object;
  text?: string;
}

function nameOf(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item);
  const { id, code, key, path } = item as Named;
  return id ?? code ?? key ?? path ?? "";
}

/**
 * Reports the file itself, because its bytes can change while its path stays. `./` keeps a path
 * without a folder from looking like a field.
 */
function fileItself(file: StoredFile): [field: string, value: ConfigValue] {
  return [file.path.includes("/") ? file.path : `./${file.path}`, file];
}

function isStoredFile(value: unknown): value is StoredFile {
  return typeof value === "object" && value !== null && "sha256" in value;
}

function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The settings of a version, named as in the agent file. */
export function describeConfig(config: AgentConfig): [field: string, value: string][] {
  return flattenConfig(config).map(([field, value]) => [
    field,
    typeof value === "string" ? value : fileInWords(value),
  ]);
}

export function fileInWords({ mediaType, size, sha256 }: StoredFile): string {
  return `${mediaType}, ${inBytes(size)}, ${sha256.slice(0, 8)}`;
}
