import { isDrawn } from "../is-drawn.ts";
import { stepOf } from "./fault.ts";
import type { AnswerFaultKind, Fault, Step } from "./fault.ts";

/** A fault that stands in place of an answer. */
export type AnswerFault = Fault & { kind: AnswerFaultKind };

/** The faults that are switched on, and how often each was shown. */
export class Switches {
  #set: { fault: Fault; hits: number }[] = [];
  #asked = 0;

  set(faults: Fault[]): void {
    this.#set = faults.map((fault) => ({ fault, hits: 0 }));
  }

  /** The fault to show in place of an answer, counted as shown. */
  chooseForAnswer(step: Step, recipients: string[]): AnswerFault | undefined {
    return this.#draw(
      (fault): fault is AnswerFault =>
        stepOf(fault) === step && (fault.to === undefined || recipients.includes(fault.to)),
    );
  }

  /** The fault to show to a connection. */
  chooseForConnection(): Fault["kind"] | undefined {
    return this.#draw((fault): fault is Fault => stepOf(fault) === undefined)?.kind;
  }

  /** Those that are not over yet. */
  list(): (Fault & { hits: number })[] {
    return this.#set.filter(isOn).map(({ fault, hits }) => ({ ...fault, hits }));
  }

  #draw<F extends Fault>(fits: (fault: Fault) => fault is F): F | undefined {
    const lot = String(this.#asked++);
    for (const one of this.#set) {
      const { fault } = one;
      if (!isOn(one) || !fits(fault) || !isDrawn(fault, lot)) continue;
      one.hits += 1;
      return fault;
    }
    return undefined;
  }
}

function isOn({ fault, hits }: { fault: Fault; hits: number }): boolean {
  return hits < (fault.times ?? Infinity);
}
