import { setTimeout as delay } from "node:timers/promises";
import { ILL_DOMAIN } from "./name-server.ts";
import { playAddresses, settledAfter } from "./play-addresses.ts";
import type { World } from "./world.ts";

const SESSIONS = 5;
/** Too short to wait for any domain. */
const EVALUATE_WITHIN_SECS = 6;

/** Domains that answer after their sessions were settled: what is wrong in the export and in the events. */
export async function checkLate(world: World): Promise<{ checked: number; wrong: string[] }> {
  const customer = await world.addCustomer();
  const addresses = Array.from({ length: SESSIONS }, (_, index) => `ada@${index}.${ILL_DOMAIN}`);
  const ids = await playAddresses(world.database, customer, addresses, {
    evaluateWithinSecs: EVALUATE_WITHIN_SECS,
  });
  await settledAfter(world.database, ids);
  const verified = async (): Promise<unknown[]> =>
    (await world.exported(customer, ids)).map((session) => session?.email_verified);

  const before = await verified();
  world.names.heal();
  let after = await verified();
  for (let waits = 0; waits < 100 && after.includes(undefined); waits++) {
    await delay(100);
    after = await verified();
  }
  const wrong = ids.flatMap((id, index) => {
    const events = world.events(id).map((session) => session.email_verified);
    const isRight =
      before[index] === undefined &&
      after[index] === true &&
      events.length === 1 &&
      events[0] === undefined;
    return isRight
      ? []
      : [
          `late: ${String(before[index])}, then ${String(after[index])}; events ${JSON.stringify(events)}`,
        ];
  });
  return { checked: ids.length, wrong };
}
