import type { Random } from "../../random.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Visits by hour of the day (UTC), as on a site with customers in Europe and America. */
const BY_HOUR = [2, 1, 1, 1, 1, 2, 5, 9, 12, 13, 12, 9, 10, 13, 14, 13, 11, 9, 8, 8, 7, 5, 4, 3];
/** The last visits are over by now, and their evaluations too. */
const QUIET_MS = 20 * 60_000;

/** Moments of the last 30 days, oldest first: busy by day, quiet at night and at weekends. */
export function startTimes(random: Random, count: number, now: Date): Date[] {
  const latest = now.getTime() - QUIET_MS;
  const times = new Set<number>();
  while (times.size < count) {
    const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS - random.integer(0, DAYS) * DAY_MS;
    const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
    if (isWeekend && random.chance(0.7)) continue;
    const hour = random.weighted(BY_HOUR.map((weight, index) => [index, weight] as const));
    // No session starts on a whole second: the export's `since` could then be read in two ways.
    const time =
      midnight + hour * 3_600_000 + random.integer(0, 3_599) * 1_000 + random.integer(1, 999);
    if (time <= latest && time > now.getTime() - DAYS * DAY_MS) times.add(time);
  }
  return [...times].toSorted((a, b) => a - b).map((time) => new Date(time));
}
