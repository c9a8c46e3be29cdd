import de from "./phrases/de.json" with { type: "json" };
import en from "./phrases/en.json" with { type: "json" };
import es from "./phrases/es.json" with { type: "json" };
import fr from "./phrases/fr.json" with { type: "json" };
import record from "./phrases/record.json" with { type: "json" };

/**
 * What is said in one language. The agent speaks for Svc, so what it says of Svc must be true. Of a
 * visitor's need, `topic` continues "We spoke about …" and `shown` is said once a slide is up.
 */
export type Phrases = typeof en;

export const PHRASES: { en: Phrases; de: Phrases; fr: Phrases; es: Phrases } = { en, de, fr, es };

/** The texts of evaluations, in English whatever language was spoken. */
export const RECORD: typeof record = record;

export interface Person {
  first: string;
  last: string;
  company: string;
}

export type Need = keyof typeof record.needs;
export type Question = keyof typeof record.questions;
export type Objection = keyof typeof record.objections;
export type Timeline = keyof typeof record.timelines;
/** A visitor who came for something else. */
export type Unfit = keyof typeof record.unfit;
export type CurrentTool = keyof typeof record.currentTools;
export type Decider = keyof typeof record.deciders;

/** Fills the slots of a phrase, such as `{first}`. */
export function fillIn(phrase: string, slots: object): string {
  return Object.entries(slots).reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, String(value)),
    phrase,
  );
}

export function keysOf<Key extends string>(entries: Record<Key, unknown>): Key[] {
  return Object.keys(entries) as Key[];
}
