import { hasForeignLink, IDEOGRAPHIC_STOP } from "./foreign-link.ts";
import { dictationIn } from "./dictation.ts";
import type { SaidInTalk } from "./dictation.ts";

/**
 * A model's message, made safe to send under our name. A visitor could have dictated it for
 * somebody else's address, so sentences that name a host outside the list or that only the visitor
 * said are removed, as is everything but plain text. May return an empty string.
 */
export function cleanSummary(
  summary: string,
  allowedHosts: readonly string[],
  said: SaidInTalk,
): string {
  const isDictated = dictationIn(said);
  const isForeign = (sentence: string, before: string): boolean =>
    hasForeignLink(sentence, allowedHosts, before) || isDictated(sentence, before);
  let [read, kept] = ["", ""];
  for (const line of plainText(summary).split("\n").slice(0, MAX_LINES)) {
    for (const sentence of sentencesOf(line)) {
      // Both what the model wrote before it and what is left of that: each can go on in this sentence.
      const before = [...new Set([read, kept].map((text) => text.slice(-CONTEXT)))];
      const isSaid = /[\p{L}\p{N}]/u.test(sentence);
      if (!isSaid || !before.some((text) => isForeign(sentence, text))) kept += sentence;
      read += sentence;
    }
    kept += "\n";
    read += "\n";
  }
  return shortened(
    kept
      .replaceAll(/ +$/gm, "")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim(),
  );
}

/** So many characters before a sentence are read with it: a number, an address or an order may be spread over lines. */
const CONTEXT = 80;

/**
 * Markdown is removed last: text that it separated may form a link afterwards, and links are
 * searched for after this.
 */
function plainText(summary: string): string {
  return summary
    .slice(0, MAX_READ)
    .toWellFormed()
    .replaceAll(/\r\n?|[\u2028\u2029\u0085\v\f]/g, "\n")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(INVISIBLE, "")
    .replaceAll(/!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])?/g, "")
    .replaceAll(/\[([^\]\n]*)\]\(([^)\n]*)\)/g, "$1 ($2)")
    .replaceAll(/^ *(?:#{1,6}|>) +/gm, "")
    .replaceAll(/^ *[*•] +/gm, "- ")
    .replaceAll(/\*\*|__|`+|~~/g, "");
}

/**
 * Control characters, direction marks and other invisible characters, except the two joiners that
 * Persian and emoji need.
 */
const INVISIBLE = /(?![\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;

/** Each sentence with the space after it. */
function sentencesOf(line: string): string[] {
  return line.match(SENTENCE) ?? [];
}

const SENTENCE = new RegExp(
  String.raw`.*?(?:[.!?…。！？]+["'”’»)\]]*(?: +|$)|(?:${IDEOGRAPHIC_STOP}|[！？])[」』）]*|$)`,
  "gu",
);

/** Keeps the whole sentences that fit. When the first one does not fit, keeps its whole words. */
function shortened(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const kept = text.slice(0, MAX_CHARACTERS - 1);
  const sentences = /^.*(?:[.!?…]["'”’»)\]]*(?=\s)|[。！？][」』）]*)/su.exec(kept)?.[0];
  const words = /^.*\S(?=\s)/su.exec(kept)?.[0];
  return sentences ?? (words === undefined ? "" : `${words}…`);
}

const MAX_CHARACTERS = 1_500;
/** Each line is read with what stands before it, which takes half a millisecond. */
const MAX_LINES = 200;
/** More than is kept, since some of it is removed. Bounded, because patterns are slow on very long lines. */
const MAX_READ = 6_000;
