import * as z from "zod";
import type { Message } from "../language-model/chat-request.ts";
import { orElse, readJson } from "../read-value.ts";

/**
 * What a verifier says about a sentence, by one honest rule: a figure or price is invented unless it
 * stands in what the agent knows or the visitor said it. Undefined for a request that is no verifier's.
 */
export function checkSentence(messages: Message[]): "ok" | "invented" | undefined {
  const [system, user] = messages;
  if (!isForVerifier(messages) || system === undefined || user === undefined) return undefined;
  const { sentence, visitor, sections, calculated, ...told } = readJson(checked, user.text);
  // The server has checked that a declared calculation comes out as it is spoken.
  if (calculated.length > 0) return "ok";
  const known = [system.text.slice(system.text.indexOf("\n# ")), ...sections].join("\n");
  const said = `${visitor}\n${JSON.stringify(told)}`;
  const figures = [...figuresIn(known), ...figuresIn(said)];
  // A price that only the visitor named may be spoken of, but not confirmed.
  const prices = [...pricesIn(known), ...(NOT_CONFIRMING.test(sentence) ? pricesIn(said) : [])];
  const isFounded =
    figuresIn(sentence).every((figure) => figures.includes(figure)) &&
    pricesIn(sentence).every((price) => prices.includes(price));
  return isFounded ? "ok" : "invented";
}

export function isForVerifier([system]: Message[]): boolean {
  return system?.text.startsWith(OPENING) === true;
}

const OPENING = "You check single sentences of a demo agent before a visitor hears them.";

const checked = z.looseObject({
  sentence: z.string(),
  visitor: orElse(z.string(), ""),
  sections: orElse(z.array(z.string()), []),
  calculated: orElse(z.array(z.string()), []),
});

const NOT_CONFIRMING =
  /(?<!\p{L})(?:no|not|nor|neither|\p{L}+n['’]t|cannot|your|whether|kein\p{L}*|nicht|weder|ihr\p{L}*|ob|pas|aucun\p{L}*|ni|votre|vos|si|su|sus|ningun\p{L}*|ningún)(?!\p{L})/iu;

/** Numbers in digits, without what groups or divides them. */
function figuresIn(text: string): string[] {
  const numbers = text.match(/\d+(?:[.,'’\u00A0\u202F ]\d{3})*(?:[.,]\d+)?/gu) ?? [];
  return numbers.map((number) => number.replaceAll(/\D/g, ""));
}

const UNIT = String.raw`(?:euros?|dollars?|dólares|pounds?|francs?|cents?|percent|prozent|pour\s?cent|por\s?ciento|[€$£%])`;
const PRICE = new RegExp(
  String.raw`[€$£]\s?\d[\d.,]*|(?:\d[\d.,'’\u00A0\u202F ]*|(?<!\p{L})\p{L}+)\s?${UNIT}(?!\p{L})`,
  "giu",
);

/** Numbers, in digits or in words, with what makes a price of them. */
function pricesIn(text: string): string[] {
  return (text.match(PRICE) ?? []).map((price) => {
    const [figure] = figuresIn(price);
    return figure ?? price.toLowerCase().replaceAll(/\s+/g, " ");
  });
}
