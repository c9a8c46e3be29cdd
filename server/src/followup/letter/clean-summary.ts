import { hasForeignLink } from "./foreign-link.ts";

/**
 * A model's message as we may put our name to it. Whoever talked could have dictated it, to be sent
 * to somebody else's address: a sentence that leads to a host outside the list goes, and so does
 * all that is not plain text. May come out empty.
 */
export function cleanSummary(summary: string, allowedHosts: readonly string[]): string {
  const lines = plainText(summary)
    .split("\n")
    .map((line) =>
      sentencesOf(line)
        .filter((sentence) => !hasForeignLink(sentence, allowedHosts))
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

/** Last of all the dressing goes: what it held apart may be a link once it has gone, and links are looked for after this. */
function plainText(summary: string): string {
  return summary
    .slice(0, MOST_READ)
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

/** Controls, marks of direction and other things without a shape; not the two that Persian and emoji are joined by. */
const INVISIBLE = /(?![\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;

/** Each with the space behind it. */
function sentencesOf(line: string): string[] {
  return line.match(/.*?(?:[.!?…。！？]+["'”’»)\]]*(?: +|$)|$)/gu) ?? [];
}

/** Whole sentences as far as they fit; of a first one that does not fit, whole words. */
function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  const kept = text.slice(0, LONGEST - 1);
  const sentences = /^.*[.!?…。！？]["'”’»)\]]*(?=\s)/su.exec(kept)?.[0];
  const words = /^.*\S(?=\s)/su.exec(kept)?.[0];
  return sentences ?? (words === undefined ? "" : `${words}…`);
}

const LONGEST = 1_500;
/** More than is kept, since some of it goes; patterns take long on a model's endless lines. */
const MOST_READ = 6_000;
