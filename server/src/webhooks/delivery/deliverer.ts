import { AppError, failpoint, transact } from "#platform";
import type { Claim, Db, Egress, EgressOutcome, Log, Secrets } from "#platform";
import { openSealed } from "../endpoints/sealed-secrets.ts";
import { replayAfterSuccess } from "../operator/replay.ts";
import {
  claimNotice,
  holdDelivery,
  markOrphaned,
  recordAttempt,
  selectDue,
} from "./delivery-store.ts";
import type { AttemptRecord, DueDelivery, Verdict } from "./delivery-store.ts";
import type { ExhaustionNotice } from "./exhaustion-notice.ts";
import { signatureHeaders } from "./sign.ts";

export interface DelivererOptions {
  db: Db;
  log: Log;
  egress: Pick<Egress, "post">;
  secrets: Secrets;
  notice: ExhaustionNotice;
  /** The backoff: from the start of one attempt to the start of the next, before jitter. */
  backoffMs: number;
  /** Covers everything up to the receiver's status line. */
  deadlineMs: number;
  onFinished?: (finished: FinishedAttempt) => void;
}

export interface FinishedAttempt {
  endpointId: string;
  state: "delivered" | "exhausted" | "waiting" | "orphaned";
  tookMs: number;
}

/** The number of recorded outcomes after which we stop. */
const MAX_ATTEMPTS = 3;
/** The number of attempts of one delivery that may be interrupted by crashes of our own. */
const MAX_ORPHANS = 5;
/**
 * The jitter by which the backoff is multiplied, so that deliveries that failed together are not
 * retried together. It makes 30 s into 28.2 to 30.6 s, which stays within 27 to 33 s including the
 * polling of the dispatcher and the queue.
 */
const JITTER = { min: 0.94, max: 1.02 };

