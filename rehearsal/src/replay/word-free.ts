import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { parse, stringify } from "yaml";

/** Only these texts of an agent are spoken or read; the others are keys, names and settings. */
const SPOKEN =
  /^(?:greeting|notice|persona|instructions|title|show_when|questions|insights|qualification)$/;
const SAID = /^(?:visitor|say|quote)$/;
const KANJI_FIGURES = "〇一二三四五六七八九十百千万億円半";

/**
 * Copies a corpus with every word replaced by an invented one, the same for the same word everywhere.
 * Figures, addresses and the names of agent and brand stay. Whoever plays it learns what a server does
 * by the words that it knows.
 */
export async function writeWordFree(corpus: string, into: string): Promise<void> {
  await cp(corpus, into, { recursive: true });
  const files = await readdir(into, { recursive: true });
  const names = new Set<string>();
  const agents = files.filter((file) => file.endsWith("agent.yaml"));
  for (const file of agents) {
    const { name, brand } = parse(await readFile(join(into, file), "utf8")) as {
      name: string;
      brand?: { name?: string };
    };
    for (const word of `${name} ${brand?.name ?? ""}`.split(/\s+/u)) names.add(word.toLowerCase());
  }
  const free = inventor(names);
  for (const file of files.toSorted()) {
    const path = join(into, file);
    const change = async (of: (text: string) => string): Promise<void> =>
      writeFile(path, of(await readFile(path, "utf8")));
    if (file.endsWith("agent.yaml"))
      await change((text) => stringify(below(parse(text), SPOKEN, free)));
    else if (file.startsWith("talks/"))
      await change((text) => JSON.stringify(below(JSON.parse(text), SAID, free)));
    else if (file.startsWith("agents/") && [".md", ".csv"].includes(extname(file)))
      await change(free);
  }
}

/** Changes the texts below keys with such a name. */
function below(
  node: unknown,
  keys: RegExp,
  change: (text: string) => string,
  isIn = false,
): unknown {
  if (typeof node === "string") return isIn ? change(node) : node;
  if (Array.isArray(node)) return node.map((one) => below(one, keys, change, isIn));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      below(value, keys, change, isIn || keys.test(key)),
    ]),
  );
}

const KEPT = String.raw`https?:\S+|[\w.+-]+@[\w.-]+\w|(?:[\w-]+\.)+example\S*|[\w.,:%/+-]*\d[\w.,:%/+-]*`;
const LETTER = String.raw`(?=\p{L})[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]`;
const TOKEN = new RegExp(
  `(${KEPT})|(${LETTER})|((?!${LETTER})\\p{L}(?:(?!${LETTER})[\\p{L}\\p{M}])*)`,
  "gu",
);

function inventor(names: Set<string>): (text: string) => string {
  const words = new Map<string, string>();
  const letters = new Map<string, string>();
  return (text) =>
    text.replaceAll(TOKEN, (token, kept?: string, letter?: string) => {
      if (kept !== undefined) return token;
      if (letter !== undefined) {
        const isName = [...names].some((name) => name.includes(letter) && text.includes(name));
        return isName || KANJI_FIGURES.includes(letter)
          ? token
          : taken(letters, letter, inventLetter);
      }
      const small = token.toLowerCase();
      if (names.has(small)) return token;
      const word = taken(words, small, inventWord);
      return token === small ? word : word[0]!.toUpperCase() + word.slice(1);
    });
}

function taken(map: Map<string, string>, key: string, invent: (n: number) => string): string {
  const known = map.get(key) ?? invent(map.size);
  map.set(key, known);
  return known;
}

const SYLLABLES = Array.from("bdfgklmnprstvz").flatMap((c) => Array.from("aeiou", (v) => c + v));

function inventWord(n: number): string {
  const size = SYLLABLES.length;
  const rest = Math.floor(n / size);
  const more = rest < size ? SYLLABLES[(rest * 31) % size]! : inventWord(rest);
  return SYLLABLES[(n * 17) % size]! + more;
}

/** From a block of letters that no text uses and of which none is a figure. */
function inventLetter(n: number): string {
  return String.fromCodePoint(0x3c00 + n);
}
