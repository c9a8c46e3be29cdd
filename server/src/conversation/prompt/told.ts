import { randomBytes } from "node:crypto";
import type { Metadata } from "@svc/contract/types";
import type { ToldActions } from "../engine/page-actions.ts";
import type { ToldState } from "../state/demo-state.ts";
import { withoutMarks } from "../signals/direction.ts";

/** The facts of one request, in the order in which they are told. */
export interface TurnFacts extends ToldState {
  /** In the visitor's calendar as far as it is known. */
  date: string;
  weekday: string;
  mode: "voice" | "text";
  /** The agent may say so many. */
  words: number;
  minutes_left: number | undefined;
  actions?: ToldActions;
  page: Metadata;
}

/**
 * Marks what the server tells a model, so that nothing a visitor writes can be taken for it. The
 * code is new in every session.
 */
export class Fence {
  readonly #code: string = randomBytes(3).toString("hex");

  event(text: string): string {
    return `[event ${this.#code}] ${withoutMarks(text)}`;
  }

  state(facts: TurnFacts): string {
    const json = withoutMarks(JSON.stringify(facts));
    return `[state ${this.#code}]\n${json}\n[/state ${this.#code}]`;
  }
}
