import { object, oneOf, text } from "../../shape.ts";
import type { Shape } from "../../shape.ts";
import { languages } from "../../words/language-of.ts";
import type { Language } from "../../words/language-of.ts";
import { phrases, variants } from "./localised.ts";

/** How a host hears and speaks one language, whatever the product is. */
export interface Manners {
  about: string;
  language: Language;
  /** Phrases by which a visitor's turn is known, as whole words; `*` at the end stands for any ending. */
  hears: Record<(typeof heardKinds)[number], string[]>;
  /** What is said then, and for each goal. Several to choose from. */
  says: Record<(typeof saidKinds)[number], string[]>;
}

const heardKinds = [
  "trick",
  "hostile",
  "human",
  "person",
  "farewell",
  "email",
  "off_topic",
  "how_are_you",
  "thanks",
  "hello",
  "yes",
  "no",
  "unsure",
  "asks",
] as const;

const saidKinds = [
  "trick",
  "hostile",
  "human",
  "person",
  "no_person",
  "off_topic",
  "how_are_you",
  "thanks",
  "hello",
  "yes",
  "no",
  "unsure",
  "noted",
  "lost",
  "unknown",
  "found",
  "again",
  "invite",
  "show",
  "greet",
  "pick_up",
  "offer_email",
  "email_card",
  "email_confirmed",
  "email_declined",
  "wrap_up_done",
  "wrap_up_time",
  "wrap_up_cost",
] as const;

function eachOf<K extends string>(
  keys: readonly K[],
  shape: Shape<string[]>,
): Shape<Record<K, string[]>> {
  const fields = Object.fromEntries(keys.map((key) => [key, shape]));
  return object(fields as { [P in K]-?: Shape<Record<K, string[]>[P]> });
}

export const manners: Shape<Manners> = object<Manners>({
  about: text,
  language: oneOf(...languages),
  hears: eachOf(heardKinds, phrases),
  says: eachOf(saidKinds, variants),
});
