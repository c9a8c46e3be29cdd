import type { ScenarioAct } from "@svc/contract/types";
import type { Conversation } from "../conversation.ts";
import type { Recording } from "./recording.ts";

/** The visitor of a scenario: a script or a model. */
export interface Visitor {
  /** Returns what the visitor says or does next; undefined when they leave. */
  next(heard: Recording): Promise<VisitorStep | undefined>;
  /** Returns what they meant to say or do and had no occasion to. */
  left(): (string | ScenarioAct)[];
}

export type VisitorStep = { says: string } | ScenarioAct;

/** Returns whether the card that the act is about is open. */
export function isPossible(act: ScenarioAct, { openCard }: Recording): boolean {
  if (act.confirms_email !== undefined) return openCard?.kind === "email";
  if (act.quick_reply !== undefined)
    return openCard?.kind === "replies" && openCard.replies.includes(act.quick_reply);
  return openCard !== undefined;
}

/** Resolves when the agent has answered it. */
export async function perform(
  step: VisitorStep,
  conversation: Conversation,
  recording: Recording,
): Promise<void> {
  if ("says" in step) return conversation.hear(step.says);
  if (step.quick_reply !== undefined) return conversation.hear(step.quick_reply);
  const { id: cardId } = recording.openCard!;
  if (step.confirms_email === undefined)
    return conversation.settleCard({ cardId, action: "dismissed" });
  recording.email = step.confirms_email;
  return conversation.settleCard({ cardId, action: "confirmed", address: step.confirms_email });
}

/**
 * Says line after line. What is to be done with a card waits until the card is open, and the lines
 * after it are said meanwhile: a model may bring the card a turn sooner or later.
 */
export class ScriptedVisitor implements Visitor {
  readonly #lines: (string | ScenarioAct)[];
  readonly #waiting: ScenarioAct[] = [];

  constructor(lines: (string | ScenarioAct)[]) {
    this.#lines = [...lines];
  }

  async next(heard: Recording): Promise<VisitorStep | undefined> {
    for (;;) {
      const ready = this.#waiting.findIndex((act) => isPossible(act, heard));
      if (ready >= 0) return this.#waiting.splice(ready, 1)[0];
      const line = this.#lines.shift();
      if (line === undefined) return undefined;
      if (typeof line === "string") return { says: line };
      this.#waiting.push(line);
    }
  }

  left(): (string | ScenarioAct)[] {
    return [...this.#waiting, ...this.#lines];
  }
}
