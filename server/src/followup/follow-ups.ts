import { DEFAULT_LIMITS, readSettings } from "#accounts";
import type { AccountSettings } from "#accounts";
import { readAgentAtVersion } from "#agents";
import { failpoint, MailError, transact } from "#platform";
import type { Claim, Db, JobSender, Log, Mail, MailMessage, Trx } from "#platform";
import { followUpMessage } from "./follow-up-message.ts";
import { followUp } from "./order-follow-up.ts";
import type { FollowUpState } from "./order-follow-up.ts";
import type { AddressMarks, PersonLinks } from "./person-links.ts";
import {
  beginSending,
  countMailed,
  finishFollowUp,
  lockStanding,
  postponeFollowUp,
  selectAddressee,
} from "./store.ts";
import type { Addressee, FinalState } from "./store.ts";
import { isSuppressed } from "./suppression.ts";

export interface FollowUpsOptions {
  db: Db;
  jobs: JobSender;
  log: Log;
  /** Undefined where no mail server is configured. */
  mail: Mail | undefined;
  marks: AddressMarks;
  links: PersonLinks;
  publicUrl: string;
  onFinished?: (state: FollowUpState) => void;
}

type FollowUpClaim = Claim<{ sessionId: string; attempts: number }>;

/** An addressee, and what their account says of mails. */
type Prospect = Addressee & { settings: AccountSettings };

/** Why a mail was never sent. */
export type SkipReason =
  | "mail_not_set_up"
  | "switched_off"
  | "domain_takes_no_mail"
  | "suppressed"
  | "limit"
  | "too_late"
  | "not_written";

/** Where an attempt has got to; undefined when it is no longer ours to say. */
type Outcome = FollowUpState | undefined;

/** After the first, second … attempt that came to nothing; the last one from then on, until the day is over. */
const WAIT_SECS = [60, 300, 900, 3_600];
/** So that what failed together does not come back together. */
const SPREAD = 0.2;
const LOST = "this service stopped while the mail was being handed over";

/**
 * Sends mails to prospects, each at most once. That a mail is being sent is committed before the
 * mail server is spoken to: whoever finds that after a crash cannot know whether it arrived, says
 * so, and never sends it again.
 */
export class FollowUps {
  readonly #options: FollowUpsOptions;

  constructor(options: FollowUpsOptions) {
    this.#options = options;
  }

  async run(claim: FollowUpClaim): Promise<void> {
    await failpoint("follow-up:claimed");
    const { db, mail } = this.#options;
    const addressee = await selectAddressee(db, claim.payload.sessionId);
    if (addressee === undefined) return this.#finish(claim, undefined);
    // Before it counts as being sent: what cannot be written was not.
    const message = await this.#write(addressee);
    const settings = await readSettings(db, addressee.accountId);
    const begun = await transact(db, (trx) => this.#begin(trx, claim, { ...addressee, settings }));
    if (mail === undefined || begun !== "sending") return this.#finish(claim, begun);
    await failpoint("follow-up:sending");
    const failure = await sendBy(mail, message);
    await failpoint("follow-up:sent");
    const outcome = await transact(db, (trx) => this.#record(trx, claim, failure));
    await failpoint("follow-up:recorded");
    this.#tell(claim, outcome);
  }

  /** For a job that we went down over five times. */
  async giveUp(claim: FollowUpClaim): Promise<void> {
    const { sessionId } = claim.payload;
    const outcome = await transact(this.#options.db, async (trx) => {
      const standing = await lockStanding(trx, sessionId);
      if (standing?.state === "sending") return this.#end(trx, claim, "unknown", LOST);
      return this.#skip(trx, claim, "not_written");
    });
    await this.#finish(claim, outcome);
  }

  async #write(addressee: Addressee): Promise<MailMessage> {
    const { agentId, agentVersion: version } = addressee;
    const { config } = await readAgentAtVersion(this.#options.db, { agentId, version });
    return followUpMessage(addressee, config, this.#options);
  }

  /** The permission to send, which is given once for each attempt. */
  async #begin(trx: Trx, claim: FollowUpClaim, prospect: Prospect): Promise<Outcome> {
    const { sessionId, attempts } = claim.payload;
    const standing = await lockStanding(trx, sessionId);
    if (standing?.state === "sending" && standing.attempts === attempts + 1) {
      return this.#end(trx, claim, "unknown", LOST);
    }
    if (standing?.state !== "waiting" || standing.attempts !== attempts) return undefined;
    const reason = standing.isLate ? "too_late" : await this.#whyNot(trx, prospect);
    if (reason !== undefined) return this.#skip(trx, claim, reason);
    await beginSending(trx, sessionId);
    return "sending";
  }

  async #whyNot(
    trx: Trx,
    { accountId, email, emailVerified, settings }: Prospect,
  ): Promise<SkipReason | undefined> {
    const { mail, marks } = this.#options;
    if (mail === undefined) return "mail_not_set_up";
    if (emailVerified === false) return "domain_takes_no_mail";
    if (!settings.followUp) return "switched_off";
    const recipient = { accountId, marks: marks.marks(email) };
    if (await isSuppressed(trx, recipient)) return "suppressed";
    const { daily_mails_per_address: most } = { ...DEFAULT_LIMITS, ...settings.limits };
    return most !== null && (await countMailed(trx, recipient)) >= most ? "limit" : undefined;
  }

