import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startMailCatcher } from "@svc/rehearsal";
import type { TestDatabase } from "@svc/server/testing";

/** Mails by a sender that is killed as well, and that knows only what it has sent, not what it is about to send. */
export interface NaiveControl {
  /** Mails that were sent, and those of them that came more than once. */
  counts(): { sent: number; doubled: number };
  stop(): Promise<void>;
}

const SCRIPT = fileURLToPath(new URL("naive-sender.ts", import.meta.url));
const MAILS = 100_000;
/** Killed after so many, between what the mail server takes and what it says about it. */
const KILLED_AFTER = 5;
const ANSWERS_AFTER_MS = 300;
const LOOK_MS = 50;

export async function startNaiveControl({ url, pool }: TestDatabase): Promise<NaiveControl> {
  const catcher = await startMailCatcher({ faults: [{ kind: "late", afterMs: ANSWERS_AFTER_MS }] });
  await pool.query("CREATE TABLE naive_mails (id integer PRIMARY KEY, sent_at timestamptz)");
  await pool.query("INSERT INTO naive_mails SELECT * FROM generate_series(1, $1)", [MAILS]);
  let sender: ChildProcess;
  let diesAt: number;
  function restart(): void {
    diesAt = catcher.counts().mails + KILLED_AFTER;
    const { port } = new URL(catcher.smtpUrl);
    sender = spawn(process.execPath, [SCRIPT, url, port], { stdio: "ignore" });
  }
  restart();
  const killing = setInterval(() => {
    if (catcher.counts().mails < diesAt) return;
    sender.kill("SIGKILL");
    restart();
  }, LOOK_MS);
  return {
    counts() {
      const mails = [...Map.groupBy(catcher.mails(), ({ messageId }) => messageId).values()];
      return { sent: mails.length, doubled: mails.filter((copies) => copies.length > 1).length };
    },
    async stop() {
      clearInterval(killing);
      sender.kill("SIGKILL");
      await catcher.close();
    },
  };
}
