import type { Db, Log } from "#platform";
import type { FunnelBeacon } from "@svc/contract/types";
import { addFunnelCounts } from "./store.ts";
import type { FunnelCount } from "./store.ts";

const WRITE_AFTER_MS = 1_000;
/** What a flood may take of the memory between two writings; the rest of it is not counted. */
const MOST_AT_ONCE = 10_000;
const MOST_ORIGINS = 200;

/**
 * Counts how many people came how far, per agent, day, event and origin. Nothing else is kept: no
 * address, no id, no time. Written once a second, so that a page view is not a write.
 */
export class FunnelCounter {
  readonly #db: Db;
  readonly #log: Log;
  readonly #mostAtOnce: number;
  #counts = new Map<string, FunnelCount>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ db, log, mostAtOnce }: { db: Db; log: Log; mostAtOnce?: number }) {
    this.#db = db;
    this.#log = log;
    this.#mostAtOnce = mostAtOnce ?? MOST_AT_ONCE;
  }

  /** @param origin of the page, as its browser told it */
  count({ agent_id: agent, event }: FunnelBeacon, origin: string | null): void {
    this.#add({ agent, event, origin: origin ?? "null", count: 1 });
    this.#timer ??= setTimeout(() => void this.write(), WRITE_AFTER_MS).unref();
  }

  /** Writes what was counted since the last time. What could not be written is tried again with the next. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    if (counts.length === 0) return;
    try {
      await addFunnelCounts(this.#db, counts, MOST_ORIGINS);
    } catch (error) {
      this.#log.warn({ err: error }, "funnel counts could not be written");
      for (const count of counts) this.#add(count);
    }
  }

  #add(added: FunnelCount): void {
    const key = JSON.stringify([added.agent, added.event, added.origin]);
    const known = this.#counts.get(key);
    if (known !== undefined) known.count += added.count;
    else if (this.#counts.size < this.#mostAtOnce) this.#counts.set(key, added);
  }
}
