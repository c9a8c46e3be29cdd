import { failpoint, transact } from "#platform";
import type { Claim, Clock, Db, Dns, JobSender, Log } from "#platform";
import { selectUnverified } from "./domain-check-store.ts";
import { checkDomain } from "./jobs.ts";
import { MailDomains } from "./mail-domains.ts";
import { setEmailVerified } from "./session.ts";

export interface DomainCheckOptions {
  db: Db;
  jobs: JobSender;
  log: Log;
  dns: Dns;
  clock: Clock;
}

type CheckClaim = Claim<{ sessionId: string; timesAsked: number }>;

/** A domain that did not answer is asked again after these, and then no more. The first is within what an evaluation waits. */
const ASK_AGAIN_AFTER_SECS = [5, 30, 300, 3_600, 21_600];

/** Asks whether the domain of a session's address accepts mail, and writes what it hears. */
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
    const verified = await this.#domains.accepts(address.slice(address.lastIndexOf("@") + 1));
    await failpoint("domain:answered");
    if (verified === undefined) return this.#askAgain(claim);
    await transact(db, async (trx) => {
      await claim.complete(trx);
      await setEmailVerified(trx, sessionId, { address, verified });
    });
  }

  /** `email_verified` stays as it is: for a check that has nothing to ask, or crashed five times. */
  async giveUp(claim: CheckClaim): Promise<void> {
    await transact(this.#options.db, (trx) => claim.complete(trx));
  }

  async #askAgain(claim: CheckClaim): Promise<void> {
    const { db, jobs, log } = this.#options;
    const { sessionId, timesAsked } = claim.payload;
    const afterSecs = ASK_AGAIN_AFTER_SECS[timesAsked];
    log.info({ session: sessionId, askAgainAfterSecs: afterSecs }, "a mail domain did not answer");
    await transact(db, async (trx) => {
      await claim.complete(trx);
      if (afterSecs === undefined) return;
      const again = { sessionId, timesAsked: timesAsked + 1 };
      await jobs.send(trx, checkDomain, [again], { afterSecs });
    });
  }
}
