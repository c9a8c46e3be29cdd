import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { TestDatabase } from "@svc/server/testing";
import { persist } from "./end-sessions.ts";

/** The same work under the same kills, by a worker that takes a job off before it does it. */
export interface NaiveControl {
  /** Kills its worker and starts another. */
  kill(): void;
  /** How many jobs were given to it and are gone. */
  end(): Promise<{ given: number; lost: number }>;
  stop(): void;
}

const SCRIPT = fileURLToPath(new URL("./naive-worker.ts", import.meta.url));
const AT_ONCE = 4;

export async function startNaiveControl(
  { url, pool }: TestDatabase,
  perSecond: number,
  takesMs: number,
): Promise<NaiveControl> {
  await pool.query(
    "CREATE TABLE naive_jobs (id integer PRIMARY KEY); CREATE TABLE naive_done (id integer)",
  );
  let worker: ChildProcess | undefined;
  let given = 0;
  const enough = new AbortController();
  let isStopped = false;
  function restart(): void {
    worker?.kill("SIGKILL");
    // Kills may still come while a proof cleans up.
    if (isStopped) return;
    worker = spawn(process.execPath, [SCRIPT, url, String(takesMs), String(AT_ONCE)]);
  }
  async function give(): Promise<void> {
    while (!enough.signal.aborted) {
      const insert = "INSERT INTO naive_jobs VALUES ($1) ON CONFLICT DO NOTHING";
      await persist(() => pool.query(insert, [given + 1]));
      given += 1;
      await delay(1_000 / perSecond);
    }
  }
  restart();
  const giving = give();
  return {
    kill: restart,
    stop() {
      isStopped = true;
      worker?.kill("SIGKILL");
    },
    async end() {
      enough.abort();
      await giving;
      const left = async (): Promise<number> =>
        (await pool.query("SELECT 1 FROM naive_jobs")).rowCount ?? 0;
      while ((await persist(left)) > 0) await delay(100);
      await delay(2 * takesMs);
      const done = await persist(() => pool.query("SELECT DISTINCT id FROM naive_done"));
      return { given, lost: given - (done.rowCount ?? 0) };
    },
  };
}
