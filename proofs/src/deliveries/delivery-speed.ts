import { setTimeout as delay } from "node:timers/promises";
import { addCustomer, addReceiver, seedDeliveries } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { countRows } from "../pipeline/count-rows.ts";
import { cpuMs as cpuOf } from "../pipeline/cpu-time.ts";
import { startPipelineProcess } from "../pipeline/pipeline-process.ts";
import { quantile } from "../runner/figures.ts";
import type { Claim } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { BARE_QUEUE, startBareWorker } from "./bare-worker.ts";
import type { BarePost } from "./bare-worker.ts";
import { startReceiverProcess } from "./receiver-process.ts";

const BARE_BOUND = 0.4;
const BACKLOG_BOUND = 1.3;
/** More than any of them sends, on whatever machine: a sender that runs out of work fails the claim. */
const MAX_PER_MS = 6;
const MIN_TURNS = 3;

export const deliverySpeed: Claim<undefined> = {
  promise: "A delivery costs little more than a job and a signed request",
  bound: `deliveries a second and per CPU second ≥ ${BARE_BOUND} of bare pg-boss with a bare POST, a backlog slows it by ≤ ${BACKLOG_BOUND}`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ sized, say, onEnd, timeLeftMs }) => {
    const { backlog, roundMs, wanted } = sized({
      quick: { backlog: 20_000, roundMs: 400, wanted: 9 },
      full: { backlog: 100_000, roundMs: 4_000, wanted: 24 },
    });
    const stage = await openStage();
    onEnd(() => stage.close());
    const postmaster = await stage.cluster.pid();
    const { url, stop } = await startReceiverProcess();
    onEnd(stop);

    const few = MAX_PER_MS * roundMs;
    const [one, another] = [await stage.cloneDatabase(), await stage.cloneDatabase()];
    const [bare, ours, behind] = await Promise.all([
      startBare(stage.database, url, few),
      startOurs(one, url, few),
      startOurs(another, url, backlog),
    ]);
    for (const sender of [bare, ours, behind]) {
      onEnd(() => sender.stop());
      await during(sender, () => delay(roundMs));
    }

    const turns: Record<"bare" | "ours" | "behind", Round>[] = [];
    // They take turns, so that a busy moment of the machine hits all of them, and one turn alone.
    while (turns.length < MIN_TURNS || (timeLeftMs() > 8 * roundMs && turns.length < wanted)) {
      const turn = {
        bare: await measure(bare, roundMs, postmaster),
        ours: await measure(ours, roundMs, postmaster),
        behind: await measure(behind, roundMs, postmaster),
      };
      turns.push(turn);
      say(
        Object.entries(turn)
          .map(([name, { perSecond, cpuMsEach }]) => {
            return `${name} ${perSecond.toFixed(0)}/s, ${cpuMsEach.toFixed(2)} ms of CPU each`;
          })
          .join("; "),
      );
    }
    const median = (ratio: (turn: (typeof turns)[number]) => number): number =>
      quantile(turns.map(ratio), 0.5);
    const ofBare = median((turn) => turn.ours.perSecond / turn.bare.perSecond);
    const cpuOfBare = median((turn) => turn.bare.cpuMsEach / turn.ours.cpuMsEach);
    const slowed = median((turn) => turn.ours.perSecond / turn.behind.perSecond);
    const sent = turns.reduce((sum, turn) => sum + turn.ours.sent + turn.behind.sent, 0);
    return {
      figure: `${ofBare.toFixed(2)} of bare, ${cpuOfBare.toFixed(2)} per CPU second; ${backlog.toLocaleString("en")} waiting slow it by ${slowed.toFixed(2)}`,
      ok: ofBare >= BARE_BOUND && cpuOfBare >= BARE_BOUND && slowed <= BACKLOG_BOUND,
      size: `${sent.toLocaleString("en")} deliveries in ${turns.length} turns`,
    };
  },
};

/** Something that delivers, in a process of its own and only from `go` to `rest`. */
interface Sender {
  pid: number;
  waiting(): Promise<number>;
  delivered(): Promise<number>;
  /** So many more wait. */
  add(count: number): Promise<unknown>;
  /** How many should wait. */
  wanted: number;
  go(): unknown;
  /** Resolves when nothing is under way any more. */
  rest(): Promise<void>;
  stop(): void;
}

