import type { ConcurrencyLimit } from "../../stage/concurrency-limit.ts";
import { setTimeout as delay } from "node:timers/promises";
import { EXAMPLE_EVALUATION, end, say, settle, start } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import type { History, PlannedSession } from "./history.ts";

export interface Played {
  id: string;
  createdAt: Date;
  test: boolean;
  /** When its start was known to be committed, on the monotonic clock. */
  committedMs: number;
}

/** Lives the planned sessions on one account, in real time. All are settled when it is done. */
export async function playHistory(
  db: TestDatabase["db"],
  limit: ConcurrencyLimit,
  customer: Customer,
  history: History,
): Promise<Played[]> {
  const beganMs = performance.now();
  const until = (ms: number): Promise<void> => delay(Math.max(0, beganMs + ms - performance.now()));

  async function play(planned: PlannedSession): Promise<Played> {
    const { test, outcome, commitMs } = planned;
    const metadata = commitMs === undefined ? {} : slowCommit(commitMs);
    await until(planned.startMs);
    const session = await limit.run(() => start(db, customer, { test, metadata }));
    const committedMs = performance.now();

    await until(planned.endMs);
    if (outcome !== "abandoned") await limit.run(() => say(db, session, [HELLO]));
    await limit.run(() => end(db, session));
    if (outcome === "error")
      await limit.run(() => settle(db, session, { status: "error", reason: "model_output" }));
    if (outcome === "processed") await limit.run(() => settle(db, session, EVALUATED));

    if (planned.reevaluateMs !== undefined) {
      await until(planned.reevaluateMs);
      await limit.run(() => settle(db, session, EVALUATED));
    }
    return { ...session, test, committedMs };
  }
  return Promise.all(history.sessions.map(play));
}

const HELLO = { role: "user", content: "Hello, what does it cost?" } as const;
const EVALUATED = {
  status: "processed",
  summary: "They asked for the price.",
  evaluation: EXAMPLE_EVALUATION,
} as const;

/**
 * A start with this in its metadata is slow to commit, as on a busy disk: a reader may pass a
 * stamp that was allotted long before it can be seen.
 */
function slowCommit(commitMs: number): Record<string, string> {
  return { commit_ms: String(commitMs) };
}

/** Teaches the database to be slow when asked. */
export async function obeySlowCommits({ pool }: TestDatabase): Promise<void> {
  await pool.query(`
    CREATE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_sleep((NEW.metadata->>'commit_ms')::float8 / 1000);
      RETURN NULL;
    END
    $$;
    CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON sessions DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.metadata->>'commit_ms' IS NOT NULL) EXECUTE FUNCTION commit_slowly();`);
}
