import { setTimeout as delay } from "node:timers/promises";
import { evaluateAgain, playEvaluated } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import { Gate } from "../export/histories/play-history.ts";
import { persist } from "../kills/end-sessions.ts";

/** Evaluations that are written all the time, whatever happens to the database meanwhile. */
export interface EventLoad {
  /** How many evaluations of which session were acknowledged as written. Test sessions and failed ones are not among them. */
  acknowledged: Map<string, number>;
  /** Writes no more, and waits for what is under way. */
  stop(): Promise<void>;
}

const AT_ONCE = 6;
/** Of a hundred sessions. */
const SHARES = { test: 0.08, failed: 0.08, again: 0.2 };

export function writeEvents(
  { db }: TestDatabase,
  customer: Customer,
  random: Random,
  perSecond: number,
): EventLoad {
  const gate = new Gate(AT_ONCE);
  const acknowledged = new Map<string, number>();
  const writing = new Set<Promise<void>>();
  const stopping = new AbortController();

  async function writeOne(): Promise<void> {
    const lot = random.next();
    const isTest = lot < SHARES.test;
    const fails = !isTest && lot < SHARES.test + SHARES.failed;
    const { id } = await persist(() => playEvaluated(db, customer, { test: isTest, fails }));
    if (isTest || fails) return;
    acknowledged.set(id, 1);
    if (lot < 1 - SHARES.again) return;
    await persist(() => evaluateAgain(db, id));
    acknowledged.set(id, 2);
  }
  async function goOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      const one = gate.pass(writeOne);
      writing.add(one);
      void one.finally(() => writing.delete(one));
      await delay(1_000 / perSecond);
    }
  }
  const going = goOn();
  return {
    acknowledged,
    stop: async () => {
      stopping.abort();
      await going;
      await Promise.all(writing);
    },
  };
}
