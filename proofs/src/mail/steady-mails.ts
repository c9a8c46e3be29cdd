import { setTimeout as delay } from "node:timers/promises";
import type { Customer, TestDatabase } from "@svc/server/testing";
import { talkWithAddress } from "./mail-world.ts";

/** Talks that end all the time, each with an address of its own. Returns how it is ended. */
export function endTalksWithAddresses(
  database: TestDatabase,
  customer: Customer,
  perSecond: number,
): () => Promise<void> {
  const enough = new AbortController();
  const playing = new Set<Promise<string>>();
  async function goOn(): Promise<void> {
    for (let number = 1; !enough.signal.aborted; number++) {
      const one = talkWithAddress(database, customer, `visitor-${number}@customer.test`);
      playing.add(one);
      void one.finally(() => playing.delete(one));
      await delay(1_000 / perSecond);
    }
  }
  const going = goOn();
  return async () => {
    enough.abort();
    await going;
    await Promise.all(playing);
  };
}
