import { hasForeignLink, IDEOGRAPHIC_STOP } from "./foreign-link.ts";
import { isDictated } from "./is-dictated.ts";
import type { SaidInTalk } from "./is-dictated.ts";

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
  const lines = plainText(summary)
    .split("\n")
    .map((line) =>
      sentencesOf(line)
        .filter(
          (sentence) => !hasForeignLink(sentence, allowedHosts) && !isDictated(sentence, said),
        )
        .join("")
        .trim(),
    );
  return shortened(
    lines
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim(),
  );
}

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
/** More than is kept, since some of it is removed. Bounded, because patterns are slow on very long lines. */
const MAX_READ = 6_000;
