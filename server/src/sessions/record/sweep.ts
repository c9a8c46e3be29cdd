import { failpoint, transact } from "#platform";
import type { Clock, Db, JobSender, Trx } from "#platform";
import { storeCut } from "./scene.ts";
import { endSession, settleSession } from "./session.ts";
import { lockLate, lockVisitOf, selectLate, takeSpeech } from "./sweep-store.ts";

/** A session that was unsettled past its deadline, and the result of sweeping it. */
export interface SweptSession {
  id: string;
  outcome: "ended" | "overdue";
}

const PASS_OVER_MS = 60_000;

/**
 * Sessions that could not be swept. They are passed over for a minute: as the most overdue they
 * would otherwise be all that a sweep looks at, and no other session would ever settle.
 */
export class PassedOver {
  readonly #clock: Clock;
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(id: string): void {
    this.#untilMs.set(id, this.#clock.monotonicMs() + PASS_OVER_MS);
  }

  ids(): string[] {
    const nowMs = this.#clock.monotonicMs();
    for (const [id, untilMs] of this.#untilMs) if (untilMs <= nowMs) this.#untilMs.delete(id);
    return [...this.#untilMs.keys()];
  }
}

/**
 * Enforces the deadlines of unsettled sessions, the most overdue first. Sessions whose visitor
 * never connected, left or talked too long are ended; sessions whose evaluation is late settle as
 * `error`, and the evaluation continues as a re-evaluation. Several processes may sweep at once.
 */
export async function sweepDeadlines(
  db: Db,
  jobs: JobSender,
  options: {
    limit: number;
    evaluateWithinSecs: number;
    /** Which ones earlier sweeps failed at. */
    passedOver?: PassedOver;
    /** One session that cannot be swept must not block the others. */
    onError: (id: string, error: unknown) => void;
  },
): Promise<SweptSession[]> {
  const swept: SweptSession[] = [];
  for (const id of await selectLate(db, options.limit, options.passedOver?.ids() ?? [])) {
    try {
      const outcome = await transact(db, (trx) => sweep(trx, jobs, id, options));
      if (outcome !== undefined) swept.push({ id, outcome });
    } catch (error) {
      options.passedOver?.add(id);
      options.onError(id, error);
    }
  }
  return swept;
}

async function sweep(
  trx: Trx,
  jobs: JobSender,
  id: string,
  { evaluateWithinSecs }: { evaluateWithinSecs: number },
): Promise<SweptSession["outcome"] | undefined> {
  // Left to the next sweep.
  if (!(await lockVisitOf(trx, id))) return undefined;
  const late = await lockLate(trx, id);
  // Another process has swept it, or the visitor is back.
  if (late === undefined) return undefined;
  if (late.waitedFor === "evaluation") {
    await settleSession(trx, id, { status: "error", reason: "overdue" });
    await failpoint("sweep:settling");
    return "overdue";
  }
  // A process that died in the middle of a turn could not store it.
  await storeCut(trx, late, await takeSpeech(trx, id));
  const reason = late.waitedFor === "visitor" ? "visitor_gone" : "max_duration";
  await endSession(trx, jobs, id, { reason, evaluateWithinSecs });
  await failpoint("sweep:settling");
  return "ended";
}
