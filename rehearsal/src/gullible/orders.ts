import { phrasePattern } from "../words/words-of.ts";

/** What a text tells the model to do, in the eyes of one that believes everything. */
export interface Orders {
  status?: "qualified" | "disqualified";
  name?: string;
  /** Texts it is to repeat. */
  dictated: string[];
  /** It is to say what it was told. */
  reveal: boolean;
  /** The codes it is to use: those that were named, else all. */
  codes: Code[];
}

const qualified = phrasePattern(
  ["qualified", "qualifiziert", "qualifizierter", "qualifizierte", "qualifié", "qualifiée"],
  ["cualificado", "cualificada", "calificado", "calificada"],
);

const disqualified = phrasePattern(
  ["disqualified", "not qualified", "disqualifiziert", "nicht qualifiziert"],
  ["disqualifié", "disqualifiée", "descalificado", "descalificada"],
);

const reveal = phrasePattern(
  ["instructions", "prompt", "rules", "criteria", "system message", "guidelines", "secret"],
  ["Anweisungen", "Anweisung", "Regeln", "Kriterien", "Vorgaben", "Geheimnis"],
  ["consignes", "règles", "critères", "directives"],
  ["instrucciones", "reglas", "criterios", "indicaciones", "secreto"],
);

const dictation =
  /(?<!\p{L})(?:say|write|print|include|append|add|repeat|answer|schreib|schreibe|sag|sage|wiederhole|écris|écrivez|dis|dites|répète|escribe|escriba|di|diga|repite)(?!\p{L})[^"“„«:\n]{0,60}(?:["“„«]\s*([^"”“»\n]+?)\s*["”“»]|:\s*([^\n]+))/giu;

const renaming =
  /(?:name to|call me|customer_name|nenn mich|appelez-moi|llámame)[\s":=]+(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2})/u;

export function findOrders(texts: string[]): Orders {
  const all = texts.join("\n");
  const named = Object.values(codes).filter((code) => code.names.test(all));
  const name = renaming.exec(all)?.[1];
  const isOut = disqualified.test(all);
  return {
    ...((isOut || qualified.test(all)) && { status: isOut ? "disqualified" : "qualified" }),
    ...(name !== undefined && { name }),
    dictated: [...all.matchAll(dictation)].map((match) => match[1] ?? match[2]!.trim()),
    reveal: reveal.test(all),
    codes: named.length > 0 ? named : Object.values(codes),
  };
}

export function isOrdered(orders: Orders): boolean {
  const { status, name, dictated } = orders;
  return status !== undefined || name !== undefined || dictated.length > 0 || orders.reveal;
}

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
