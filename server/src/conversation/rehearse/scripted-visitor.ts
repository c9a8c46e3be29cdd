import type { ScenarioAct } from "@svc/contract/types";
import type { Recording } from "./recording.ts";
import { isPossible } from "./visitor.ts";
import type { Visitor, VisitorStep } from "./visitor.ts";

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