const RECEIVERS = 8;
const SLOTS = 8 * RECEIVERS;
const CONNECTIONS = 10;
/** Of those that should wait. The next round would feel the vacuuming of what is filled in. */
const ENOUGH = 0.75;

/** The pipeline. Its receivers are paused between rounds. */
async function startOurs(
  database: TestDatabase,
  receiverUrl: string,
  wanted: number,
): Promise<Sender> {
  const { db, pool } = database;
  const customer = await addCustomer(db);
  const ids: string[] = [];
  for (let number = 1; number <= RECEIVERS; number++) {
    ids.push((await addReceiver(db, customer, `${receiverUrl}/${number}`)).id);
  }
  const turn = (state: "live" | "paused"): Promise<unknown> =>
    pool.query("UPDATE webhook_endpoints SET state = $1", [state]);
  const countIn = (state: string): Promise<number> =>
    countRows(database, "deliveries WHERE state = $1", [state]);
  await turn("paused");
  const pipeline = startPipelineProcess(database, "pipeline", {
    // Nothing is evaluated here.
    SVC_MODEL_URL: "http://127.0.0.1:9/v1",
    SVC_DATABASE_CONNECTIONS: String(CONNECTIONS),
  });
  const sender: Sender = {
    pid: pipeline.pid,
    waiting: () => countIn("waiting"),
    delivered: () => countIn("delivered"),
    add: (count) => seedDeliveries(pool, customer, ids, count),
    wanted,
    go: () => turn("live"),
    rest: async () => {
      await turn("paused");
      while ((await countIn("running")) > 0) await delay(5);
    },
    stop: () => pipeline.signal("SIGKILL"),
  };
  await Promise.all([pipeline.started, fill(sender)]);
  return sender;
}

/** Bare pg-boss with a bare POST, with as many slots. */
async function startBare(
  database: TestDatabase,
  receiverUrl: string,
  wanted: number,
): Promise<Sender> {
  const worker = await startBareWorker(database, { slots: SLOTS, connections: CONNECTIONS });
  const data: BarePost = {
    url: `${receiverUrl}/bare`,
    secret: "whsec_bare",
    body: JSON.stringify({ data: "We need a demo for our sales team of twelve. ".repeat(45) }),
  };
  const sender: Sender = {
    ...worker,
    waiting: () => worker.count("created"),
    delivered: () => worker.count("completed"),
    add: (length) =>
      worker.boss.insert(
        BARE_QUEUE,
        Array.from({ length }, () => ({ data })),
      ),
    wanted,
  };
  await fill(sender);
  return sender;
}

/** Makes sure that enough deliveries wait. */
async function fill({ waiting, wanted, add }: Sender): Promise<void> {
  const there = await waiting();
  if (there < ENOUGH * wanted) await add(wanted - there);
}

/** Delivers while a task is done, which begins when the first has been delivered. */
async function during<T>(sender: Sender, task: () => Promise<T>): Promise<T> {
  const before = await sender.delivered();
  await sender.go();
  while ((await sender.delivered()) === before) await delay(5);
  const result = await task();
  await sender.rest();
  return result;
}

interface Round {
  sent: number;
  perSecond: number;
  /** Of the sender and of PostgreSQL. */
  cpuMsEach: number;
}

/** In the middle of its work: how it starts and ends is not counted. */
async function measure(sender: Sender, forMs: number, postmaster: number): Promise<Round> {
  const look = async (): Promise<{ at: number; sent: number; cpuMs: number }> => ({
    at: performance.now(),
    sent: await sender.delivered(),
    cpuMs:
      (await cpuOf(sender.pid, { children: false })) +
      (await cpuOf(postmaster, { children: true })),
  });
  await fill(sender);
  const [before, after, left] = await during(sender, async () => {
    const first = await look();
    await delay(forMs);
    return [first, await look(), await sender.waiting()];
  });
  if (left === 0) throw new Error("a sender ran out of work");
  const sent = after.sent - before.sent;
  return {
    sent,
    perSecond: (1_000 * sent) / (after.at - before.at),
    cpuMsEach: (after.cpuMs - before.cpuMs) / sent,
  };
}
