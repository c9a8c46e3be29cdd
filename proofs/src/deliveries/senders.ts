import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { addCustomer, addReceiver, seedDeliveries } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { openBoss } from "../pipeline/contenders.ts";
import { startPipelineProcess } from "../pipeline/pipeline-process.ts";
import { BARE_QUEUE } from "./bare-sender.ts";
import type { BareJob, BareOrder } from "./bare-sender.ts";

/** What delivers, in a process of its own and only while it is told to. */
export interface Sender {
  pid: number;
  /** Sees to it that enough wait. */
  fill(): Promise<void>;
  /** How many it has delivered. */
  delivered(): Promise<number>;
  /** Delivers while a task is done, which begins when the first has been delivered. */
  during<T>(task: () => Promise<T>): Promise<T>;
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
/** Of those that are to wait. Whatever is filled in has to be vacuumed, which the next round would feel. */
const ENOUGH = 0.75;

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
    seedDeliveries(pool, customer, ids, missing(waiting, await count("waiting")));
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
    delivered: () => count("delivered"),
    during: async (task) => {
      const before = await count("delivered");
      await turn("live");
      while ((await count("delivered")) === before) await delay(5);
      const result = await task();
      await turn("paused");
      while ((await count("running")) > 0) await delay(5);
      return result;
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
  const count = async (state: "created" | "completed"): Promise<number> => {
    const counting =
      "SELECT count(*)::integer FROM pgboss.job WHERE name = $1 AND state = $2::pgboss.job_state";
    return (await pool.query<{ count: number }>(counting, [BARE_QUEUE, state])).rows[0]!.count;
  };
  const fill = async (): Promise<void> => {
    const length = missing(waiting, await count("created"));
    await boss.insert(
      BARE_QUEUE,
      Array.from({ length }, () => ({ data })),
    );
  };
  const order = (given: BareOrder): boolean => child.send(given);
  await Promise.all([once(child, "message"), fill()]);
  // Without this a proof would wait for it until its time is over.
  const failed = (): never => {
    throw new Error("the bare sender has ended");
  };
  child.once("exit", failed);
  return {
    pid: child.pid!,
    fill,
    delivered: () => count("completed"),
    during: async (task) => {
      const before = await count("completed");
      order("go");
      while ((await count("completed")) === before) await delay(5);
      const result = await task();
      const stopped = once(child, "message");
      order("stop");
      await stopped;
      return result;
    },
    stop: () => void child.off("exit", failed).kill(),
  };
}

function missing(wanted: number, there: number): number {
  return there >= ENOUGH * wanted ? 0 : wanted - there;
}
