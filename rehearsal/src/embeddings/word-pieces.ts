/** Cuts texts as BERT was taught to: words without case and accents, and unknown ones into the longest known pieces. */
export class WordPieces {
  readonly #ids: Map<string, number>;

  constructor(vocabulary: Record<string, number>) {
    this.#ids = new Map(Object.entries(vocabulary));
  }

  /** The numbers of the pieces, between the marks for begin and end. */
  of(text: string, most: number): number[] {
    const plain = text.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
    const ids: number[] = [];
    for (const [word] of plain.matchAll(WORD)) {
      if (ids.length >= most) break;
      ids.push(...this.#piecesOf(word));
    }
    return [this.#id("[CLS]"), ...ids.slice(0, most - 2), this.#id("[SEP]")];
  }

  #piecesOf(word: string): number[] {
    const pieces: number[] = [];
    let start = 0;
    while (start < word.length) {
      let end = word.length;
      let id: number | undefined;
      for (; end > start && id === undefined; end -= 1)
        id = this.#ids.get((start === 0 ? "" : "##") + word.slice(start, end));
      if (id === undefined) return [this.#id("[UNK]")];
      pieces.push(id);
      start = end + 1;
    }
    return pieces;
  }

  #id(piece: string): number {
    return this.#ids.get(piece)!;
  }
}

/** Each sign and each Chinese character is a word. */
const WORD = /\p{Script=Han}|[\p{P}\p{S}]|(?:(?!\p{Script=Han})[^\p{P}\p{S}\s\p{C}])+/gu;
