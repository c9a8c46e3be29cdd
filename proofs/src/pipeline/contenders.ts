import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { TestDatabase } from "@svc/server/testing";
import { PgBoss } from "pg-boss";

export interface Running {
  pid: number;
  stop(): void;
}

const BARE_WORKER = fileURLToPath(new URL("./bare-worker.ts", import.meta.url));
const REHEARSAL = fileURLToPath(new URL("../../../rehearsal/src/main.ts", import.meta.url));

/** pg-boss on a proof's own pool, to send by. */
export async function openBoss({ pool }: TestDatabase): Promise<PgBoss> {
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

/** The control's worker, in a process of its own. */
export async function startBareWorker({ url }: TestDatabase, slots: number): Promise<Running> {
  const child = fork(BARE_WORKER, [url, String(slots)]);
  await once(child, "message");
  return { pid: child.pid!, stop: () => void child.kill() };
}

/** A language model that answers at once, in a process of its own. */
export async function startModelProcess(): Promise<Running & { baseUrl: string }> {
  const child = spawn(process.execPath, [REHEARSAL], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const baseUrl = /http\S+/.exec(line)?.[0];
  if (baseUrl === undefined) throw new Error(`no address in: ${line}`);
  return { pid: child.pid!, baseUrl, stop: () => void child.kill() };
}
