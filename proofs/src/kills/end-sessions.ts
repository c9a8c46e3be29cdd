import { setTimeout as delay } from "node:timers/promises";
import { end, say, start } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import { Gate } from "../export/histories/play-history.ts";
import { talk } from "../pipeline/talks.ts";

/** Sessions that begin and end all the time, whatever happens to the database meanwhile. */
export interface Load {
  /** Ids of those whose end was acknowledged and that have something to evaluate. */
  acknowledged: string[];
  /** Starts no more, and waits for those that go on. */
  stop(): Promise<void>;
}

const AT_ONCE = 12;
/** For evaluations that should be in time, with a crash on the way, and for those that should not. */
const EVALUATE_WITHIN_SECS = { usual: 30, short: 2 };

export async function endSessions(
  database: TestDatabase,
  customer: Customer,
  random: Random,
  perSecond: number,
): Promise<Load> {
  const gate = new Gate(AT_ONCE);
  const acknowledged: string[] = [];
  const playing = new Set<Promise<void>>();
  let started = 0;
  const enough = new AbortController();

  async function play(): Promise<void> {
    const id = await playOne(database, customer, random, (started += 1));
    if (id !== undefined) acknowledged.push(id);
  }
  async function goOn(): Promise<void> {
    while (!enough.signal.aborted) {
      const one = gate.pass(play);
      playing.add(one);
      void one.finally(() => playing.delete(one));
      await delay(1_000 / perSecond);
    }
  }
  const going = goOn();
  return {
    acknowledged,
    stop: async () => {
      enough.abort();
      await going;
      await Promise.all(playing);
    },
  };
}

/** Its id, if it has something to evaluate. */
async function playOne(
  database: TestDatabase,
  customer: Customer,
  random: Random,
  number: number,
): Promise<string | undefined> {
  const { db, pool } = database;
  const lot = random.next();
  const session = await persist(() => start(db, customer));
  // Some never come: the sweeper gives them up.
  if (lot < 0.04) {
    await persist(() => pool.query(BRING_FORWARD("connect_by"), [session.id]));
    return undefined;
  }
  // Some say nothing.
  const turns = lot < 0.08 ? talk(number).slice(0, 1) : talk(number);
  await persist(() => say(db, session, turns));
  // Some leave without a word: the sweeper ends them.
  if (lot > 0.94) {
    await persist(() => pool.query(BRING_FORWARD("return_by"), [session.id]));
    return session.id;
  }
  const { usual, short } = EVALUATE_WITHIN_SECS;
  const evaluateWithinSecs = lot > 0.84 ? short : usual;
  await persist(() => end(db, session, { evaluateWithinSecs }));
  return lot < 0.08 ? undefined : session.id;
}

const BRING_FORWARD = (column: string): string =>
  `UPDATE sessions SET ${column} = clock_timestamp() + interval '1 second' WHERE id = $1`;

/** Until it works. What was committed before the answer got lost may be done twice: a start, or what changes nothing. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch {
      await delay(100);
    }
  }
}
