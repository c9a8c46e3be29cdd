import type { AgentFile } from "@svc/contract/types";
import type { AgentFolder } from "./agent-files.ts";

/** One thing made different. */
export interface SingleChange {
  name: string;
  folder: AgentFolder;
}

/**
 * The first agent with one field as in the second: written anew, changed or taken out; each field,
 * each field inside a field, and each file.
 */
export function singleChanges(one: AgentFolder, other: AgentFolder): SingleChange[] {
  const fields = [...new Set([...Object.keys(one.file), ...Object.keys(other.file)])];
  const whole = fields
    .filter((field) => field !== "name" || other.file.name !== one.file.name)
    .map((field) => ({
      name: field,
      folder: withFiles(
        withField(one.file, field, other.file[field as keyof AgentFile]),
        one,
        other,
      ),
    }));
  const inner = fields.flatMap((field) => {
    const [mine, theirs] = [one.file, other.file].map((file) => file[field as keyof AgentFile]);
    if (!isMap(mine) || !isMap(theirs)) return [];
    return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].map((key) => {
      const value = theirs[key] ?? (key in theirs ? null : undefined);
      const changed = withField(one.file, field, without(mine, key, value));
      return { name: `${field}.${key}`, folder: withFiles(changed, one, other) };
    });
  });
  const files = Object.entries(one.files).map(([path, bytes]) => ({
    name: path,
    folder: {
      file: one.file,
      files: { ...one.files, [path]: Buffer.concat([bytes, Buffer.from("!")]) },
    },
  }));
  return [...whole, ...inner, ...files].filter(({ folder }) => isLawful(folder.file));
}

/** The same meaning in another order: of the fields, not of what stands in them. */
export function reordered({ file, files }: AgentFolder): AgentFolder {
  return {
    file: Object.fromEntries(Object.entries(file).toReversed()) as unknown as AgentFile,
    files,
  };
}

function withField(file: AgentFile, field: string, value: unknown): AgentFile {
  return without(file as unknown as Record<string, unknown>, field, value) as unknown as AgentFile;
}

/** Keeps the place of a key that is there. */
function without(
  map: Record<string, unknown>,
  key: string,
  value: unknown,
): Record<string, unknown> {
  const changed = { ...map, [key]: value };
  if (value === undefined) delete changed[key];
  return changed;
}

/** What the changed agent names must be there; knowledge that no one names must not, where the folder decides. */
function withFiles(file: AgentFile, one: AgentFolder, other: AgentFolder): AgentFolder {
  const named = [
    ...(file.knowledge ?? Object.keys(one.files).filter((path) => path.startsWith("knowledge/"))),
    ...(file.content ?? []).flatMap((content) => content.file ?? []),
    ...(file.brand?.logo === undefined ? [] : [file.brand.logo]),
  ];
  const files = named.map((path) => [path, one.files[path] ?? other.files[path]!] as const);
  return { file, files: Object.fromEntries(files) };
}

/** Some changes need a second one to be allowed; those are none. */
function isLawful({ name, languages, default_language, qualification }: AgentFile): boolean {
  const codes = Object.keys(languages ?? { en: null });
  return (
    name !== undefined &&
    codes.length > 0 &&
    (default_language === undefined || codes.includes(default_language)) &&
    (qualification === undefined || qualification.qualified !== undefined)
  );
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
