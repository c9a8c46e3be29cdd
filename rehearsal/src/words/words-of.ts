/** The words and numbers of a text, folded. An apostrophe or hyphen inside belongs to the word. */
export function wordsOf(text: string): string[] {
  return text.normalize("NFKC").toLowerCase().replaceAll("’", "'").match(WORD) ?? [];
}

const WORD = /[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu;
