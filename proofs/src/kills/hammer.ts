import { setTimeout as delay } from "node:timers/promises";
import type { TestDatabase } from "@svc/server/testing";
import type { Random } from "../histories/random.ts";
import type { Span } from "./check-sessions.ts";
import type { Fleet } from "./fleet.ts";
import { freezeOne } from "./freeze-one.ts";
import type { Frozen } from "./freeze-one.ts";
import type { KillablePostgres } from "./killable-postgres.ts";

/** What was struck beside the processes of the fleet. */
export interface Blows {
  /** Single backends, each of which makes PostgreSQL end all others. */
  backends: number;
  /** The whole PostgreSQL. */
  postgres: number;
  /** When PostgreSQL was away. */
  outages: Span[];
  frozen: Frozen;
}

export interface HammerOptions {
  fleet: Fleet;
  postgres: KillablePostgres;
  /** Its process dies with those of the fleet. */
  control: { kill(): void };
  database: TestDatabase;
  random: Random;
  /** Of the process that is frozen: where it stands still long enough for that. */
  frozenEnvironment: Record<string, string>;
  /** How many kills are wanted, of all kinds together. */
  kills: number;
  mayGoOn(): boolean;
  onProgress(kills: number): void;
}

/**
 * Of so many blows one hits a backend, and one the whole of PostgreSQL. Either cuts everything short
 * that runs, and a job that is cut short five times is given up.
 */
const BACKEND_EVERY = 12;
const POSTGRES_EVERY = 40;
const MOST_MS_BETWEEN = 1_000;

/** Kills what can be killed until so many are dead, and of every kind one. One process is frozen meanwhile. */
export async function hammer(options: HammerOptions): Promise<Blows> {
  const { fleet, postgres, control, random } = options;
  const outages: Span[] = [];
  let backends = 0;
  let wholes = 0;
  let frozen: Frozen | undefined;
  const freezing = freezeOne(fleet, options.database, options.frozenEnvironment).then(
    (outcome) => (frozen = outcome),
  );
  const kills = (): number => fleet.deaths.length + backends + wholes;

  for (let blow = 0; options.mayGoOn(); blow++) {
    if (kills() >= options.kills && backends > 0 && wholes > 0) break;
    await delay(random.integer(0, MOST_MS_BETWEEN));
    // A frozen process that has lost its connections could not write late even if it wanted to.
    const isPostgresFree = frozen !== undefined;
    const fromMs = Date.now();
    if (isPostgresFree && (wholes === 0 || blow % POSTGRES_EVERY === 0)) {
      await postgres.kill();
      wholes += 1;
      outages.push({ fromMs, toMs: Date.now() });
    } else if (isPostgresFree && (backends === 0 || blow % BACKEND_EVERY === 0)) {
      if (await postgres.killBackend()) backends += 1;
      outages.push({ fromMs, toMs: Date.now() });
    } else {
      const working = fleet.working();
      // Somebody stays: with nobody there is nothing to recover by.
      if (working.length > 1) random.pick(working).signal("SIGKILL");
      control.kill();
    }
    options.onProgress(kills());
  }
  return { backends, postgres: wholes, outages, frozen: await freezing };
}
