import { ConcurrencyLimit } from "../stage/concurrency-limit.ts";
import { setTimeout as delay } from "node:timers/promises";
import { end, evaluateAgain, playEvaluated, say, start } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import { talk } from "../pipeline/talks.ts";

/** Work that goes on whatever happens to the database meanwhile. */
export interface Load<Acknowledged> {
  /** What was certainly committed. */
  acknowledged: Acknowledged;
  /** Starts no more, and waits for what is under way. */
  stop(): Promise<void>;
}

const AT_ONCE = 12;
/** Deadlines: one that leaves time for a crash on the way, and one that does not. */
const EVALUATE_WITHIN_SECS = { usual: 30, short: 2 };
const EVENT_SHARES = { test: 0.08, failed: 0.08, again: 0.2 };

/**
 * Sessions that start and end, for the pipeline to evaluate. Every other visitor gives an address.
 * Acknowledged are those that have something to evaluate: session id → whether there is an address.
 */
export function endSessions(
  { db, pool }: TestDatabase,
  customer: Customer,
  random: Random,
  perSecond: number,
): Load<Map<string, boolean>> {
  const acknowledged = new Map<string, boolean>();
  const bringForward = (column: "connect_by" | "return_by", id: string): Promise<unknown> =>
    persist(() =>
      pool.query(
        `UPDATE sessions SET ${column} = clock_timestamp() + interval '1 second' WHERE id = $1`,
        [id],
      ),
    );
  async function play(number: number): Promise<void> {
    const lot = random.next();
    const hasAddress = number % 2 === 0;
    const metadata = hasAddress ? { email: `visitor-${number}@customer.test` } : {};
    const session = await persist(() => start(db, customer, { metadata }));
    // Some never connect: the sweeper gives them up.
    if (lot < 0.04) {
      await bringForward("connect_by", session.id);
      return;
    }
    // Some say nothing.
    const isSilent = lot < 0.08;
    await persist(() => say(db, session, isSilent ? talk(number).slice(0, 1) : talk(number)));
    // Some leave without a word: the sweeper ends them.
    if (lot > 0.94) {
      await bringForward("return_by", session.id);
    } else {
      const { usual, short } = EVALUATE_WITHIN_SECS;
      const evaluateWithinSecs = lot > 0.84 ? short : usual;
      await persist(() => end(db, session, { evaluateWithinSecs }));
    }
    if (!isSilent) acknowledged.set(session.id, hasAddress);
  }
  return { acknowledged, stop: steadily(perSecond, play) };
}

/**
 * Evaluations that are written without the pipeline, some of them of test sessions, some failed,
 * some for the second time. Acknowledged: session id → how many of its evaluations are published.
 */
export function writeEvents(
  { db }: TestDatabase,
  customer: Customer,
  random: Random,
  perSecond: number,
): Load<Map<string, number>> {
  const acknowledged = new Map<string, number>();
  const { test, failed, again } = EVENT_SHARES;
  async function write(): Promise<void> {
    const lot = random.next();
    const isTest = lot < test;
    const fails = !isTest && lot < test + failed;
    const { id } = await persist(() => playEvaluated(db, customer, { test: isTest, fails }));
    if (isTest || fails) return;
    acknowledged.set(id, 1);
    if (lot < 1 - again) return;
    await persist(() => evaluateAgain(db, id));
    acknowledged.set(id, 2);
  }
  return { acknowledged, stop: steadily(perSecond, write) };
}

/** Does this so often a second, numbered from 1, until the function that it returns is called. */
function steadily(perSecond: number, work: (number: number) => Promise<void>): () => Promise<void> {
  const limit = new ConcurrencyLimit(AT_ONCE);
  const working = new Set<Promise<void>>();
  const enough = new AbortController();
  async function goOn(): Promise<void> {
    for (let number = 1; !enough.signal.aborted; number++) {
      const one = limit.run(() => work(number));
      working.add(one);
      void one.finally(() => working.delete(one));
      await delay(1_000 / perSecond);
    }
  }
  const going = goOn();
  return async () => {
    enough.abort();
    await going;
    await Promise.all(working);
  };
}

/** Tries until it works. What was committed before its answer got lost may be done twice. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch {
      await delay(100);
    }
  }
}
