import { FaultSet } from "../fault-set.ts";
import { speechFaultKinds } from "./fault.ts";
import type { Occasion, SpeechFault } from "./fault.ts";
import type { Service } from "./service.ts";

export class Switches extends FaultSet<SpeechFault> {
  readonly #counts = new Map<string, number>();

  override set(faults: SpeechFault[]): void {
    super.set(faults);
    this.#counts.clear();
  }

  /** The fault to show now, counted as shown. */
  choose(occasion: Occasion, service: Service): SpeechFault | undefined {
    const lot = this.#numbered(`${occasion} ${service}`);
    return this.draw(
      (fault) =>
        speechFaultKinds[fault.kind].on === occasion &&
        (fault.service === undefined || fault.service === service),
      () => lot,
    );
  }

  #numbered(what: string): string {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return `${what} ${count}`;
  }
}