/**
 * Attempts deliveries that have a slot. The receiver's answer, the delivery and the job are written
 * in one commit.
 */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #due: DueDeliveries;

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#due = new DueDeliveries(options.db);
  }

  async run(claim: Claim<{ deliveryId: string }>): Promise<void> {
    const { db } = this.#options;
    const delivery = await this.#due.read(claim.payload.deliveryId);
    await failpoint("deliver:claimed");
    if (delivery === undefined) return transact(db, (trx) => claim.complete(trx));
    delivery.orphans += claim.crashes;
    if (delivery.orphans >= MAX_ORPHANS) return this.#orphaned(claim, delivery.orphans);
    const secrets = this.#open(delivery);
    if (!Array.isArray(secrets)) return this.#hold(claim, delivery, secrets.problem);
    const outcome = await this.#post(delivery, secrets, claim.signal);
    // The job was taken over by another process, which will record the outcome.
    claim.signal.throwIfAborted();
    if (outcome.kind === "failed" && outcome.why === "local_fault") {
      return this.#hold(claim, delivery, `The server could not send it: ${outcome.detail}.`);
    }
    await failpoint("deliver:answered");
    await this.#record(claim, delivery, outcome);
    await failpoint("deliver:recorded");
  }

  /** The queue has started the job five times, and it never finished. */
  async giveUp(claim: Claim<{ deliveryId: string }>): Promise<void> {
    await this.#orphaned(claim, MAX_ORPHANS);
  }

  #open(delivery: DueDelivery): string[] | { problem: string } {
    try {
      return openSealed(this.#options.secrets, delivery.endpointId, delivery);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { problem: `${error.what} ${error.why} ${error.fix}` };
    }
  }

  async #post(
    delivery: DueDelivery,
    secrets: string[],
    signal: AbortSignal,
  ): Promise<EgressOutcome> {
    const { egress, deadlineMs } = this.#options;
    return egress.post({
      url: delivery.url,
      headers: {
        "content-type": "application/json",
        "user-agent": "Svc-Webhooks/1",
        ...signatureHeaders({
          eventId: delivery.eventId,
          body: delivery.body,
          sentAtSecs: Math.floor(delivery.startedAt.getTime() / 1_000),
          secrets,
        }),
      },
      body: delivery.body,
      deadlineMs,
      signal,
    });
  }

  /**
   * Lets a delivery wait that we cannot send now, for a reason that is ours and that somebody has
   * to fix. Nothing was sent, so no attempt is counted, however often it is tried.
   */
  async #hold(claim: Claim<unknown>, delivery: DueDelivery, because: string): Promise<void> {
    const { db, log, backoffMs } = this.#options;
    await transact(db, async (trx) => {
      await claim.complete(trx);
      await holdDelivery(trx, delivery, { because, forMs: backoffMs });
    });
    // Once for each delivery and reason: it is tried every half minute.
    if (delivery.heldBecause === because) return;
    log.error(
      { delivery: delivery.id, endpoint: delivery.endpointId, because },
      "delivery held back",
    );
  }

  async #record(
    claim: Claim<unknown>,
    delivery: DueDelivery,
    outcome: EgressOutcome,
  ): Promise<void> {
    const verdict = this.#judge(delivery, outcome);
    const { endpointId, replayExhausted } = delivery;
    const tellContact = await transact(this.#options.db, async (trx) => {
      await claim.complete(trx);
      if (!(await recordAttempt(trx, delivery, recordOf(delivery, outcome), verdict))) return false;
      await failpoint("deliver:recording");
      if (verdict.state === "delivered" && replayExhausted) {
        await replayAfterSuccess(trx, endpointId);
      }
      return verdict.state === "exhausted" && (await claimNotice(trx, endpointId));
    });
    this.#options.onFinished?.({ endpointId, state: verdict.state, tookMs: outcome.tookMs });
    // Not awaited: a mail server may take two minutes, and the slot is needed for deliveries.
    if (tellContact) void this.#options.notice(delivery);
  }

  #judge({ attempts }: DueDelivery, outcome: EgressOutcome): Verdict {
    if (isTaken(outcome)) return { state: "delivered" };
    if (attempts + 1 >= MAX_ATTEMPTS) return { state: "exhausted" };
    const jitter = JITTER.min + Math.random() * (JITTER.max - JITTER.min);
    return { state: "waiting", backoffMs: this.#options.backoffMs * jitter };
  }

  async #orphaned(claim: Claim<{ deliveryId: string }>, orphans: number): Promise<void> {
    const { db, log } = this.#options;
    const { deliveryId } = claim.payload;
    const endpointId = await transact(db, async (trx) => {
      await claim.complete(trx);
      return markOrphaned(trx, deliveryId, orphans);
    });
    if (endpointId === undefined) return;
    log.error({ delivery: deliveryId, endpoint: endpointId }, "delivery orphaned");
    this.#options.onFinished?.({ endpointId, state: "orphaned", tookMs: 0 });
  }
}

function recordOf({ startedAt }: DueDelivery, outcome: EgressOutcome): AttemptRecord {
  const isAnswer = outcome.kind === "answered";
  return {
    startedAt,
    tookMs: outcome.tookMs,
    outcome: isAnswer ? "answered" : outcome.why,
    status: isAnswer ? outcome.status : undefined,
    detail: isAnswer ? undefined : outcome.detail,
    answer: isAnswer && outcome.body.length > 0 ? outcome.body : undefined,
  };
}

/**
 * Reads deliveries that are requested at the same moment with one query: one by one, reading would
 * cost more than sending.
 */
export class DueDeliveries {
  readonly #db: Db;
  #asked = new Set<string>();
  #answer: Promise<Map<string, DueDelivery>> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  async read(deliveryId: string): Promise<DueDelivery | undefined> {
    this.#asked.add(deliveryId);
    this.#answer ??= Promise.resolve().then(() => this.#readAsked());
    return (await this.#answer).get(deliveryId);
  }

  async #readAsked(): Promise<Map<string, DueDelivery>> {
    const ids = [...this.#asked];
    this.#asked = new Set();
    this.#answer = undefined;
    return new Map((await selectDue(this.#db, ids)).map((due) => [due.id, due]));
  }
}

/** Returns whether the receiver has accepted the event: only a status from 200 to 299 before the deadline counts. */
export function isTaken(outcome: EgressOutcome): boolean {
  return outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;
}
