import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { AppError } from "../app-error.ts";
import type { Log } from "../observability/log.ts";
import { asSentence, connectionTrouble, databaseReason } from "./connection-trouble.ts";
import { isDatabaseAway } from "./db.ts";
import type { Db } from "./db.ts";

export interface AwaitOptions {
  databaseUrl: string;
  databaseWaitMs: number;
  /** True once this process is told to stop. */
  isStopping(): boolean;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Waits until PostgreSQL answers: after a power cut or in a fleet that starts at once, it comes up
 * later than we do. What does not pass by itself, such as a wrong password, is not waited for.
 * Resolves to false when the process was told to stop meanwhile.
 */
export async function awaitDatabase(db: Db, options: AwaitOptions, log: Log): Promise<boolean> {
  const startedAt = performance.now();
  let told: string | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      await sql`SELECT 1`.execute(db);
      if (told !== undefined) {
        log.info({ waitedMs: Math.round(performance.now() - startedAt) }, "the database answers");
      }
      return true;
    } catch (error) {
      if (options.isStopping()) return false;
      const words = connectionTrouble(error, { url: options.databaseUrl });
      if (words !== undefined) throw new AppError("unavailable", words, { cause: error });
      if (!isDatabaseAway(error)) throw error;
      const leftMs = options.databaseWaitMs - (performance.now() - startedAt);
      if (leftMs <= 0) throw gaveUp(error, options);
      // Once per reason: a line per attempt would hide it.
      const reason = databaseReason(error);
      if (reason !== told) log.warn({ reason }, "waiting for the database");
      told = reason;
      await delay(Math.min(pauseMs, leftMs));
    }
    if (options.isStopping()) return false;
  }
}

function gaveUp(error: unknown, { databaseUrl, databaseWaitMs }: AwaitOptions): AppError {
  return new AppError(
    "unavailable",
    {
      what: `PostgreSQL at ${new URL(databaseUrl).host} did not answer within ${databaseWaitMs / 1_000} s.`,
      why: asSentence(databaseReason(error)),
      fix: "Check that it runs and that SVC_DATABASE_URL names it, then start again.",
    },
    { cause: error },
  );
}
