import { setTimeout as delay } from "node:timers/promises";
import { end } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { Gate } from "./export/histories/play-history.ts";
import { openBoss, startBareWorker, startModelProcess } from "./pipeline/contenders.ts";
import { cpuMs } from "./pipeline/cpu-time.ts";
import { startPipelineProcess } from "./pipeline/pipeline-process.ts";
import { endSeeded, seedTalks } from "./pipeline/seed-talks.ts";
import { addAsker } from "./pipeline/talks.ts";
import { defineProof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

/** What was wished for. docs/decisions/2026-11-15-pg-boss.md says what keeps us from it. */
const WISHED = 0.4;
/** What must hold: below it a database would not carry 50 session ends a second with room to spare. */
const RATE_BOUND = 0.14;
const WAITING_BOUND = 1.3;
const SLOTS = 16;
const SIZES = {
  quick: { waiting: 20_000, perRound: 400, rounds: 3 },
  full: { waiting: 100_000, perRound: 2_000, rounds: 8 },
};

export default defineProof({
  covers: [],
  claims: {
    "pipeline-speed": {
      promise:
        "Sessions are settled with their evaluations at a steady share of what the bare queue can do, whatever waits",
      bound: `≥ ${RATE_BOUND} of bare pg-boss (${WISHED} was wished and is not reached), slowed ≤ ${WAITING_BOUND} times by a backlog`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, onEnd, timeLeftMs }) => {
        const { waiting, perRound, rounds } = full ? SIZES.full : SIZES.quick;
        const stage = await openStage({ settings: { shared_buffers: "512MB" } });
        onEnd(() => stage.close());
        const { database } = stage;
        const postgresPid = await stage.cluster.pid();
        const model = await startModelProcess();
        onEnd(() => model.stop());
        const pipeline = startPipelineProcess(database, "worker", {
          SVC_MODEL_URL: model.baseUrl,
          SVC_EVALUATE_AT_ONCE: String(SLOTS),
        });
        onEnd(() => pipeline.signal("SIGKILL"));
        await pipeline.started;
        const boss = await openBoss(database);
        const customer = await addAsker(database);

        const bareDatabase = await stage.cloneDatabase();
        const bareBoss = await openBoss(bareDatabase);
        await bareBoss.createQueue("bare", { heartbeatSeconds: 10, retryLimit: 4 });
        const bare = await startBareWorker(bareDatabase, SLOTS);
        onEnd(() => bare.stop());

        /** So many a second, and the processor time that each took: in the worker, and with PostgreSQL. */
        async function measure(
          workerPid: number,
          items: string[],
          send: (item: string) => Promise<unknown>,
          done: () => Promise<number>,
        ): Promise<Round> {
          const gate = new Gate(SLOTS);
          const target = (await done()) + items.length;
          const cpu = async (): Promise<number> =>
            (await cpuMs(workerPid, { children: false })) +
            (await cpuMs(postgresPid, { children: true }));
          const cpuBefore = await cpu();
          const startedAt = performance.now();
          const sending = Promise.all(items.map((item) => gate.pass(() => send(item))));
          while ((await done()) < target) await delay(50);
          const tookMs = performance.now() - startedAt;
          const cpuEach = ((await cpu()) - cpuBefore) / items.length;
          await sending;
          return { perSecond: (1_000 * items.length) / tookMs, cpuMs: cpuEach };
        }
        const talks = await seedTalks(database, customer, (2 * rounds + 1) * perRound);
        const endOne = (id: string): Promise<unknown> =>
          end(database.db, { id, createdAt: new Date() });
        const product = (): Promise<Round> =>
          measure(pipeline.pid, talks.splice(0, perRound), endOne, () => countSettled(database));
        const control = (): Promise<Round> =>
          measure(
            bare.pid,
            Array.from({ length: perRound }, (_, index) => String(index)),
            (item) => bareBoss.send("bare", { item }),
            () => countCompleted(bareDatabase),
          );

        const backlog = await seedTalks(database, customer, waiting + 2 * rounds * perRound);
        await endSeeded(database, backlog);
        /** The same with a backlog: what is settled meanwhile is mostly that. */
        async function withBacklog(): Promise<Round> {
          const unsettled = await selectUnsettled(database, backlog, waiting);
          await boss.insert(
            "session-ended",
            unsettled.map((sessionId) => ({ data: { sessionId } })),
          );
          const round = await product();
          await boss.deleteQueuedJobs("session-ended");
          while ((await countOpen(database)) > 0) await delay(20);
          await database.pool.query(
            "VACUUM (ANALYZE) pgboss.job, sessions, evaluations, session_exports",
          );
          return round;
        }

        await product();
        await control();
        const rows: Record<"product" | "control" | "backlog", Round>[] = [];
        while (rows.length < rounds && timeLeftMs() > 3_000) {
          // They take turns, so that a busy moment of the machine hits all of them.
          const row = {
            control: await control(),
            product: await product(),
            backlog: await withBacklog(),
          };
          rows.push(row);
          say(
            Object.entries(row)
              .map(
                ([name, { perSecond, cpuMs: each }]) =>
                  `${name} ${perSecond.toFixed(0)}/s, ${each.toFixed(2)} ms of CPU`,
              )
              .join("; "),
          );
        }
        const mean = (name: keyof (typeof rows)[number], value: keyof Round): number =>
          rows.reduce((sum, row) => sum + row[name][value], 0) / rows.length;
        const ofBare = mean("product", "perSecond") / mean("control", "perSecond");
        const slowedBy = mean("product", "perSecond") / mean("backlog", "perSecond");
        return {
          figure: `${mean("product", "perSecond").toFixed(0)} a second, ${ofBare.toFixed(2)} of bare pg-boss; ${mean("product", "cpuMs").toFixed(1)} ms of CPU each, bare ${mean("control", "cpuMs").toFixed(1)}; ${waiting.toLocaleString("en")} waiting slow it ${slowedBy.toFixed(2)} times`,
          ok: ofBare >= RATE_BOUND && slowedBy <= WAITING_BOUND && rows.length > 0,
          size: `${rows.length} rounds of ${perRound}`,
        };
      },
    },
  },
});

interface Round {
  perSecond: number;
  /** Of the worker and PostgreSQL, for each. */
  cpuMs: number;
}

async function countSettled({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: number }>("SELECT count(*)::integer FROM evaluations");
  return rows[0]!.count;
}

async function countCompleted({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "SELECT count(*)::integer FROM pgboss.job WHERE name = 'bare' AND state = 'completed'",
  );
  return rows[0]!.count;
}

async function countOpen({ pool }: TestDatabase): Promise<number> {
  const { rowCount } = await pool.query(
    "SELECT 1 FROM pgboss.job WHERE name = 'session-ended' AND state < 'completed'",
  );
  return rowCount ?? 0;
}

async function selectUnsettled(
  { pool }: TestDatabase,
  ids: string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM sessions WHERE id = ANY ($1) AND settled_at IS NULL LIMIT $2",
    [ids, limit],
  );
  return rows.map(({ id }) => id);
}
