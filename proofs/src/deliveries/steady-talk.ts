import { setTimeout as delay } from "node:timers/promises";
import type { WebhookReceiver } from "@svc/rehearsal";
import { playEvaluated } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";

/** A customer whose sessions are evaluated all the time, and whose receivers are well. */
export interface SteadyTalk {
  database: TestDatabase;
  customer: Customer;
  /** All of the customer's endpoints are its paths. */
  receiver: WebhookReceiver;
  endpoints: number;
  perSecond: number;
}

/**
 * So many evaluations a second are written, for so long, by another process than the one that
 * delivers, as where there are several. From the commit of each to each receipt, in milliseconds.
 */
export async function commitToReceipt(talk: SteadyTalk, forMs: number): Promise<number[]> {
  const { database, customer, receiver } = talk;
  const { db, pool } = database;
  const before = receiver.counts().total;
  const until = performance.now() + forMs;
  const talking: Promise<unknown>[] = [];
  while (performance.now() < until) {
    talking.push(playEvaluated(db, customer));
    await delay(1_000 / talk.perSecond);
  }
  await Promise.all(talking);
  const expected = before + talking.length * talk.endpoints;
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (receiver.counts().total < expected && performance.now() < giveUpAt) await delay(20);

  const { rows } = await pool.query<{ id: string; atMs: number }>(
    `SELECT 'evt_' || replace(event.id::text, '-', '') AS id, extract(epoch FROM max(d.created_at))::float8 * 1000 AS "atMs"
     FROM webhook_events AS event JOIN deliveries AS d ON d.event_id = event.id
     WHERE event.session_id IN (SELECT id FROM sessions WHERE account_id = $1) GROUP BY event.id`,
    [customer.account.id],
  );
  const committed = new Map(rows.map(({ id, atMs }) => [id, atMs]));
  return receiver
    .requests(before)
    .map(({ webhookId = "", atMs }) => atMs - (committed.get(webhookId) ?? Number.NaN));
}

const GIVE_UP_MS = 10_000;
