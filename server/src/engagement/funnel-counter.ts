import { pageName } from "#platform";
import type { Db, Log } from "#platform";
import type { DeviceKind, FunnelBeacon } from "@svc/contract/types";
import { addFunnelCounts } from "./store.ts";
import type { FunnelCount } from "./store.ts";

const WRITE_AFTER_MS = 1_000;
/** Bounds the memory of a flood between two writes; counts beyond it are dropped. */
const MAX_AT_ONCE = 10_000;
/** Anyone can send any origin, page or language. */
const MAX_VALUES = 200;

/**
 * Counts events per agent and day, by origin, page, language, entry, version and device, each by itself. It
 * stores nothing else: no address, no id, no time. It writes once a second, so that a page view is
 * not a write.
 */
export class FunnelCounter {
  readonly #db: Db;
  readonly #log: Log;
  readonly #maxAtOnce: number;
  #counts = new Map<string, FunnelCount>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ db, log, maxAtOnce }: { db: Db; log: Log; maxAtOnce?: number }) {
    this.#db = db;
    this.#log = log;
    this.#maxAtOnce = maxAtOnce ?? MAX_AT_ONCE;
  }

  /** @param origin of the page, as its browser told it */
  count(beacon: FunnelBeacon, origin: string | null, device: DeviceKind | null = null): void {
    const { agent_id: agent, event, path, language = null, entry = null } = beacon;
    const page = origin === null || path === undefined ? null : pageName(origin, path);
    this.#add({ agent, event, origin: origin ?? "null", page, language, entry, device, count: 1 });
    this.#timer ??= setTimeout(() => void this.write(), WRITE_AFTER_MS).unref();
  }

  /** Writes the counts since the last write. When that fails, they are added to the next one. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    if (counts.length === 0) return;
    try {
      await addFunnelCounts(this.#db, counts, MAX_VALUES);
    } catch (error) {
      this.#log.warn({ err: error }, "funnel counts could not be written");
      for (const count of counts) this.#add(count);
    }
  }

  #add(added: FunnelCount): void {
    const { count: _, ...what } = added;
    const key = JSON.stringify(Object.values(what));
    const known = this.#counts.get(key);
    if (known !== undefined) known.count += added.count;
    else if (this.#counts.size < this.#maxAtOnce) this.#counts.set(key, added);
  }
}