  async #record(trx: Trx, claim: FollowUpClaim, failure: MailError | undefined): Promise<Outcome> {
    await claim.complete(trx);
    await failpoint("follow-up:recording");
    if (failure === undefined) return this.#end(trx, claim, "sent", null);
    if (failure.outcome !== "later") return this.#end(trx, claim, failure.outcome, failure.reason);
    return this.#postpone(trx, claim, failure.reason);
  }

  async #postpone(trx: Trx, claim: FollowUpClaim, reason: string): Promise<Outcome> {
    const { sessionId, attempts: before } = claim.payload;
    const attempts = before + 1;
    const wait = WAIT_SECS[Math.min(before, WAIT_SECS.length - 1)]!;
    const afterSecs = Math.round(wait * (1 + Math.random() * SPREAD));
    const next = await postponeFollowUp(trx, { sessionId, attempts, reason, afterSecs });
    if (next === "gone") return undefined;
    if (next === "late") return this.#end(trx, claim, "refused", `given up: ${reason}`);
    await this.#options.jobs.send(trx, followUp, [{ sessionId, attempts }], { afterSecs });
    return "waiting";
  }

  /** An attempt that had begun. */
  async #end(
    trx: Trx,
    { payload: { sessionId, attempts } }: FollowUpClaim,
    state: FinalState,
    reason: string | null,
  ): Promise<Outcome> {
    const ending = { sessionId, attempts: attempts + 1, state, reason };
    return (await finishFollowUp(trx, ending)) ? state : undefined;
  }

  /** An attempt that did not begin. */
  async #skip(
    trx: Trx,
    { payload: { sessionId, attempts } }: FollowUpClaim,
    reason: SkipReason,
  ): Promise<Outcome> {
    const ending = { sessionId, attempts, state: "skipped", reason } as const;
    return (await finishFollowUp(trx, ending)) ? "skipped" : undefined;
  }

  /**
   * On its own, after the follow-up: an erasure takes the job first and the follow-up then, and in
   * one transaction each would wait for the other.
   */
  async #finish(claim: FollowUpClaim, outcome: Outcome): Promise<void> {
    this.#tell(claim, outcome);
    await transact(this.#options.db, (trx) => claim.complete(trx));
  }

  #tell({ payload: { sessionId } }: FollowUpClaim, outcome: Outcome): void {
    if (outcome === undefined) return;
    if (outcome === "unknown") {
      this.#options.log.warn({ session: sessionId }, "nobody knows whether a mail was sent");
    }
    this.#options.onFinished?.(outcome);
  }
}

async function sendBy(mail: Mail, message: MailMessage): Promise<MailError | undefined> {
  try {
    await mail.send(message);
    return undefined;
  } catch (error) {
    if (error instanceof MailError) return error;
    throw error;
  }
}
