import { setTimeout as delay } from "node:timers/promises";
import type { Claim } from "../runner/proof.ts";
import { seconds } from "../runner/table.ts";
import { openWatchedSystem } from "./watched-system.ts";
import { SPEED, startPrometheus } from "./prometheus.ts";

/** A cause takes so long to be seen: a mail is tried, a dead process loses its lease, two scrapes pass. */
const SEEN_WITHIN_MS = 45_000;
const CALM_MS = 30_000;

export const alertsFire: Claim<undefined> = {
  promise:
    "Every alert that is shipped fires when its cause is there, in a real Prometheus, and is silent as long as it is not",
  bound: `every alert within its own time and ${SEEN_WITHIN_MS / 1_000} s, 0 before their cause; the durations of the rules pass ${SPEED} times faster`,
  tier: "nightly",
  timeLimitSecs: { quick: 300 },
  prove: async ({ say, onEnd, progress, timeLeftMs }) => {
    const system = await openWatchedSystem(onEnd);
    const prometheus = await startPrometheus(onEnd, system.targets);
    const { alerts } = prometheus;
    const expected = new Set<string>();
    const firedMs = new Map<string, number>();
    const early = new Set<string>();
    const look = async (): Promise<Set<string>> => {
      const firing = await prometheus.firing();
      for (const name of firing) if (!expected.has(name)) early.add(name);
      return firing;
    };
    // The control: people talk, are evaluated, mailed and exported, and nothing is planted.
    await system.talkThrough();
    for (const until = performance.now() + CALM_MS; performance.now() < until;) {
      await look();
      await delay(500);
    }
    say(`calm for ${seconds(CALM_MS)}: ${[...early].join(", ") || "no alert"}`);
    for (const { what, alerts: caused, plant, heal } of system.causes) {
      for (const name of caused) expected.add(name);
      const plantedAt = performance.now();
      await plant();
      const waiting = new Set(caused);
      const longestMs = Math.max(
        ...alerts.filter(({ name }) => waiting.has(name)).map(({ forMs }) => forMs),
      );
      while (waiting.size > 0 && timeLeftMs() > 0) {
        const afterMs = performance.now() - plantedAt;
        if (afterMs > longestMs + SEEN_WITHIN_MS) break;
        for (const name of await look()) {
          if (waiting.delete(name)) firedMs.set(name, afterMs);
        }
        await delay(250);
      }
      await heal?.();
      const times = caused.map((name) => {
        const ms = firedMs.get(name);
        return `${name} ${ms === undefined ? "never" : `after ${seconds(ms)}`}`;
      });
      say(`${what}: ${times.join(", ")}`);
      progress(firedMs.size, alerts.length, "alerts");
    }
    const late = alerts.filter(
      ({ name, forMs }) => (firedMs.get(name) ?? Number.POSITIVE_INFINITY) > forMs + SEEN_WITHIN_MS,
    );
    if (early.size > 0) say(`before their cause: ${[...early].join(", ")}`);
    const inTime = alerts.length - late.length;
    return {
      figure: `${inTime} of ${alerts.length} alerts fired in time, ${early.size} before their cause`,
      ok: alerts.length > 0 && late.length === 0 && early.size === 0,
      size: `${alerts.length} alerts`,
    };
  },
};
