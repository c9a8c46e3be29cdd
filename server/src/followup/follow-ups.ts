import type { AddressMarks } from "./address-marks.ts";
import { readSettings } from "#accounts";
import type { AccountSettings } from "#accounts";
import { DemoAgents } from "#agents";
import { failpoint, MailError, transact } from "#platform";
import type { Claim, Db, JobSender, Log, Mail, MailMessage, Trx } from "#platform";
import { recipientRefusal } from "./expect-mail.ts";
import { followUpMessage } from "./follow-up-message.ts";
import { followUp } from "./order-follow-up.ts";
import type { FollowUpState } from "./order-follow-up.ts";
import type { PersonLinks } from "./person-links.ts";
import {
  beginSending,
  finishFollowUp,
  lockCounts,
  lockStanding,
  postponeFollowUp,
  selectAddressee,
} from "./store.ts";
import type { Addressee, FinalState, Standing } from "./store.ts";

export interface FollowUpsOptions {
  db: Db;
  jobs: JobSender;
  log: Log;
  /** Undefined when no mail server is configured. */
  mail: Mail | undefined;
  marks: AddressMarks;
  links: PersonLinks;
  publicUrl: string;
  onFinished?: (state: FollowUpState) => void;
}

type FollowUpClaim = Claim<{ sessionId: string; attempts: number }>;

/** An addressee with the settings of their account. */
type Prospect = Addressee & { settings: AccountSettings };

/** The reason why a mail was never sent. */
export type SkipReason =
  | "mail_not_set_up"
  | "switched_off"
  | "domain_takes_no_mail"
  | "suppressed"
  | "limit"
  | "too_late"
  | "restored"
  | "not_written";

/** The state that an attempt reached; undefined when another process has taken over. */
type Outcome = FollowUpState | undefined;

/** The backoff after the first, second … failed attempt. The last one repeats until the day is over. */
const BACKOFF_SECS = [60, 300, 900, 3_600];
/** The backoff grows by up to this share at random, so that mails that failed together are not retried together. */
const JITTER = 0.2;
const LOST = "this service stopped while the mail was being handed over";

/**
 * Sends mails to prospects, each at most once. The state `sending` is committed before the mail
 * server is contacted: after a crash, nobody can know whether the mail arrived, so it is marked
 * `unknown` and never sent again.
 */
export class FollowUps {
  readonly #options: FollowUpsOptions;
  readonly #agents: DemoAgents;

  constructor(options: FollowUpsOptions) {
    this.#options = options;
    this.#agents = new DemoAgents(options.db);
  }

  async run(claim: FollowUpClaim): Promise<void> {
    await failpoint("follow-up:claimed");
    const { db, mail } = this.#options;
    const addressee = await selectAddressee(db, claim.payload.sessionId);
    if (addressee === undefined) return this.#finish(claim, undefined);
    // Composed before the state is `sending`: a mail that cannot be composed was never sent.
    const settings = await readSettings(db, addressee.accountId);
    const prospect = { ...addressee, settings };
    const message = await this.#write(prospect);
    const begun = await transact(db, (trx) => this.#begin(trx, claim, prospect));
    if (mail === undefined || begun !== "sending") return this.#finish(claim, begun);
    await failpoint("follow-up:sending");
    const failure = await sendBy(mail, message);
    await failpoint("follow-up:sent");
    const outcome = await transact(db, (trx) => this.#record(trx, claim, failure));
    await failpoint("follow-up:recorded");
    this.#tell(claim, outcome);
  }

  /** For a job during which the process crashed five times. */
  async giveUp(claim: FollowUpClaim): Promise<void> {
    const { sessionId } = claim.payload;
    const outcome = await transact(this.#options.db, async (trx) => {
      const standing = await lockStanding(trx, sessionId);
      if (standing?.state === "sending") return this.#end(trx, claim, "unknown", LOST);
      return this.#skip(trx, claim, "not_written");
    });
    await this.#finish(claim, outcome);
  }

  async #write(prospect: Prospect): Promise<MailMessage> {
    const { agentId, agentVersion: version } = prospect;
    const { confirmTranscript } = prospect.settings;
    const agent = await this.#agents.read({ agentId, version });
    return followUpMessage(prospect, agent, { ...this.#options, confirmTranscript });
  }

  /** Grants the permission to send, once for each attempt. */
  async #begin(trx: Trx, claim: FollowUpClaim, prospect: Prospect): Promise<Outcome> {
    const { sessionId, attempts } = claim.payload;
    const standing = await lockStanding(trx, sessionId);
    if (standing?.state === "sending" && standing.attempts === attempts + 1) {
      return this.#end(trx, claim, "unknown", LOST);
    }
    if (standing?.state !== "waiting" || standing.attempts !== attempts) return undefined;
    const reason = whyNeverAgain(standing) ?? (await this.#whyNot(trx, prospect));
    if (reason !== undefined) return this.#skip(trx, claim, reason);
    const needsConfirmation = prospect.settings.confirmTranscript;
    await beginSending(trx, { sessionId, needsConfirmation });
    return "sending";
  }

  async #whyNot(
    trx: Trx,
    { sessionId, accountId, email, emailVerified, settings }: Prospect,
  ): Promise<SkipReason | undefined> {
    const { mail, marks } = this.#options;
    if (mail === undefined) return "mail_not_set_up";
    if (emailVerified === false) return "domain_takes_no_mail";
    if (!settings.followUp) return "switched_off";
    const recipient = { sessionId, accountId, marks: marks.marks(email) };
    await lockCounts(trx, recipient);
    return recipientRefusal(trx, recipient, settings);
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
    const backoffSecs = BACKOFF_SECS[Math.min(before, BACKOFF_SECS.length - 1)]!;
    const jitter = 1 + Math.random() * JITTER;
    const afterSecs = Math.round(backoffSecs * jitter);
    const next = await postponeFollowUp(trx, { sessionId, attempts, reason, afterSecs });
    if (next === "gone") return undefined;
    if (next === "late") return this.#end(trx, claim, "refused", `given up: ${reason}`);
    await this.#options.jobs.send(trx, followUp, [{ sessionId, attempts }], { afterSecs });
    return "waiting";
  }

  /** Finishes an attempt that had begun. */
  async #end(
    trx: Trx,
    { payload: { sessionId, attempts } }: FollowUpClaim,
    state: FinalState,
    reason: string | null,
  ): Promise<Outcome> {
    const ending = { sessionId, attempts: attempts + 1, state, reason };
    return (await finishFollowUp(trx, ending)) ? state : undefined;
  }

  /** Finishes an attempt that did not begin. */
  async #skip(
    trx: Trx,
    { payload: { sessionId, attempts } }: FollowUpClaim,
    reason: SkipReason,
  ): Promise<Outcome> {
    const ending = { sessionId, attempts, state: "skipped", reason } as const;
    return (await finishFollowUp(trx, ending)) ? "skipped" : undefined;
  }

  /**
   * Completes the job in a transaction of its own, after the follow-up: an erasure locks the job
   * first and the follow-up second, and one transaction with both could deadlock with it.
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

function whyNeverAgain({ isLate, isRestored }: Standing): SkipReason | undefined {
  if (isRestored) return "restored";
  return isLate ? "too_late" : undefined;
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
