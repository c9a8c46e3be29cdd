import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel } from "@svc/rehearsal";
import { end, say, start } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import { addAsker, talk } from "../pipeline/talks.ts";
import type { Claim } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { checkSessions, countOpen } from "./findings.ts";
import { Fleet } from "./fleet.ts";
import { makeKillable } from "./hammer.ts";
import { persist } from "./load.ts";

const KILL_EVERY_MS = 3_000;
/** Time between two deaths in which work can be done, however long PostgreSQL takes to come back. */
const UP_MS = 1_500;
const MODEL_TAKES_MS = 250;
/** What stopping leaves of the time, for the work to be finished. */
const FINISH_MS = 60_000;
/** More than the crashes after which a job is given up. */
const ENOUGH_KILLS = 6;

// P12
export const jobsOutlivePostgresql: Claim<undefined> = {
  promise: "No evaluation is lost to deaths of PostgreSQL, however many there are",
  bound: "0 lost, doubled or unsettled; the control, in which a death uses up a try, loses some",
  timeLimitSecs: { quick: 300, full: 2700 },
  tier: "nightly",
  prove: async ({ sized, say: tell, progress, onEnd, timeLeftMs }) => {
    const wanted = sized({
      quick: { kills: 15, sessions: 100 },
      full: { kills: 350, sessions: 2_000 },
    });
    const stage = await openStage({ durable: true });
    onEnd(() => stage.close());
    const model = await startLanguageModel({ delayMs: MODEL_TAKES_MS });
    onEnd(() => model.close());
    const control = await stage.cloneDatabase();
    await countEveryDeath(control);
    const worlds: World[] = [];
    for (const database of [stage.database, control]) {
      const fleet = new Fleet(database, { SVC_MODEL_URL: model.baseUrl });
      onEnd(() => fleet.stop());
      await fleet.prepare();
      fleet.keep();
      await fleet.ready();
      worlds.push({ database, fleet, customer: await addAsker(database), ended: [] });
    }

    const postgres = await makeKillable(stage);
    let kills = 0;
    const hasTime = (): boolean => timeLeftMs() > FINISH_MS;
    const paceMs = (wanted.kills * KILL_EVERY_MS) / wanted.sessions;
    const ending = worlds.map(async (world) => {
      for (let number = 1; number <= wanted.sessions && hasTime(); number++) {
        await endOne(world, number);
        await delay(paceMs);
      }
    });
    while (kills < wanted.kills && hasTime()) {
      const killedAt = performance.now();
      await postgres.kill();
      progress((kills += 1), wanted.kills, "deaths of PostgreSQL");
      await delay(Math.max(UP_MS, KILL_EVERY_MS - (performance.now() - killedAt)));
    }
    await Promise.all(ending);
    for (const { database, customer } of worlds) {
      while (timeLeftMs() > 0 && (await persist(() => countOpen(database, customer))) > 0) {
        await delay(200);
      }
    }
    const [found, uncounted] = await Promise.all(
      worlds.map(({ database, customer, ended }) => checkSessions(database, customer, ended)),
    );
    const { rows } = await stage.database.pool.query<{ most: number }>(
      "SELECT coalesce(max(retry_count), 0)::integer AS most FROM pgboss.job WHERE name = 'session-ended'",
    );
    tell(`the job that was cut short most often of those still stored: ${rows[0]!.most} times`);
    const faults = worlds.flatMap(({ fleet }) => fleet.faults);
    for (const fault of faults.slice(0, 10)) tell(`fault: ${fault}`);
    return {
      figure: `${found!.lost} lost, ${found!.doubled} doubled, ${found!.unsettled} unsettled of ${worlds[0]!.ended.length} in ${kills} deaths; control lost ${uncounted!.lost} of ${worlds[1]!.ended.length}`,
      ok:
        found!.lost + found!.doubled + found!.unsettled + faults.length === 0 &&
        kills >= ENOUGH_KILLS &&
        uncounted!.lost > 0,
      size: `${kills} deaths, ${worlds[0]!.ended.length} sessions`,
    };
  },
};

interface World {
  database: TestDatabase;
  fleet: Fleet;
  customer: Customer;
  /** Ids of the sessions whose end was certainly committed. */
  ended: string[];
}

async function endOne({ database: { db }, customer, ended }: World, number: number): Promise<void> {
  const session = await persist(() => start(db, customer));
  await persist(() => say(db, session, talk(number)));
  await persist(() => end(db, session));
  ended.push(session.id);
}

/** Every death of PostgreSQL uses up the only try of the jobs that it cuts short. */
async function countEveryDeath({ pool }: TestDatabase): Promise<void> {
  await pool.query(`
    CREATE FUNCTION one_try() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.retry_limit := 0; RETURN NEW; END $$;
    CREATE TRIGGER one_try BEFORE INSERT OR UPDATE ON pgboss.job FOR EACH ROW
      WHEN (NEW.name = 'session-ended') EXECUTE FUNCTION one_try()`);
}
