/** The key that an unknown one was probably meant to be, according to the schema of the whole file. */
export function hintFor(root: FileSchema, path: readonly PropertyKey[], key: string): string {
  const near = nearest(key, keysAt(root, path));
  if (near !== undefined) return `Did you mean \`${near}\`?`;
  const place = placeOf(root, key);
  if (place !== undefined) return `It belongs into \`${place}\`.`;
  return "Remove it.";
}

/**
 * The closest word, if it differs little enough to be a typo: by a third of its letters, or by at
 * most `most`.
 */
export function nearest(
  word: string,
  known: readonly string[],
  maxSlips: number = Infinity,
): string | undefined {
  const wanted = plain(word);
  const [best] = known
    .map((one) => ({ one, slips: Math.min(maxSlips, Math.max(1, Math.floor(one.length / 3))) }))
    .filter(({ one, slips }) => Math.abs(one.length - wanted.length) <= slips)
    .map(({ one, slips }) => ({ one, slips, steps: distance(wanted, plain(one)) }))
    .filter(({ slips, steps }) => steps <= slips)
    .toSorted((a, b) => a.steps - b.steps);
  return best?.one;
}

/** The keys that are allowed at this place, in the order of the contract. */
function keysAt(root: FileSchema, path: readonly PropertyKey[]): string[] {
  return Object.keys(path.reduce<FileSchema>(below, root).properties ?? {});
}

/** The parts of a JSON Schema that are used here. */
export interface FileSchema {
  type?: string | string[];
  properties?: Record<string, FileSchema>;
  items?: FileSchema;
  additionalProperties?: FileSchema | boolean;
  anyOf?: FileSchema[];
}

function below(at: FileSchema, step: PropertyKey): FileSchema {
  const { additionalProperties: others } = at;
  const next =
    at.properties?.[String(step)] ?? at.items ?? (typeof others === "object" ? others : undefined);
  return next?.anyOf?.find((one) => one.properties !== undefined) ?? next ?? {};
}

/** Returns the path where a key belongs: `limits.max_minutes`, `languages.<code>.greeting`. */
function placeOf(root: FileSchema, key: string): string | undefined {
  for (const field of Object.keys(root.properties ?? {})) {
    const inside = below(root, field);
    const deeper = inside.items === undefined ? `${field}.<code>` : `${field}[]`;
    for (const [at, place] of [
      [inside, field],
      [below(inside, "any"), deeper],
    ] as const) {
      const name = Object.keys(at.properties ?? {}).find((one) => plain(one) === plain(key));
      if (name !== undefined) return `${place}.${name}`;
    }
  }
  return undefined;
}

/** Makes `recordLanguage`, `record-language` and `Record_Language` equal. */
function plain(word: string): string {
  return word.replace(/(?<=[a-z])(?=[A-Z])|[-\s]/g, "_").toLowerCase();
}

/** The Levenshtein distance: letters to add, drop or change. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const change = from[i] === to[j] ? 0 : 1;
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + change));
    }
    row = next;
  }
  return row[to.length]!;
}
