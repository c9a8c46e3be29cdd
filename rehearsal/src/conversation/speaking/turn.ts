import { hash } from "node:crypto";
import type { ToolCall } from "../../language-model/answer.ts";
import { addressIn, hear } from "../hearing/hear.ts";
import type { Heard } from "../hearing/hear.ts";
import type { ConversationScripts, Sayings } from "../scripts/conversation-scripts.ts";
import type { Talk } from "../talk.ts";

/** One turn of the agent's, while it is thought of. */
export interface Turn {
  talk: Talk;
  /** What the visitor's turn before it was. */
  heard: Heard;
  scripts: ConversationScripts;
  /** In the language of the talk. */
  says: Sayings;
  voice: Voice;
}

export function turnIn(talk: Talk, scripts: ConversationScripts): Turn {
  return {
    talk,
    heard: hear(talk, scripts.hears),
    scripts,
    says: scripts.says(talk.language),
    voice: new Voice(talk),
  };
}

/** What is said and done. */
export interface Spoken {
  text: string;
  calls: ToolCall[];
  /** The script it came from, or "rules". */
  by: string;
}

export function say(text: string, calls: ToolCall[] = [], by = "manners"): Spoken {
  return { text, calls, by };
}

export function call(name: string, args: Record<string, unknown> = {}): ToolCall {
  return { name, arguments: args };
}

/** The call, where its tool is offered. */
export function offered({ tools }: Talk, wanted: ToolCall): ToolCall[] {
  return tools.includes(wanted.name) ? [wanted] : [];
}

/** With the address that the visitor wrote last, if any. */
export function askEmail({ allVisitorSaid }: Talk): ToolCall {
  const address = allVisitorSaid.map(addressIn).findLast((one) => one !== undefined);
  return call("ask_email", address === undefined ? {} : { prefill: address });
}

/** Finds the words for a talk: others in each talk, and in one talk not the same twice. */
export class Voice {
  readonly #agent: Talk["agent"];
  readonly #seed: string;
  readonly #said: string;

  constructor({ agent, allVisitorSaid, agentSaid }: Talk) {
    this.#agent = agent;
    this.#seed = `${agent.name}\n${allVisitorSaid[0] ?? ""}`;
    this.#said = agentSaid.join("\n");
  }

  /** One of them that was not said yet, if there is one. `{name}`, `{brand}` and the like are filled in. */
  pick(variants: string[], filling: Record<string, string> = {}): string {
    const turned = this.#turned(
      variants.map((variant) => filled(variant, { ...this.#agent, ...filling })),
    );
    return turned.find((variant) => !this.#said.includes(variant)) ?? turned[0] ?? "";
  }

  /** Each of them was said already. */
  isUsedUp(variants: string[]): boolean {
    return variants.every((variant) => this.#said.includes(variant));
  }

  /** The same ones, from another one on. */
  #turned(variants: string[]): string[] {
    const digest = hash("sha256", `${this.#seed}\n${variants[0]}`, "hex").slice(0, 8);
    const start = Number.parseInt(digest, 16) % Math.max(1, variants.length);
    return [...variants.slice(start), ...variants.slice(0, start)];
  }
}

function filled(variant: string, filling: Record<string, string>): string {
  return variant.replaceAll(/\{(\w+)\}/g, (_, name: string) => filling[name] ?? "");
}
