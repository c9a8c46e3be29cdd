import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { WebhookReceiver } from "@svc/rehearsal";
import type { TestDatabase } from "@svc/server/testing";
import { persist } from "../kills/end-sessions.ts";
import { fateOf } from "./fate.ts";

/** Events under the same kills, by a process that sends after the commit and remembers what is to be sent again. */
export interface ForgetfulControl {
  /** Kills it and starts another, once it has had time to do something. */
  kill(): void;
  /** How many events were committed, and how many of them the receiver never took though it was not asked three times. */
  end(): Promise<{ committed: number; lost: number }>;
  stop(): void;
}

const SCRIPT = fileURLToPath(new URL("fire-and-forget.ts", import.meta.url));
const ATTEMPTS = 3;
const LIVES_MS = 3_000;

export async function startForgetfulControl(
  { url, pool }: TestDatabase,
  receiver: WebhookReceiver,
  path: string,
  options: { retryMs: number; perSecond: number },
): Promise<ForgetfulControl> {
  await pool.query("CREATE TABLE forgotten_events (id serial PRIMARY KEY)");
  let sender: ChildProcess | undefined;
  let startedAt = -Infinity;
  const { retryMs, perSecond } = options;
  function restart(): void {
    if (performance.now() - startedAt < LIVES_MS) return;
    startedAt = performance.now();
    sender?.kill("SIGKILL");
    const args = [SCRIPT, url, receiver.url + path, String(retryMs), String(perSecond)];
    sender = spawn(process.execPath, args, { stdio: "ignore" });
  }
  restart();
  return {
    kill: restart,
    stop: () => void sender?.kill("SIGKILL"),
    async end() {
      // What it writes from now on is not counted, and what it remembers it may still send.
      const { rows } = await persist(() =>
        pool.query<{ id: number }>("SELECT id FROM forgotten_events"),
      );
      await delay(ATTEMPTS * retryMs + 1_000);
      sender?.kill("SIGKILL");
      const requests = receiver.requests().filter((request) => request.path === path);
      const byId = Map.groupBy(requests, ({ webhookId }) => webhookId);
      const isLost = (id: number): boolean => {
        const sent = byId.get(`forgotten_${id}`) ?? [];
        return sent.length < ATTEMPTS && !sent.some((one) => fateOf(one) === "taken");
      };
      return { committed: rows.length, lost: rows.filter(({ id }) => isLost(id)).length };
    },
  };
}
