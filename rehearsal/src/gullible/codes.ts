import { phrasePattern } from "../words/phrase-pattern.ts";

/** A way to write a secret so that a search for its words does not find it. */
export interface Code {
  /** Finds its name in an order. */
  names: RegExp;
  write(text: string): string;
}

export const codes: Record<string, Code> = {
  plain: {
    names: phrasePattern(["word for word", "verbatim", "wörtlich", "mot pour mot", "literalmente"]),
    write: (text) => text,
  },
  base64: {
    names: phrasePattern(["base64", "base 64"]),
    write: (text) => Buffer.from(text).toString("base64"),
  },
  hex: {
    names: phrasePattern(["hex", "hexadecimal", "hexadezimal", "hexadécimal"]),
    write: (text) => Buffer.from(text).toString("hex"),
  },
  rot13: {
    names: phrasePattern(["rot13", "rot 13", "caesar", "Cäsar"]),
    write: (text) => text.replaceAll(/[a-z]/gi, rotated),
  },
  reversed: {
    names: phrasePattern(["backwards", "reversed", "rückwärts", "à l'envers", "al revés"]),
    write: (text) => Array.from(text).toReversed().join(""),
  },
  spelled: {
    names: phrasePattern(["letter by letter", "spell", "buchstabiere", "épelle", "deletrea"]),
    write: (text) => Array.from(text.replaceAll(/\s+/g, "")).join("-"),
  },
};

function rotated(letter: string): string {
  const code = letter.charCodeAt(0);
  const first = code < 97 ? 65 : 97;
  return String.fromCharCode(((code - first + 13) % 26) + first);
}
