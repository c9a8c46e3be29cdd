import { setTimeout as delay } from "node:timers/promises";
import { AppError, isDatabaseAway } from "#platform";
import type { Db, JobSender, Log } from "#platform";
import {
  confirmLiveEmail,
  endLiveSession,
  keepLiveVisitor,
  loseLiveVisitor,
  NotCarried,
  recordLive,
} from "#sessions";
import type { CarriedSession, DayShare, LiveEntry, Reservation } from "#sessions";

export interface RecorderOptions {
  db: Db;
  jobs: JobSender;
  log: Log;
  session: CarriedSession;
  /** Called when nothing more can be stored: another process has the session, it is over, or storing it fails. */
  onStuck: (why: Stuck) => void;
  /** What is wanted of the agent's day whenever usage is stored; undefined where the day has no limit. */
  share?: () => DayShare | undefined;
  onReserved?: (reservation: Reservation) => void;
}

type Stuck = NotCarried["why"] | "fault";
type End = Parameters<typeof endLiveSession>[3];
type Write =
  | { entry: LiveEntry }
  | { write: () => Promise<void>; done: PromiseWithResolvers<void> };

/** More than half an hour of lively talk. Beyond, the call is given up: a database that is away for so long would fill the memory. */
const MAX_WAITING = 2_000;
const MAX_AT_ONCE = 50;
/** The backoff while the database is away: doubled after each failed attempt, up to the maximum. */
const BACKOFF_MS = { first: 100, max: 2_000 };

/**
 * Stores what happens in a call, in order and one at a time. While the database is away it waits
 * and tries again: the conversation goes on meanwhile.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  #waiting: Write[] = [];
  #running: Promise<void> | undefined;
  /** How many of those that wait are being stored now. */
  #storing = 0;
  #stopped = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  add(entry: LiveEntry): void {
    // Of two scenes in a row the last one counts. While the database is away there would be hundreds of them.
    const last = this.#waiting.at(-1);
    const isFree = this.#waiting.length > this.#storing;
    if (isFree && entry.kind === "scene" && last && "entry" in last && last.entry.kind === "scene")
      this.#waiting.pop();
    this.#push({ entry });
  }

  loseVisitor(returnWithinSecs: number): void {
    const { db, session } = this.#options;
    void this.#write(() => loseLiveVisitor(db, session, returnWithinSecs));
  }

  keepVisitor(): void {
    const { db, session } = this.#options;
    void this.#write(() => keepLiveVisitor(db, session));
  }

  /** Rejects with what is wrong with the address; otherwise it is stored. */
  confirmEmail(address: string): Promise<void> {
    const { db, jobs, session } = this.#options;
    return this.#write(() => confirmLiveEmail(db, jobs, session, address));
  }

  /** The last write of a conversation: whatever was added before it is stored by then. */
  end(end: End): Promise<void> {
    const { db, jobs, session } = this.#options;
    return this.#write(() => endLiveSession(db, jobs, session, end));
  }

  /** Resolves when everything is stored, or never will be. */
  async drained(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Stops storing. Writes that still wait are dropped. */
  stop(): void {
    this.#stopped = true;
    for (const one of this.#waiting) {
      if ("write" in one) one.done.reject(new Error("The call was given up before it was stored."));
    }
    this.#waiting = [];
  }

  #write(write: () => Promise<void>): Promise<void> {
    const done = Promise.withResolvers<void>();
    // Most callers have nothing to do when it fails.
    done.promise.catch(() => {});
    this.#push({ write, done });
    return done.promise;
  }

  #push(write: Write): void {
    this.#waiting.push(write);
    if (this.#stopped) return this.stop();
    if (this.#waiting.length > MAX_WAITING) return this.#giveUp("fault");
    this.#start();
  }

  #start(): void {
    if (this.#waiting.length === 0) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      this.#start();
    });
  }

  async #run(): Promise<void> {
    // Waits a moment, so that entries added together are stored in one transaction.
    await Promise.resolve();
    let backoffMs = BACKOFF_MS.first;
    while (this.#waiting.length > 0) {
      try {
        await this.#storeNext();
        backoffMs = BACKOFF_MS.first;
      } catch (error) {
        this.#storing = 0;
        if (this.#stopped) return;
        if (error instanceof NotCarried) return this.#giveUp(error.why);
        const { log, session } = this.#options;
        if (!isDatabaseAway(error)) {
          log.error({ err: error, session: session.id }, "a conversation could not be stored");
          return this.#giveUp("fault");
        }
        log.warn({ err: error, session: session.id }, "a conversation waits to be stored");
        await delay(backoffMs);
        backoffMs = Math.min(backoffMs * 2, BACKOFF_MS.max);
      }
    }
  }

  async #storeNext(): Promise<void> {
    const [first] = this.#waiting;
    if (first === undefined) return;
    if ("write" in first) {
      await first.write().then(first.done.resolve, (error: unknown) => {
        // A refusal is an answer.
        if (!(error instanceof AppError)) throw error;
        first.done.reject(error);
      });
      this.#waiting.shift();
      return;
    }
    const entries = this.#entriesAhead();
    this.#storing = entries.length;
    const { db, session, share, onReserved } = this.#options;
    const isUsage = entries.some(({ kind }) => kind === "usage");
    const reservation = await recordLive(db, session, entries, isUsage ? share?.() : undefined);
    if (reservation !== undefined) onReserved?.(reservation);
    this.#waiting.splice(0, entries.length);
    this.#storing = 0;
  }

  #entriesAhead(): LiveEntry[] {
    const entries: LiveEntry[] = [];
    for (const one of this.#waiting) {
      // A turn is stored together with the scene behind it, which says that its message was taken.
      const isFull =
        entries.length >= MAX_AT_ONCE && !("entry" in one && one.entry.kind === "scene");
      if ("write" in one || isFull) break;
      entries.push(one.entry);
    }
    return entries;
  }

  #giveUp(why: Stuck): void {
    this.stop();
    this.#options.onStuck(why);
  }
}
