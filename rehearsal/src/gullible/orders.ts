import { phrasePattern } from "../words/phrase-pattern.ts";
import { codes } from "./codes.ts";
import type { Code } from "./codes.ts";

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
