export interface Agreement {
  /** Of the longer of the two, the share that stands in both in the same order. */
  share: number;
  /** Words at the end of the text after the last that was heard. */
  unheard: number;
}

/** How far a text agrees with the words that were heard. */
export function compareWords(text: readonly string[], heard: readonly string[]): Agreement {
  // best[i][j]: the most words in common of text from i and heard from j.
  const best = Array.from({ length: text.length + 1 }, () => new Uint16Array(heard.length + 1));
  for (let i = text.length - 1; i >= 0; i -= 1) {
    for (let j = heard.length - 1; j >= 0; j -= 1) {
      best[i]![j] =
        text[i] === heard[j]
          ? best[i + 1]![j + 1]! + 1
          : Math.max(best[i + 1]![j]!, best[i]![j + 1]!);
    }
  }
  let [i, j, lastHeard] = [0, 0, -1];
  while (i < text.length && j < heard.length) {
    if (text[i] === heard[j]) {
      lastHeard = i;
      [i, j] = [i + 1, j + 1];
    } else if (best[i + 1]![j]! >= best[i]![j + 1]!) i += 1;
    else j += 1;
  }
  const longer = Math.max(text.length, heard.length);
  return {
    share: longer === 0 ? 1 : best[0]![0]! / longer,
    unheard: text.length - 1 - lastHeard,
  };
}

/** A text's words, however they are written. */
export function foldedWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
}
