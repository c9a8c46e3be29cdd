/** The time given for a session and the one that was assigned. */
export interface PlacedSession {
  givenMs: number;
  atMs: number;
}

/** With 100 in one second, a reader with limit 100 would never get past it. */
export const MAX_IN_SECOND = 99;

/**
 * The start stamp of an imported session: the given time, unless that is a whole second or lies in
 * a full one; then the next free millisecond. Sessions are placed one by one in the order of the
 * file, so the result does not depend on where an import was interrupted.
 *
 * A session is never moved before its predecessor unless it was given before it: a file in order of
 * `created_at` stays in order. Sessions with the same time keep it, and the export orders them by
 * id.
 */
export async function allotImportStamp(
  previous: PlacedSession | undefined,
  givenMs: number,
  countIn: (second: number) => number | Promise<number>,
): Promise<number> {
  let atMs = isAfter(previous, givenMs) ? Math.max(givenMs, previous.atMs + 1) : givenMs;
  for (;;) {
    if (atMs % 1_000 === 0) atMs += 1;
    const second = secondOf(atMs);
    if ((await countIn(second)) < MAX_IN_SECOND) return atMs;
    atMs = (second + 1) * 1_000;
  }
}

function isAfter(previous: PlacedSession | undefined, givenMs: number): previous is PlacedSession {
  if (previous === undefined || givenMs < previous.givenMs) return false;
  return !(givenMs === previous.givenMs && givenMs === previous.atMs);
}

export function secondOf(ms: number): number {
  return Math.floor(ms / 1_000);
}

/** The number of sessions in each second, loaded on demand. */
export class SecondCounts {
  readonly #load: (seconds: number[]) => Promise<Map<number, number>>;
  readonly #counts = new Map<number, number>();

  constructor(load: (seconds: number[]) => Promise<Map<number, number>>) {
    this.#load = load;
  }

  async prepare(seconds: number[]): Promise<void> {
    const missing = [...new Set(seconds)].filter((second) => !this.#counts.has(second));
    if (missing.length === 0) return;
    for (const [second, count] of await this.#load(missing)) this.#counts.set(second, count);
  }

  async of(second: number): Promise<number> {
    const known = this.#counts.get(second);
    if (known !== undefined) return known;
    // Full seconds usually come in groups, so the next ones are loaded as well.
    await this.prepare(Array.from({ length: 20 }, (_, ahead) => second + ahead));
    return this.#counts.get(second)!;
  }

  add(second: number): void {
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + 1);
  }

  /** The account's clock may have counted sessions that no longer exist. */
  raise(second: number, count: number): void {
    this.#counts.set(second, Math.max(count, this.#counts.get(second) ?? 0));
  }
}
