import { fork } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { TestDatabase } from "@svc/server/testing";
import pg from "pg";
import { PgBoss } from "pg-boss";
import type { Job } from "pg-boss";
import { countRows } from "../pipeline/count-rows.ts";

/** The control of the speed claims: bare pg-boss in a process of its own, which works only from `go` to `rest`. */
export interface BareWorker {
  pid: number;
  boss: PgBoss;
  /** How many jobs are in this state. */
  count(state: "created" | "completed"): Promise<number>;
  go(): void;
  /** Resolves when the last job under way is completed. */
  rest(): Promise<void>;
  stop(): void;
}

/** A signed POST over a kept connection, between fetching and completing a job. A job without one does nothing. */
export interface BarePost {
  url: string;
  secret: string;
  body: string;
}

export const BARE_QUEUE = "bare";
const POLL_MS = 250;

type Order = "go" | "rest";

export async function startBareWorker(
  database: TestDatabase,
  options: { slots: number; connections: number },
): Promise<BareWorker> {
  const boss = await openBoss(database.pool);
  await boss.createQueue(BARE_QUEUE, { heartbeatSeconds: 10, retryLimit: 4 });
  const words = [database.url, String(options.slots), String(options.connections)];
  const child = fork(import.meta.filename, words);
  await once(child, "message");
  // Without this a claim would wait for its jobs until the time is over.
  const failed = (): never => {
    throw new Error("the bare worker has ended");
  };
  child.once("exit", failed);
  return {
    pid: child.pid!,
    boss,
    count: (state) => countRows(database, JOBS, [BARE_QUEUE, state]),
    go: () => void child.send("go" satisfies Order),
    rest: async () => {
      const resting = once(child, "message");
      child.send("rest" satisfies Order);
      await resting;
    },
    stop: () => void child.off("exit", failed).kill(),
  };
}

const JOBS = "pgboss.job WHERE name = $1 AND state = $2::pgboss.job_state";

/** pg-boss on a pool that is there already. */
export async function openBoss(pool: TestDatabase["pool"]): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schedule: false,
    migrate: false,
    supervise: false,
    registerInstance: false,
  });
  boss.on("error", (error) => console.error(error));
  return boss.start();
}

if (import.meta.main) await serve(process.argv.slice(2));

async function serve([connectionString, slots, connections]: string[]): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: Number(connections) });
  const boss = await openBoss(pool);
  const agent = new Agent({ keepAlive: true, maxSockets: Number(slots) });
  let order: Order = "rest";
  const isWanted = (): boolean => order === "go";
  async function workOff(): Promise<void> {
    const running = new Set<Promise<void>>();
    while (isWanted()) {
      const batchSize = Number(slots) - running.size;
      for (const job of await boss.fetch<Partial<BarePost>>(BARE_QUEUE, { batchSize })) {
        const one = run(boss, agent, job).then(() => void running.delete(one));
        running.add(one);
      }
      await (running.size === 0 ? delay(POLL_MS) : Promise.race(running));
    }
    await Promise.all(running);
    process.send!("rests");
  }
  process.on("message", (given: Order) => {
    order = given;
    if (order === "go") void workOff();
  });
  process.on("disconnect", () => process.exit());
  process.send!("ready");
}

async function run(boss: PgBoss, agent: Agent, job: Job<Partial<BarePost>>): Promise<void> {
  const { url, secret = "", body = "" } = job.data;
  if (url !== undefined) await post(agent, { url, secret, body });
  await boss.complete(BARE_QUEUE, job.id);
}

function post(agent: Agent, { url, secret, body }: BarePost): Promise<void> {
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-webhook-signature": createHmac("sha256", secret).update(body).digest("hex"),
  };
  return new Promise((resolve, reject) => {
    request(url, { method: "POST", agent, headers }, (response) => {
      response.resume().once("end", resolve);
    })
      .once("error", reject)
      .end(body);
  });
}
