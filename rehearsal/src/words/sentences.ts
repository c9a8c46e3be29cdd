/** A sentence longer than this is cut at a word: a quote is to be read, not a whole speech. */
const LONGEST = 240;

/** The sentences of a text, as they stand in it. */
export function sentences(text: string): string[] {
  return text
    .trim()
    .split(/(?<=[.!?…。！？]["”“»’)]?)\s+/u)
    .filter((sentence) => sentence !== "")
    .map(shortened);
}

export function isQuestion(sentence: string): boolean {
  return /[?？]["”“»’)]?$/u.test(sentence);
}

function shortened(sentence: string): string {
  if (sentence.length <= LONGEST) return sentence;
  const space = sentence.lastIndexOf(" ", LONGEST);
  return sentence.slice(0, space > 0 ? space : LONGEST).toWellFormed();
}
