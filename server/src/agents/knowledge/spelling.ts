/** Finds the words of a vocabulary that are a typing mistake away. */
export class Spelling {
  readonly #words: string[];
  /** By three letters in a row: the places of the words that have them. Made at the first mistake. */
  #byTrigram: Map<string, number[]> | undefined;

  constructor(words: string[]) {
    this.#words = words.filter((word) => word.length >= MIN_LETTERS - MAX_EDITS);
  }

  /** The nearest words, several if they are equally near, none for a word that is too short to tell. */
  nearest(word: string): string[] {
    if (word.length < MIN_LETTERS) return [];
    const edits = word.length < LONG_LETTERS ? 1 : MAX_EDITS;
    const shared = new Map<number, number>();
    this.#byTrigram ??= byTrigram(this.#words);
    for (const trigram of trigramsOf(word))
      for (const at of this.#byTrigram.get(trigram) ?? [])
        shared.set(at, (shared.get(at) ?? 0) + 1);
    const likely = [...shared].toSorted((one, other) => other[1] - one[1]).slice(0, MAX_COMPARED);
    const near = likely
      .map(([at]) => ({ other: this.#words[at]!, distance: distance(word, this.#words[at]!) }))
      // People rarely miss the first letter, and "shipping" is no "clipping".
      .filter((one) => one.distance <= edits && one.other[0] === word[0]);
    const least = Math.min(...near.map((one) => one.distance));
    return near.filter((one) => one.distance === least).map(({ other }) => other);
  }
}

/** In shorter words a letter makes another word: "tariff" is no typing mistake, "shoes" and "shows" are both words. */
const MIN_LETTERS = 6;
const LONG_LETTERS = 9;
const MAX_EDITS = 2;
const MAX_COMPARED = 60;

function byTrigram(words: string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, word] of words.entries())
    for (const trigram of trigramsOf(word)) {
      const found = places.get(trigram);
      if (found === undefined) places.set(trigram, [at]);
      else found.push(at);
    }
  return places;
}

function trigramsOf(word: string): Set<string> {
  const framed = `^${word}$`;
  return new Set(Array.from({ length: framed.length - 2 }, (_, at) => framed.slice(at, at + 3)));
}

/** How many letters were added, left out, exchanged, or swapped with their neighbour. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(
        last[column]! + 1,
        next[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
      );
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && isSwapped) least = Math.min(least, before[column - 2]! + 1);
      next.push(least);
    }
    [before, last] = [last, next];
  }
  return last.at(-1)!;
}
