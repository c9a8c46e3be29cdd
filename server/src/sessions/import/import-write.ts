import { AppError } from "#platform";
import type { Db, JobSender, Trx } from "#platform";
import { BEHIND_LIVE, EVALUATE_WITHIN_SECS, sessionEnded } from "../record/session.ts";
import { judgeSessions } from "./import-judge.ts";
import type { CheckedSessions, ImportTarget } from "./import-judge.ts";
import type { GivenSession } from "./import-line.ts";
import { allotImportStamp, SecondCounts, secondOf } from "./import-stamp.ts";
import type { PlacedSession } from "./import-stamp.ts";
import {
  countInSeconds,
  insertImported,
  selectClock,
  selectStored,
  updateClock,
} from "./import-store.ts";
import type { ImportClock, ImportedSession, StoredSession } from "./import-store.ts";

/** Compares the sessions of a batch with existing ones. Writes nothing. */
export async function checkSessions(
  db: Db,
  target: ImportTarget,
  sessions: GivenSession[],
): Promise<CheckedSessions> {
  const { nowMs } = await selectClock(db, target.accountId, { lock: false });
  return judgeSessions(target, sessions, await storedOf(db, sessions), nowMs);
}

export interface WrittenSessions extends CheckedSessions {
  /** Empty when there are problems. */
  imported: ImportedSession[];
  /** The placement of the last session of the batch. */
  last: PlacedSession | undefined;
  /** The account's newest stamp before this batch. */
  newestStampMs: number;
}

/** Writes a batch, or nothing of it when one of its sessions is refused. */
export async function writeSessions(
  trx: Trx,
  jobs: JobSender,
  target: ImportTarget,
  sessions: GivenSession[],
  previous: PlacedSession | undefined,
): Promise<WrittenSessions> {
  const clock = await selectClock(trx, target.accountId, { lock: true });
  const stored = await storedOf(trx, sessions);
  const checked = judgeSessions(target, sessions, stored, clock.nowMs);
  const newestStampMs = clock.lastMs;
  if (checked.problems.length > 0)
    return { ...checked, imported: [], last: previous, newestStampMs };

  const counts = new SecondCounts((seconds) => countInSeconds(trx, target.accountId, seconds));
  await counts.prepare([clock.lastMs, ...sessions.map((session) => session.givenMs)].map(secondOf));
  counts.raise(secondOf(clock.lastMs), clock.inSecond);

  const stamps = new Map([...stored].map(([id, { createdAt }]) => [id, createdAt.getTime()]));
  const imported: ImportedSession[] = [];
  let last = previous;
  for (const session of sessions) {
    let atMs = stamps.get(session.id);
    if (atMs === undefined) {
      atMs = await allotImportStamp(last, session.givenMs, (second) => counts.of(second));
      counts.add(secondOf(atMs));
      stamps.set(session.id, atMs);
      imported.push({ session, atMs });
    }
    last = { givenMs: session.givenMs, atMs };
  }
  if (imported.length > 0) {
    await insertImported(trx, target.accountId, imported, EVALUATE_WITHIN_SECS);
    await requestEvaluations(trx, jobs, imported);
    await moveClock(trx, target.accountId, clock, imported, counts);
  }
  return { ...checked, imported, last, newestStampMs };
}

async function storedOf(
  db: Db | Trx,
  sessions: GivenSession[],
): Promise<Map<string, StoredSession>> {
  const stored = await selectStored(
    db,
    sessions.map((session) => session.id),
  );
  return new Map(stored.map((session) => [session.id, session]));
}

async function requestEvaluations(
  trx: Trx,
  jobs: JobSender,
  imported: ImportedSession[],
): Promise<void> {
  const due = imported.filter(({ session }) => session.status === null);
  if (due.length === 0) return;
  const payloads = due.map(({ session }) => ({ sessionId: session.id }));
  await jobs.send(trx, sessionEnded, payloads, { priority: BEHIND_LIVE });
}

/**
 * Moves the account's clock past the imported sessions. It never goes back, and it counts the
 * sessions that the import adds to its second.
 */
async function moveClock(
  trx: Trx,
  accountId: number,
  clock: ImportClock,
  imported: ImportedSession[],
  counts: SecondCounts,
): Promise<void> {
  const newestMs = Math.max(...imported.map(({ atMs }) => atMs));
  // New sessions would be stamped in the future as well.
  if (newestMs > clock.nowMs) {
    const waitSecs = Math.ceil((newestMs - clock.nowMs) / 1_000);
    throw new AppError("conflict", {
      what: "The newest sessions of the file do not fit yet.",
      why: "At most 99 sessions of an account start in one second, and the next free one is in the future.",
      fix: `Run the same command again in ${waitSecs} s; it goes on where it stopped.`,
    });
  }
  if (secondOf(newestMs) < secondOf(clock.lastMs)) return;
  const lastMs = Math.max(newestMs, clock.lastMs);
  await updateClock(trx, accountId, { lastMs, inSecond: await counts.of(secondOf(lastMs)) });
}
