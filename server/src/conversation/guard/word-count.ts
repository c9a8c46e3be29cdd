/** As people count: what stands between spaces and has a letter or a digit. */
export function wordCount(text: string): number {
  return text.match(WORD)?.length ?? 0;
}

/** The first words of a text, as many as may be said. */
export function cutAtWord(text: string, mostWords: number): string {
  const words = [...text.matchAll(WORD)];
  const last = words[mostWords - 1];
  if (last === undefined || words.length === mostWords) return text;
  return `${text.slice(0, last.index + last[0].length).replace(/[,;:–-]+$/u, "")}…`;
}

const WORD = /\S*[\p{L}\p{N}]\S*/gu;
