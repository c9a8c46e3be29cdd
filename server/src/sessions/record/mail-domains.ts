import { acceptsMail } from "#platform";
import type { Clock, Dns } from "#platform";

/** A domain that is repaired, or given up, is seen soon; one that everybody uses is not asked for each visitor. */
const KEEP_MS = 600_000;
/** Most domains kept; the oldest goes first. */
const MOST_KEPT = 10_000;
/** For all that one domain is asked. Well within what an evaluation waits. */
const ASK_WITHIN_MS = 10_000;

/** Which domains accept mail. What name servers say is kept for a while; that they said nothing is not. */
export class MailDomains {
  readonly #dns: Dns;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { accepts: Promise<boolean | undefined>; untilMs: number }>();

  constructor(dns: Dns, clock: Clock) {
    this.#dns = dns;
    this.#clock = clock;
  }

  /** Undefined when it is not known. Whoever asks while the domain is being asked waits for the same answer. */
  accepts(domain: string): Promise<boolean | undefined> {
    const kept = this.#kept.get(domain);
    if (kept !== undefined && kept.untilMs > this.#clock.monotonicMs()) return kept.accepts;
    const accepts = this.#ask(domain);
    this.#kept.delete(domain);
    this.#kept.set(domain, { accepts, untilMs: this.#clock.monotonicMs() + KEEP_MS });
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return accepts;
  }

  async #ask(domain: string): Promise<boolean | undefined> {
    const accepts = await acceptsMail(this.#dns, domain, AbortSignal.timeout(ASK_WITHIN_MS));
    if (accepts === undefined) this.#kept.delete(domain);
    return accepts;
  }
}
