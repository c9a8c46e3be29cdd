import { hash } from "node:crypto";
import type { Talk } from "../talk.ts";

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
