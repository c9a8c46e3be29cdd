import { setTimeout as delay } from "node:timers/promises";
import type { TestDatabase } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
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

/** Of ten blows, those that hit PostgreSQL: nothing that it cuts short may be held against a job. */
const BACKEND_BLOWS = [2, 6];
const POSTGRES_BLOW = 9;
/** More than the crashes of ours after which a job is given up. */
const ENOUGH_OUTAGES = 6;
const MOST_MS_BETWEEN = 1_000;

/** Kills what can be killed until so many are dead, PostgreSQL often enough among them. One process is frozen meanwhile. */
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
    if (kills() >= options.kills && outages.length >= ENOUGH_OUTAGES && wholes > 0) break;
    await delay(random.integer(0, MOST_MS_BETWEEN));
    // A frozen process that has lost its connections could not write late even if it wanted to.
    const isPostgresFree = frozen !== undefined;
    const fromMs = Date.now();
    if (isPostgresFree && blow % 10 === POSTGRES_BLOW) {
      await postgres.kill();
      wholes += 1;
      outages.push({ fromMs, toMs: Date.now() });
    } else if (isPostgresFree && BACKEND_BLOWS.includes(blow % 10)) {
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
