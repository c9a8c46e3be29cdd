import { acceptsMail, failpoint, transact } from "#platform";
import type { Claim, Clock, Db, Dns, JobSender, Log } from "#platform";
import { domainOf } from "./email.ts";
import { selectUnverified } from "./ended-store.ts";
import { checkDomain, setEmailVerified } from "./session.ts";

export interface DomainCheckOptions {
  db: Db;
  jobs: JobSender;
  log: Log;
  dns: Dns;
  clock: Clock;
}

type CheckClaim = Claim<{ sessionId: string; timesAsked: number }>;

/**
 * The backoff before a domain that did not answer is asked again; after the last one, the check gives
 * up. The first is shorter than an evaluation waits, so that one retry can still reach its event.
 */
const BACKOFF_SECS = [5, 30, 300, 3_600, 21_600];

/** Checks whether the domain of a session's address accepts mail, and stores the answer. */
export class DomainCheck {
  readonly #options: DomainCheckOptions;
  readonly #domains: MailDomains;

  constructor(options: DomainCheckOptions) {
    this.#options = options;
    this.#domains = new MailDomains(options.dns, options.clock);
  }

  async run(claim: CheckClaim): Promise<void> {
    const { db } = this.#options;
    const { sessionId } = claim.payload;
    const address = await selectUnverified(db, sessionId);
    if (address === undefined) return this.giveUp(claim);
    const verified = await this.#domains.accepts(domainOf(address));
    await failpoint("domain:answered");
    if (verified === undefined) return this.#askAgain(claim);
    await transact(db, async (trx) => {
      await claim.complete(trx);
      await setEmailVerified(trx, sessionId, { address, verified });
    });
  }

  /** Leaves `email_verified` as it is: for a check that has nothing to ask, or that crashed five times. */
  async giveUp(claim: CheckClaim): Promise<void> {
    await transact(this.#options.db, (trx) => claim.complete(trx));
  }

  async #askAgain(claim: CheckClaim): Promise<void> {
    const { db, jobs, log } = this.#options;
    const { sessionId, timesAsked } = claim.payload;
    const afterSecs = BACKOFF_SECS[timesAsked];
    log.info({ session: sessionId, askAgainAfterSecs: afterSecs }, "a mail domain did not answer");
    await transact(db, async (trx) => {
      await claim.complete(trx);
      if (afterSecs === undefined) return;
      const again = { sessionId, timesAsked: timesAsked + 1 };
      await jobs.send(trx, checkDomain, [again], { afterSecs });
    });
  }
}

/**
 * Short enough to notice a repaired or abandoned domain, and long enough that a popular one is not
 * looked up for every visitor.
 */
const KEEP_MS = 600_000;
/** The maximum number of cached domains; the oldest is dropped first. */
const MAX_KEPT = 10_000;
/** The deadline for all lookups of one domain. Shorter than an evaluation waits. */
const ASK_WITHIN_MS = 10_000;

/**
 * Caches which domains accept mail. Answers of name servers are cached for a while; a missing
 * answer is not.
 */
export class MailDomains {
  readonly #dns: Dns;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { accepts: Promise<boolean | undefined>; untilMs: number }>();

  constructor(dns: Dns, clock: Clock) {
    this.#dns = dns;
    this.#clock = clock;
  }

  /** Undefined when it is not known. Concurrent calls for one domain share one lookup. */
  accepts(domain: string): Promise<boolean | undefined> {
    const kept = this.#kept.get(domain);
    if (kept !== undefined && kept.untilMs > this.#clock.monotonicMs()) return kept.accepts;
    const accepts = this.#ask(domain);
    this.#kept.delete(domain);
    this.#kept.set(domain, { accepts, untilMs: this.#clock.monotonicMs() + KEEP_MS });
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return accepts;
  }

  async #ask(domain: string): Promise<boolean | undefined> {
    const accepts = await acceptsMail(this.#dns, domain, AbortSignal.timeout(ASK_WITHIN_MS));
    if (accepts === undefined) this.#kept.delete(domain);
    return accepts;
  }
}
