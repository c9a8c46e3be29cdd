import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startMailCatcher } from "@svc/rehearsal";
import type { WebhookReceiver } from "@svc/rehearsal";
import type { TestDatabase } from "@svc/server/testing";
import { fateOf } from "../deliveries/judge-deliveries.ts";
import { CARELESS } from "./careless-worker.ts";
import { persist } from "./load.ts";

/** A careless worker under the same kills. */
export interface Control {
  /** Kills the worker in the middle of a mail and starts another, once it has had time to do something. */
  kill(): void;
  /** What came of its work. */
  end(): Promise<ControlOutcome>;
  stop(): Promise<void>;
}

export interface ControlOutcome {
  jobs: { taken: number; lost: number };
  /** Lost: never taken by the receiver, though it was not asked three times. */
  events: { committed: number; lost: number };
  mails: { sent: number; doubled: number };
}

const SCRIPT = fileURLToPath(new URL("careless-worker.ts", import.meta.url));
const MIN_LIFE_MS = 3_000;
const JOBS = 100_000;
/** Between taking a mail and saying so: time to kill its sender. */
const MAIL_ANSWERED_AFTER_MS = 300;
const LOOK_MS = 20;

/** @param path of the receiver, for the control's events. */
export async function startControl(
  { url, pool }: TestDatabase,
  receiver: WebhookReceiver,
  path: string,
): Promise<Control> {
  await pool.query(
    `CREATE TABLE careless_jobs (id integer PRIMARY KEY, taken_at timestamptz, is_done boolean);
     CREATE TABLE careless_events (id serial PRIMARY KEY);
     CREATE TABLE careless_mails (id integer)`,
  );
  await pool.query("INSERT INTO careless_jobs SELECT generate_series(1, $1)", [JOBS]);
  const catcher = await startMailCatcher({
    faults: [{ kind: "late", afterMs: MAIL_ANSWERED_AFTER_MS }],
  });
  let worker: ChildProcess | undefined;
  let startedAt = 0;
  function restart(): void {
    startedAt = performance.now();
    worker?.kill("SIGKILL");
    const { port } = new URL(catcher.smtpUrl);
    worker = spawn(process.execPath, [SCRIPT, url, receiver.url + path, port], { stdio: "ignore" });
  }
  /** The worker dies at the mail after this one. */
  let diesAfter = Infinity;
  const looking = setInterval(() => {
    if (catcher.counts().mails <= diesAfter) return;
    diesAfter = Infinity;
    restart();
  }, LOOK_MS);
  restart();

  async function countJobs(): Promise<ControlOutcome["jobs"]> {
    const { rows } = await pool.query<ControlOutcome["jobs"]>(
      `SELECT count(taken_at)::integer AS taken,
         count(*) FILTER (WHERE is_done IS NULL AND taken_at < clock_timestamp() - interval '2 seconds')::integer AS lost
       FROM careless_jobs`,
    );
    return rows[0]!;
  }
  return {
    kill: () => {
      if (performance.now() - startedAt >= MIN_LIFE_MS) diesAfter = catcher.counts().mails;
    },
    async stop() {
      clearInterval(looking);
      worker?.kill("SIGKILL");
      await catcher.close();
    },
    async end() {
      clearInterval(looking);
      const committed = await persist(() =>
        pool.query<{ id: number }>("SELECT id FROM careless_events"),
      );
      // What the worker remembers it may still send.
      await delay(CARELESS.attempts * CARELESS.retryMs + 1_000);
      const jobs = await persist(countJobs);
      worker?.kill("SIGKILL");
      const requests = receiver.requests().filter((request) => request.path === path);
      const byId = Map.groupBy(requests, ({ webhookId }) => webhookId);
      const lost = committed.rows.filter(({ id }) => {
        const sent = byId.get(`careless_${id}`) ?? [];
        return sent.length < CARELESS.attempts && !sent.some((one) => fateOf(one) === "taken");
      });
      const mails = [...Map.groupBy(catcher.mails(), ({ messageId }) => messageId).values()];
      return {
        jobs,
        events: { committed: committed.rows.length, lost: lost.length },
        mails: { sent: mails.length, doubled: mails.filter((copies) => copies.length > 1).length },
      };
    },
  };
}
