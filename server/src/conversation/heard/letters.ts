import { UNSPACED } from "#language";

/** A letter or digit of a text, without case and marks. */
export interface Letter {
  /** One UTF-16 unit, so that letters count as `indexOf` does. */
  value: string;
  /** Where it ends in the text. */
  end: number;
  endsWord: boolean;
}

/**
 * Returns the audible letters of a text. Punctuation, spaces, case and accents are left out:
 * voices change them in what they report.
 */
export function lettersOf(text: string): Letter[] {
  const letters: Letter[] = [];
  let end = 0;
  const endWord = (): void => {
    const last = letters.at(-1);
    if (last !== undefined) last.endsWord = true;
  };
  for (const character of text) {
    end += character.length;
    const standsAlone = STANDS_ALONE.test(character);
    if (standsAlone || SPACE.test(character)) endWord();
    for (const value of folded(character).split("")) letters.push({ value, end, endsWord: false });
    if (standsAlone) endWord();
  }
  endWord();
  return letters;
}

function folded(character: string): string {
  if (PLAIN.test(character)) return character.toLowerCase();
  return character.normalize("NFKD").toLowerCase().replaceAll(SILENT, "");
}

const PLAIN = /^[a-zA-Z0-9]$/;
const SPACE = /^\s$/u;
const SILENT = /[^\p{L}\p{N}]/gu;
const STANDS_ALONE = new RegExp(String.raw`^[[\p{L}\p{N}]&&[${UNSPACED}]]$`, "v");
