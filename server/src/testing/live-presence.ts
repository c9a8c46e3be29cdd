import { randomUUID } from "node:crypto";
import type { Db } from "#platform";
import { renewPresence } from "#sessions";
import type { LiveProcess } from "#sessions";

/** Says that a `live` process is there, as it would itself every few seconds: sessions may be started. */
export async function announceLive(
  db: Db,
  process: Partial<LiveProcess> = {},
): Promise<LiveProcess> {
  const announced: LiveProcess = {
    id: randomUUID(),
    sessions: 0,
    capacity: 10_000,
    draining: false,
    modelAnswers: true,
    speechAnswers: true,
    ...process,
  };
  await renewPresence(db, announced);
  return announced;
}
