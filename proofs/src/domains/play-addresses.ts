import { setTimeout as delay } from "node:timers/promises";
import { end, say, start } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import { talk } from "../pipeline/talks.ts";

/** Plays a talk for each, with that address or with none, and tells their ids in the same order. */
export async function playAddresses(
  { db }: TestDatabase,
  customer: Customer,
  addresses: (string | undefined)[],
  options: { evaluateWithinSecs?: number } = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, email] of addresses.entries()) {
    const session = await start(db, customer, email === undefined ? {} : { metadata: { email } });
    await say(db, session, talk(index));
    await end(db, session, options);
    ids.push(session.id);
  }
  return ids;
}

/** Waits until all of them are settled, and tells how long after its end each was. */
export async function settledAfter(
  { pool }: TestDatabase,
  ids: string[],
): Promise<Map<string, number>> {
  for (;;) {
    const { rows } = await pool.query<{ id: string; ms: number }>(
      `SELECT id, extract(epoch FROM settled_at - ended_at)::float8 * 1000 AS ms
       FROM sessions WHERE id = ANY ($1) AND settled_at IS NOT NULL`,
      [ids],
    );
    if (rows.length === ids.length) return new Map(rows.map(({ id, ms }) => [id, ms]));
    await delay(100);
  }
}
