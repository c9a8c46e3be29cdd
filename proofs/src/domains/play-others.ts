import { setTimeout as delay } from "node:timers/promises";
import { addCustomer } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { GOOD_DOMAIN, HANGING_DOMAIN } from "./name-server.ts";
import { playAddresses, settledAfter } from "./play-addresses.ts";

/** How long others took, in milliseconds. */
export interface OthersTook {
  /** Checks of good domains, from the commit of the address to that of the answer. */
  checks: number[];
  /** Evaluations of sessions without an address, from their end. */
  evaluations: number[];
}

/** Sessions with good addresses, and some without any, one after another; each domain is a new one. */
export async function playOthers(
  database: TestDatabase,
  run: string,
  count: number,
): Promise<OthersTook> {
  const domains = Array.from({ length: count }, (_, index) => `${run}-${index}.${GOOD_DOMAIN}`);
  const addresses = domains.flatMap((domain) => [`ada@${domain}`, undefined]);
  const ids = await playAddresses(database, await addCustomer(database.db), addresses);
  const without = ids.filter((_, index) => addresses[index] === undefined);
  const settled = await settledAfter(database, without);
  return {
    checks: await checkedAfter(
      database,
      ids.filter((id) => !without.includes(id)),
    ),
    evaluations: [...settled.values()],
  };
}

/** Sessions whose domains never answer. */
export async function playHanging(database: TestDatabase, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `ada@${index}.${HANGING_DOMAIN}`);
  await playAddresses(database, await addCustomer(database.db), names);
}

async function checkedAfter({ pool }: TestDatabase, ids: string[]): Promise<number[]> {
  for (;;) {
    const { rows } = await pool.query<{ ms: number }>(
      `SELECT extract(epoch FROM completed_on - created_on)::float8 * 1000 AS ms FROM pgboss.job
       WHERE name = 'check-domain' AND state = 'completed' AND data ->> 'sessionId' = ANY ($1)`,
      [ids],
    );
    if (rows.length === ids.length) return rows.map(({ ms }) => ms);
    await delay(50);
  }
}
