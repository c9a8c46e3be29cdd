import { setTimeout as delay } from "node:timers/promises";
import { end, EXAMPLE_EVALUATION, say, settle, start } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import type { Gate } from "./gate.ts";
import type { History, PlannedSession } from "./history.ts";
import { slowCommit } from "./slow-commits.ts";

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
  gate: Gate,
  customer: Customer,
  history: History,
): Promise<Played[]> {
  const beganMs = performance.now();
  const until = (ms: number): Promise<void> => delay(Math.max(0, beganMs + ms - performance.now()));

  async function play(planned: PlannedSession): Promise<Played> {
    const { test, outcome, commitMs } = planned;
    const metadata = commitMs === undefined ? {} : slowCommit(commitMs);
    await until(planned.startMs);
    const session = await gate.pass(() => start(db, customer, { test, metadata }));
    const committedMs = performance.now();

    await until(planned.endMs);
    if (outcome !== "abandoned") await gate.pass(() => say(db, session, [HELLO]));
    await gate.pass(() => end(db, session));
    if (outcome === "error")
      await gate.pass(() => settle(db, session, { status: "error", reason: "model_output" }));
    if (outcome === "processed") await gate.pass(() => settle(db, session, EVALUATED));

    if (planned.reevaluateMs !== undefined) {
      await until(planned.reevaluateMs);
      await gate.pass(() => settle(db, session, EVALUATED));
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
