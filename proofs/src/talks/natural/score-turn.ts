import { bare } from "@svc/rehearsal";
import type { Sentence } from "@svc/rehearsal";

/** What became of a sentence: the visitor read it, read it otherwise or in part, or not at all. */
export type Fate = "reached" | "altered" | "dropped";

/** Compares what a model wanted to say with what its visitor read, white space apart. `added` is the server's own. */
export function scoreTurn(
  sentences: Sentence[],
  read: string,
  language: string,
): { fates: Fate[]; added: string[] } {
  let rest = read.normalize("NFC");
  const fates = new Map<Sentence, Fate>();
  // The longest first: a short one may stand inside of another.
  for (const one of sentences.toSorted((a, b) => b.say.length - a.say.length)) {
    const without = rest.replace(spaced(one.say), "\n");
    fates.set(one, without === rest ? "dropped" : "reached");
    rest = without;
  }
  const pieces = rest.split("\n").flatMap((part) => sentencesOf(part, language));
  const added = pieces.filter((piece) => {
    const lost = sentences.find((one) => fates.get(one) !== "reached" && isOf(piece, one.say));
    if (lost !== undefined) fates.set(lost, "altered");
    return lost === undefined;
  });
  return { fates: sentences.map((one) => fates.get(one)!), added };
}

/** Finds a text with any white space between its letters. */
function spaced(text: string): RegExp {
  const letters = Array.from(bare(text), (one) =>
    one.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`),
  );
  return new RegExp(letters.join(String.raw`\s*`));
}

export function sentencesOf(text: string, language: string): string[] {
  const segments = new Intl.Segmenter(language, { granularity: "sentence" }).segment(text);
  return Array.from(segments, (one) => one.segment.trim()).filter((one) =>
    /[\p{L}\p{N}]/u.test(one),
  );
}

/** A part of the sentence, or the sentence with a word or two changed. */
function isOf(piece: string, sentence: string): boolean {
  if (bare(sentence).includes(bare(piece))) return true;
  const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const meant = words(sentence);
  const got = [...words(piece)];
  return got.length > 2 && got.filter((word) => meant.has(word)).length >= got.length * 0.8;
}
