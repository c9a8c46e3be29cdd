import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel } from "@svc/rehearsal";
import type { Fault } from "@svc/rehearsal";
import { end, say as speak, start } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import type { Claim } from "../runner/proof.ts";
import { seconds } from "../runner/table.ts";
import { openStage } from "../stage/stage.ts";
import { startPipelineProcess } from "./pipeline-process.ts";
import { quantile } from "../runner/figures.ts";
import { addAsker, talk } from "./talks.ts";

/** The ways in which a provider is away. */
const AWAY: Fault[] = [
  { kind: "refuse" },
  { kind: "error_503" },
  { kind: "rate_limit", retryAfterSecs: 2 },
  { kind: "stall" },
];
/** A provider that has failed three times is not asked for so long. */
const CIRCUIT_BREAKER_MS = 5_000;
const LATE_WITHIN_MS = 5_000;
/** Over which the rate is measured: evaluations are taken up once a second. */
const RATE_SPAN_MS = 5_000;
const FRESH_BOUND = 2;

export const providerOutage: Claim<undefined> = {
  promise:
    "Sessions that end while the language model is away settle in time and are evaluated by themselves once it is back",
  bound: `all healed once, none late, at no more than the configured rate, fresh sessions ≤ ${FRESH_BOUND} times as long as before`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ sized, say, onEnd, timeLeftMs }) => {
    const { perSecond, awayMs, rate, withinSecs } = sized({
      quick: { perSecond: 8, awayMs: 6_000, rate: 10, withinSecs: 10 },
      full: { perSecond: 20, awayMs: 60_000, rate: 40, withinSecs: 30 },
    });
    const stage = await openStage();
    onEnd(() => stage.close());
    const { database } = stage;
    const { db } = database;
    const model = await startLanguageModel();
    onEnd(() => model.close());
    const pipeline = startPipelineProcess(database, "worker", {
      SVC_MODEL_URL: model.baseUrl,
      SVC_MODEL_TIMEOUT_SECS: "1",
      SVC_EVALUATE_WITHIN_SECS: String(withinSecs),
      SVC_REEVALUATE_RATE: String(rate),
    });
    onEnd(async () => {
      pipeline.signal("SIGTERM");
      await pipeline.ended;
    });
    await pipeline.started;
    const customer = await addAsker(database);
    await watchTakenUp(database);

    /** Ends talks for so long, and gives their ids. */
    async function endTalks(forMs: number): Promise<string[]> {
      const ids: Promise<string>[] = [];
      const until = performance.now() + forMs;
      for (let number = 1; performance.now() < until; number++) {
        ids.push(endOne(number));
        await delay(1_000 / perSecond);
      }
      return Promise.all(ids);
    }
    async function endOne(number: number): Promise<string> {
      const session = await start(db, customer);
      await speak(db, session, talk(number));
      await end(db, session, { evaluateWithinSecs: withinSecs });
      return session.id;
    }

    // The first sessions wait for what is slow only once.
    await endTalks(2_000);
    const before = await endTalks(awayMs);
    const away: string[] = [];
    for (const fault of AWAY) {
      await model.setFaults([fault]);
      away.push(...(await endTalks(awayMs)));
    }
    const asked = model.requests().total;
    const errors = (await outcomesOf(database, away)).filter(({ status }) => status === "error");
    await model.setFaults([]);
    const backAtMs = Date.now();
    const first = await endTalks(CIRCUIT_BREAKER_MS + 1_000);
    const fresh = await endTalks(awayMs);
    const isHealed = ({ status }: SessionOutcome): boolean => status === "processed";
    while (!(await outcomesOf(database, away)).every(isHealed) && timeLeftMs() > 0) {
      await delay(100);
    }

    const healedAfterMs = Date.now() - backAtMs;
    const outcomes = await outcomesOf(database, away);
    const healed = outcomes.filter((one) => isHealed(one) && one.versions === 1);
    const late = outcomes.filter(
      ({ settledAfterMs }) => settledAfterMs > 1_000 * withinSecs + LATE_WITHIN_MS,
    );
    const takenUp = await takenUpAt(database);
    const busiest = busiestRate(takenUp, RATE_SPAN_MS);
    const p90 = async (ids: string[]): Promise<number> =>
      quantile(
        (await outcomesOf(database, ids)).map((one) => one.settledAfterMs),
        0.9,
      );
    const beforeMs = await p90(before);
    const freshMs = await p90(fresh);
    say(
      `${AWAY.map(({ kind }) => kind).join(", ")}: ${away.length} sessions ended, ${errors.length} had settled as errors when the model was back; it was asked ${asked} times meanwhile`,
    );
    say(
      `all healed ${seconds(healedAfterMs)} later; evaluations were taken up ${takenUp.length} times, at ${busiest.toFixed(1)} a second where most`,
    );
    say(
      `end to settled, p90: ${Math.round(beforeMs)} ms before, ${Math.round(await p90(first))} ms until it was found to be back, ${Math.round(freshMs)} ms beside the backlog`,
    );
    return {
      figure: `${healed.length} of ${away.length} healed once, ${late.length} late, ${busiest.toFixed(1)} a second of ${rate}, fresh ones ${(freshMs / beforeMs).toFixed(2)} times as long`,
      ok:
        healed.length === away.length &&
        late.length === 0 &&
        errors.length > away.length / 2 &&
        busiest <= rate &&
        freshMs <= FRESH_BOUND * beforeMs,
      size: `${away.length} sessions`,
    };
  },
};

/** What became of a session. */
interface SessionOutcome {
  status: string;
  /** Evaluations, written or not. */
  versions: number;
  /** From its end. */
  settledAfterMs: number;
}

async function outcomesOf({ pool }: TestDatabase, ids: string[]): Promise<SessionOutcome[]> {
  const { rows } = await pool.query<SessionOutcome>(
    `SELECT s.status, count(e)::integer AS versions, extract(epoch FROM s.settled_at - s.ended_at)::float8 * 1000 AS "settledAfterMs"
     FROM sessions AS s LEFT JOIN evaluations AS e ON e.session_id = s.id WHERE s.id = ANY ($1) GROUP BY s.id`,
    [ids],
  );
  return rows;
}

/** From now on the database records when a failed evaluation is taken up again. */
async function watchTakenUp({ pool }: TestDatabase): Promise<void> {
  await pool.query(`
    CREATE TABLE taken_up (at timestamptz);
    CREATE FUNCTION note_taken_up() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO taken_up VALUES (clock_timestamp());
      RETURN NULL;
    END
    $$;
    CREATE TRIGGER note_taken_up AFTER UPDATE ON evaluations FOR EACH ROW
      WHEN (OLD.state = 'failed' AND NEW.state = 'pending') EXECUTE FUNCTION note_taken_up();`);
}

/** In milliseconds, the oldest first. */
async function takenUpAt({ pool }: TestDatabase): Promise<number[]> {
  const { rows } = await pool.query<{ atMs: number }>(
    `SELECT extract(epoch FROM at)::float8 * 1000 AS "atMs" FROM taken_up ORDER BY at`,
  );
  return rows.map(({ atMs }) => atMs);
}

/** The most a second, over any span of that length. */
function busiestRate(sortedMs: number[], spanMs: number): number {
  let most = 0;
  let from = 0;
  for (const [to, atMs] of sortedMs.entries()) {
    while (sortedMs[from]! <= atMs - spanMs) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most / (spanMs / 1_000);
}
