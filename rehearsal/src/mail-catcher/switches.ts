import { FaultSet } from "../fault-set.ts";
import { stepOf } from "./fault.ts";
import type { AnswerFaultKind, Fault, Step } from "./fault.ts";

/** A fault that stands in place of an answer. */
export type AnswerFault = Fault & { kind: AnswerFaultKind };

export class Switches extends FaultSet<Fault> {
  #asked = 0;

  /** The fault to show in place of an answer, counted as shown. */
  chooseForAnswer(step: Step, recipients: string[]): AnswerFault | undefined {
    return this.draw(
      (fault): fault is AnswerFault =>
        stepOf(fault) === step && (fault.to === undefined || recipients.includes(fault.to)),
      this.#numbered(),
    );
  }

  /** The fault to show to a connection. */
  chooseForConnection(): Fault["kind"] | undefined {
    return this.draw((fault) => stepOf(fault) === undefined, this.#numbered())?.kind;
  }

  #numbered(): () => string {
    const lot = String(this.#asked++);
    return () => lot;
  }
}
