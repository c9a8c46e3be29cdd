import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { addCustomer, addReceiver, seedDeliveries } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { openBoss } from "../pipeline/contenders.ts";
import { startPipelineProcess } from "../pipeline/pipeline-process.ts";
import { BARE_QUEUE } from "./bare-sender.ts";
import type { BareJob } from "./bare-sender.ts";

/** What delivers, in a process of its own and for as long as it is told. */
export interface Sender {
  pid: number;
  /** Sees to it that so many wait. */
  fill(): Promise<void>;
  /** Delivers for so long and says how many; `begin` is called when the first is on its way. */
  send(forMs: number, begin?: () => Promise<void>): Promise<number>;
  stop(): void;
}

export interface SenderOptions {
  database: TestDatabase;
  receiverUrl: string;
  waiting: number;
}

const RECEIVERS = 8;
const SLOTS = 8 * RECEIVERS;
const CONNECTIONS = 10;

/** The pipeline. Its receivers are paused between rounds. */
export async function startOurs({
  database,
  receiverUrl,
  waiting,
}: SenderOptions): Promise<Sender> {
  const { db, pool } = database;
  const customer = await addCustomer(db);
  const ids: string[] = [];
  for (let number = 1; number <= RECEIVERS; number++) {
    ids.push((await addReceiver(db, customer, `${receiverUrl}/${number}`)).id);
  }
  const turn = (state: "live" | "paused"): Promise<unknown> =>
    pool.query("UPDATE webhook_endpoints SET state = $1", [state]);
  const count = async (state: string): Promise<number> => {
    const counting = "SELECT count(*)::integer FROM deliveries WHERE state = $1";
    return (await pool.query<{ count: number }>(counting, [state])).rows[0]!.count;
  };
  const fill = async (): Promise<void> =>
    seedDeliveries(pool, customer, ids, Math.max(0, waiting - (await count("waiting"))));
  await turn("paused");
  const pipeline = startPipelineProcess(database, "pipeline", {
    // Nothing is evaluated here.
    SVC_MODEL_URL: "http://127.0.0.1:9/v1",
    SVC_DATABASE_CONNECTIONS: String(CONNECTIONS),
    SVC_WEBHOOK_PLAIN_HTTP: "on",
    SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
  });
  await Promise.all([pipeline.started, fill()]);
  return {
    pid: pipeline.pid,
    fill,
    send: async (forMs, begin) => {
      const before = await count("delivered");
      await turn("live");
      while ((await count("running")) === 0) await delay(5);
      await begin?.();
      await delay(forMs);
      await turn("paused");
      while ((await count("running")) > 0) await delay(5);
      return (await count("delivered")) - before;
    },
    stop: () => pipeline.signal("SIGKILL"),
  };
}

/** Bare pg-boss with a bare POST, at as many at once. */
export async function startBare({
  database,
  receiverUrl,
  waiting,
}: SenderOptions): Promise<Sender> {
  const { pool, url } = database;
  const boss = await openBoss(database);
  await boss.createQueue(BARE_QUEUE);
  const script = fileURLToPath(new URL("bare-sender.ts", import.meta.url));
  const child = fork(script, [url, String(SLOTS), String(CONNECTIONS)]);
  const data: BareJob = {
    url: `${receiverUrl}/bare`,
    secret: "whsec_bare",
    body: JSON.stringify({ data: "We need a demo for our sales team of twelve. ".repeat(45) }),
  };
  const fill = async (): Promise<void> => {
    const counting =
      "SELECT count(*)::integer FROM pgboss.job WHERE name = $1 AND state = 'created'";
    const { rows } = await pool.query<{ count: number }>(counting, [BARE_QUEUE]);
    const missing = Math.max(0, waiting - rows[0]!.count);
    await boss.insert(
      BARE_QUEUE,
      Array.from({ length: missing }, () => ({ data })),
    );
  };
  await Promise.all([once(child, "message"), fill()]);
  return {
    pid: child.pid!,
    fill,
    send: async (forMs, begin) => {
      await begin?.();
      child.send(forMs);
      const [sent] = (await once(child, "message")) as [number];
      return sent;
    },
    stop: () => void child.kill(),
  };
}
