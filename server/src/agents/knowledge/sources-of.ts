import { factsIn, fold, hasNounCapitals, sentencesOf, Source } from "#language";
import type { KnowledgeSection } from "./knowledge-sections.ts";

/**
 * The sections in which a sentence's facts stand: one line there has all of its numbers and names, denies the same, and no
 * other line of any section is more about the same things. Otherwise "Team costs 59" would have the price of another plan as
 * its source. None for a sentence without facts, since anything could be its source.
 */
export function sourcesOf(
  sentence: string,
  language: string,
  sections: KnowledgeSection[],
): KnowledgeSection[] {
  const facts = factsIn(sentence, language);
  const about = thingsIn(sentence);
  // "It is set to 0 by default" is true of anything.
  if (facts.length === 0 || about.size < 2) return [];
  const denied = deniedIn(sentence);
  // "10 berths" are no "10 invoices".
  const counted = sentence.match(/(?<=\p{N}\s+)\p{L}+/gu) ?? [];
  // "export()" is no other function.
  const called = sentence.match(/[\p{L}\p{N}_-]+(?=\()/gu) ?? [];
  const required = thingsIn([...counted, ...capitalsIn(sentence, language)].join(" "));
  // With fewer, common words would do: "the same format as that of each".
  let most = Math.max(2, Math.ceil((about.size * 2) / 3));
  const found: { section: KnowledgeSection; shared: number }[] = [];
  for (const section of sections)
    for (const { things, denied: deniedThere, source } of linesOf(section, language)) {
      const shared = [...about].filter((thing) => things.has(thing)).length;
      if (shared < most) continue;
      most = shared;
      const isSame =
        denied.length === deniedThere.length &&
        denied.every((word) => deniedThere.includes(word)) &&
        [...required].every((thing) => things.has(thing)) &&
        called.every((name) => source.says(name));
      if (isSame && facts.every((fact) => source.holds(fact))) found.push({ section, shared });
    }
  return [...new Set(found.flatMap(({ section, shared }) => (shared === most ? section : [])))];
}

/** Reading a section costs more than asking it, and every sentence of a talk asks. */
const lines = new WeakMap<KnowledgeSection, Line[]>();

interface Line {
  things: Set<string>;
  denied: string[];
  source: Source;
}

/** The sentences, list items and table rows of a section, each under its headings. */
function linesOf(section: KnowledgeSection, language: string): Line[] {
  const known = lines.get(section);
  if (known !== undefined) return known;
  const { name, text } = section;
  // A number in a heading is the chapter's, not the line's.
  const headings = name.slice(name.indexOf("#") + 1).replaceAll(/\p{N}/gu, "");
  const found = text
    .replaceAll(CODE, "\n\n")
    .split(/\n(?=\s*(?:[-*+|>#]|\d+[.)]\s))|\n\s*\n/)
    .flatMap((block) => sentencesOf(block.replaceAll(/\s+/g, " ").trim(), language))
    .map((line) => ({
      things: thingsIn(`${headings} ${line}`),
      denied: deniedIn(line),
      // A name in a heading is not what the line says: "Ian Debian died" under "What Is Debian?".
      source: new Source(line),
    }));
  lines.set(section, found);
  return found;
}

/** An example: a number in it is no fact. Long sections are cut, so a part may begin or end in the middle of one. */
const CODE = /^[ \t]*(```|~~~)[^]*?(?:^[ \t]*\1|$(?![^]))|^(?: {4}|\t)+[^\s\-*+\d].*$/gm;

/** What a text is about: the beginnings of its longer words, so that "prices" and "price" are one. */
function thingsIn(text: string): Set<string> {
  const words = fold(text).split(" ");
  return new Set(words.filter((word) => /^\p{L}{4,}$/u.test(word)).map((word) => word.slice(0, 5)));
}

/** Words that a capital may make a name, although most are plain: "the Mail plan". */
function capitalsIn(sentence: string, language: string): string[] {
  if (hasNounCapitals(language)) return [];
  return sentence.match(/(?<=[\p{L}\p{N},]\s)\p{Lu}\p{L}+/gu) ?? [];
}

/** The word behind each denial: "it is not sold, and can be rented" is another thing than "it is sold, and cannot be rented". */
function deniedIn(text: string): string[] {
  return [...text.matchAll(DENIAL)].map(([, word = ""]) => fold(word).trim().slice(0, 5));
}

/** In the built-in languages. A denial in another is not seen: there the guard alone keeps a false sentence back. */
const DENIAL =
  /(?:\b(?:not|no|never|none|nobody|nothing|without|cannot|nicht|kein\p{L}*|nie|niemals|ohne|pas|jamais|sans|aucun\p{L}*|nunca|sin|ning[uú]n\p{L}*)\b|n['’]t\b)(?=[^\p{L}\p{N}]*([\p{L}\p{N}]*))/giu;
