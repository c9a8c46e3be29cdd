import { quantile } from "../runner/figures.ts";
import { setTimeout as delay } from "node:timers/promises";
import { addCustomer, seedBulk } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import type { Claim } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { readPages, seedOld } from "./timing/read-pages.ts";

const BOUND = 1.3;
const KEPT = 5_000;
/** On a busy machine retention rests long, and not all of them are gone in time. */
const MIN_REMOVED = 500;
/** Retention runs and stands still by turns, so that a busy moment of the machine hits both. */
const TURN_MS = { running: 1_500, control: 1_000 };
/** Enough pages for a p99 that holds still. */
const QUICK_MS = 30_000;
/** A batch that has begun goes on up to its receipt. */
const SETTLE_MS = 150;

// G2
export const retentionIsQuiet: Claim<undefined> = {
  promise: "Who reads the export does not feel that old sessions are removed meanwhile",
  bound: `p99 of a page ≤ ${BOUND} of the control, no session gone that is kept`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ seed, full, say, progress, onEnd, timeLeftMs }) => {
    const count = full ? 1_000_000 : 20_000;
    const stage = await openStage({ settings: { shared_buffers: full ? "2GB" : "512MB" } });
    onEnd(() => stage.close());
    const { database } = stage;
    const customer = await addCustomer(database.db);
    await seedOld(database, customer, count, (done) => progress(done, count, "sessions stored"));
    const firstAt = new Date(Date.now() - 3_600_000);
    await seedBulk(database.pool, customer, KEPT, firstAt);
    const left = async (): Promise<{ old: number; kept: number; exported: number }> =>
      (
        await database.pool.query(
          `SELECT count(*) FILTER (WHERE created_at < $1)::integer AS old, count(*) FILTER (WHERE created_at >= $1)::integer AS kept,
             (SELECT count(*)::integer FROM session_exports) AS exported FROM sessions`,
          [firstAt],
        )
      ).rows[0];

    const settings = { SVC_EXPORT_RATE: "1000000", SVC_EXPORT_BURST: "1000000" };
    const api = await stage.startServer({ ...settings, SVC_LOG_LEVEL: "warn" });
    const random = new Random(seed);
    const pages = readPages({
      url: api.url,
      token: customer.token,
      since: () => Math.floor(firstAt.getTime() / 1_000) + random.integer(0, 49),
    });
    onEnd(() => pages.stop());
    await delay(1_000);
    const pipeline = await stage.startServer({
      SVC_ROLE: "pipeline",
      SVC_MODEL_URL: "http://127.0.0.1:9/v1",
      SVC_EVALUATION_MODEL: "none",
    });
    const removed = async (): Promise<number> => {
      const { rows } = await database.pool.query<{ sum: number }>(
        "SELECT coalesce(sum(sessions), 0)::integer AS sum FROM erasures",
      );
      return rows[0]!.sum;
    };

    const startedAt = performance.now();
    const leftSecs = Math.round(timeLeftMs() / 1_000);
    let done = 0;
    const endAt = full ? Infinity : startedAt + QUICK_MS;
    while (done < count && timeLeftMs() > 8_000 && performance.now() < endAt) {
      // It rests for longer after a batch that was held up: what counts begins with the next ones.
      for (let batches = 0; batches < 2 && timeLeftMs() > 5_000; await delay(20)) {
        const now = await removed();
        if (now === count) break;
        if (now > done) batches += 1;
        done = now;
      }
      pages.count("running");
      await delay(TURN_MS.running);
      pages.count(undefined);
      const release = await holdReceipts(database);
      await delay(SETTLE_MS);
      pages.count("control");
      await delay(TURN_MS.control);
      pages.count(undefined);
      await release();
      done = await removed();
      progress(done, count, "old sessions removed");
    }
    const tookSecs = (performance.now() - startedAt) / 1_000;
    pages.stop();
    await pipeline.stop();

    const receipted = await removed();
    const { old, kept, exported } = await left();
    const { running, control } = {
      running: pages.times("running"),
      control: pages.times("control"),
    };
    if (running.length === 0 || control.length === 0) {
      throw new Error(
        `no page was timed: when the ${count + KEPT} sessions were stored, ${leftSecs} s were left`,
      );
    }
    const ratio = quantile(running, 0.99) / quantile(control, 0.99);
    for (const [name, times] of Object.entries({ running, control })) {
      say(
        `${name.padEnd(8)} ${times.length} pages, p50 ${quantile(times, 0.5).toFixed(1)} ms, p90 ${quantile(times, 0.9).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
      );
    }
    const isWhole = kept === KEPT && exported === KEPT + old && receipted === count - old;
    if (!isWhole) {
      say(`${old} old and ${kept} others are left, ${exported} exported, ${receipted} receipted`);
    }
    return {
      figure: `p99 ${ratio.toFixed(2)} of the control, ${receipted.toLocaleString("en")} removed in ${tookSecs.toFixed(0)} s`,
      ok: ratio <= BOUND && isWhole && receipted >= MIN_REMOVED,
      size: `${receipted.toLocaleString("en")} sessions`,
    };
  },
};

/** No batch ends, and no other begins, until it is released. Everything else of the pipeline goes on. */
async function holdReceipts({ pool }: TestDatabase): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query("BEGIN");
  await client.query("LOCK TABLE erasures IN SHARE ROW EXCLUSIVE MODE");
  return async () => {
    await client.query("COMMIT");
    client.release();
  };
}
