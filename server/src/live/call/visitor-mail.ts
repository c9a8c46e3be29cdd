import { setTimeout as delay } from "node:timers/promises";
import type { ExpectedMail } from "#followup";
import type { Log } from "#platform";
import { domainOf, likelyDomain, normalizeEmail } from "#sessions";
import type { LiveAddressDoubt } from "@svc/contract/types";

/** The sources of what is known about mail. */
export interface MailFacts {
  expect(sessionId: string): Promise<ExpectedMail>;
  /** Whether a domain accepts mail; undefined when its name servers do not say. */
  accepts(domain: string): Promise<boolean | undefined>;
}

/** The visitor waits for what comes next: name servers and the database get no longer than this. */
const WAIT_MS = 1_000;

/** What one visitor may be told about the mail after the conversation: only what is known. */
export class VisitorMail {
  readonly #facts: MailFacts;
  readonly #sessionId: string;
  readonly #log: Log;
  /** Addresses that the visitor was asked about. Nobody is asked twice. */
  readonly #doubted = new Set<string>();

  constructor(facts: MailFacts, { sessionId, log }: { sessionId: string; log: Log }) {
    this.#facts = facts;
    this.#sessionId = sessionId;
    this.#log = log;
  }

  /** The address that the mail goes to. Undefined when none is sent, and when that is not known in time. */
  async mailTo(): Promise<string | undefined> {
    return inTime(this.#mailTo()).catch((error: unknown) => this.#failed(error));
  }

  async #mailTo(): Promise<string | undefined> {
    const { isOn, address, verified } = await this.#facts.expect(this.#sessionId);
    if (!isOn || address === undefined) return undefined;
    const isTaken = verified ?? (await this.#facts.accepts(domainOf(address)));
    return isTaken === true ? address : undefined;
  }

  /**
   * Checks an address that the visitor has confirmed. A doubt that takes longer is reported by
   * `onLate`; an address whose domain does not answer raises none.
   */
  async doubt(
    given: string,
    onLate: (doubt: LiveAddressDoubt) => void,
  ): Promise<LiveAddressDoubt | undefined> {
    let isLate = false;
    const check = this.#doubt(given).catch((error: unknown) => this.#failed(error));
    void check.then((doubt) => doubt !== undefined && isLate && onLate(doubt));
    const doubt = await inTime(check);
    isLate = true;
    return doubt;
  }

  async #doubt(given: string): Promise<LiveAddressDoubt | undefined> {
    const address = normalizeEmail(given);
    if (address === undefined || this.#doubted.has(address)) return undefined;
    if ((await this.#facts.accepts(domainOf(address))) !== false) return undefined;
    this.#doubted.add(address);
    const likely = likelyDomain(domainOf(address));
    const isBetter = likely !== undefined && (await inTime(this.#facts.accepts(likely))) === true;
    const written = given.trim();
    const local = written.slice(0, written.lastIndexOf("@"));
    return { domain: domainOf(written), ...(isBetter && { suggestion: `${local}@${likely}` }) };
  }

  #failed(error: unknown): undefined {
    this.#log.warn({ err: error, session: this.#sessionId }, "a visitor's mail is not known");
  }
}

/** Undefined when it takes too long. */
function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work, delay(WAIT_MS, undefined, { ref: false })]);
}
