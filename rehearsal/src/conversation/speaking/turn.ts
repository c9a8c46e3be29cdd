import { hash } from "node:crypto";
import { sentences } from "../../words/words-of.ts";
import { hear } from "../hearing/hear.ts";
import type { Heard } from "../hearing/hear.ts";
import { noteAnswers } from "../hearing/note-answers.ts";
import type { Note } from "../hearing/note-answers.ts";
import type { ConversationScripts, Sayings } from "../scripts/conversation-scripts.ts";
import type { Talk } from "../talk.ts";

/** One turn of the agent's, while it is thought of. */
export interface Turn {
  talk: Talk;
  /** What the visitor's turn before it was. */
  heard: Heard;
  /** The questions that the visitor's turn answers. */
  notes: Note[];
  scripts: ConversationScripts;
  /** In the language of the talk. */
  says: Sayings;
  voice: Voice;
}

export function turnIn(talk: Talk, scripts: ConversationScripts): Turn {
  const heard = hear(talk, scripts.hears);
  return {
    talk,
    heard,
    notes: noteAnswers(talk, heard, scripts),
    scripts,
    says: scripts.says(talk.language),
    voice: new Voice(talk),
  };
}

/** What is said, with its directions. */
export interface Spoken {
  text: string;
  /** The script it came from, or "rules". */
  by: string;
  /** What may follow in the same turn: anything, all but a question of the list, the card at most, or nothing. */
  follows: "anything" | "an offer" | "the card" | "nothing";
  /** What the knowledge is searched for, in place of words. */
  query?: string;
}

export function say(text: string, follows: Spoken["follows"] = "anything", by = "manners"): Spoken {
  return { text, by, follows };
}

/** A direction in front of the words that it belongs to. */
export function direct(direction: string, words: string): string {
  return `⟦${direction}⟧ ${words}`;
}

export function withoutDirections(text: string): string {
  return text.replaceAll(/⟦[^⟧]*⟧\s*/g, "");
}

export function can({ agent }: Talk, what: "show" | "email" | "person" | "bye"): boolean {
  return agent.can?.includes(what) ?? true;
}

/** The sentence by which a text is known again when its end was left out; "Gladly." tells nothing. */
function coreOf(text: string): string {
  return sentences(text).find((sentence) => sentence.length > 20) ?? text;
}

/** Finds the words for a talk: others in each talk, and in one talk not the same twice. */
export class Voice {
  readonly #names: Record<string, string>;
  readonly #seed: string;
  readonly #said: string;
  readonly #saidLast: string;

  constructor({ agent, allVisitorSaid, agentSaid, held }: Talk) {
    this.#names = { name: agent.name, brand: agent.brand };
    this.#seed = `${agent.name}\n${allVisitorSaid[0] ?? ""}`;
    this.#said = withoutDirections([...agentSaid, held?.sentence ?? ""].join("\n"));
    this.#saidLast = withoutDirections(agentSaid.at(-1) ?? "");
  }

  /** One of them that was not said yet, else the one that was said longest ago. */
  pick(variants: string[], filling: Record<string, string> = {}): string {
    const saidAt = (variant: string): number => this.#said.lastIndexOf(coreOf(variant));
    return this.#filled(variants, filling).toSorted((a, b) => saidAt(a) - saidAt(b))[0] ?? "";
  }

  /** One of them that was not said yet; nothing when all were. */
  fresh(variants: string[], filling: Record<string, string> = {}): string {
    const picked = this.pick(variants, filling);
    return this.#said.includes(coreOf(picked)) ? "" : picked;
  }

  /** The sentences that were left out of them for want of words. */
  rest(variants: string[]): string {
    const unsaid = sentences(variants.join(" ")).filter((one) => !this.#said.includes(one));
    return unsaid.join(" ");
  }

  /** One of them stands in the agent's last words. */
  hasJustSaid(variants: string[], filling: Record<string, string> = {}): boolean {
    return this.#filled(variants, filling).some((variant) => this.#saidLast.includes(variant));
  }

  /** `{name}`, `{brand}` and the like are filled in. They begin with another one in each talk. */
  #filled(variants: string[], filling: Record<string, string>): string[] {
    const digest = hash("sha256", `${this.#seed}\n${variants[0]}`, "hex").slice(0, 8);
    const start = Number.parseInt(digest, 16) % Math.max(1, variants.length);
    const fillings = { ...this.#names, ...filling };
    return [...variants.slice(start), ...variants.slice(0, start)].map((variant) =>
      variant.replaceAll(/\{(\w+)\}/g, (_, name: string) => fillings[name] ?? ""),
    );
  }
}
