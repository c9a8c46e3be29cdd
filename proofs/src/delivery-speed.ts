import { setTimeout as delay } from "node:timers/promises";
import { startReceiverProcess } from "./deliveries/receiver-process.ts";
import { startBare, startOurs } from "./deliveries/senders.ts";
import type { Sender } from "./deliveries/senders.ts";
import { cpuMs as cpuOf } from "./pipeline/cpu-time.ts";
import { quantile } from "./pipeline/quantile.ts";
import { defineProof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

const BARE_BOUND = 0.4;
const BACKLOG_BOUND = 1.3;
/** More than any of them sends, on whatever machine: who runs out of work fails. */
const MOST_PER_MS = 6;
const LEAST_TURNS = 3;

export default defineProof({
  covers: [],
  claims: {
    "delivery-speed": {
      promise: "A delivery costs little more than a job and a signed request",
      bound: `deliveries a second and per CPU second ≥ ${BARE_BOUND} of bare pg-boss with a bare POST, a backlog slows it by ≤ ${BACKLOG_BOUND}`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, onEnd, timeLeftMs }) => {
        const backlog = full ? 100_000 : 20_000;
        const roundMs = full ? 4_000 : 400;
        const wanted = full ? 24 : 9;
        const stage = await openStage();
        onEnd(() => stage.close());
        const postmaster = await stage.cluster.pid();
        const receiver = await startReceiverProcess({});
        onEnd(() => receiver.stop());

        const few = { receiverUrl: receiver.url, waiting: MOST_PER_MS * roundMs };
        const [one, another] = [await stage.cloneDatabase(), await stage.cloneDatabase()];
        const [bare, ours, behind] = await Promise.all([
          startBare({ ...few, database: stage.database }),
          startOurs({ ...few, database: one }),
          startOurs({ ...few, database: another, waiting: backlog }),
        ]);
        const senders = { bare, ours, behind };
        for (const sender of Object.values(senders)) {
          onEnd(() => sender.stop());
          await sender.during(() => delay(roundMs));
        }

        const turns: Record<keyof typeof senders, Round>[] = [];
        // They take turns, so that a busy moment of the machine hits all of them, and one turn alone.
        while (
          turns.length < LEAST_TURNS ||
          (timeLeftMs() > 8 * roundMs && turns.length < wanted)
        ) {
          const turn = {
            bare: await measure(bare, roundMs, postmaster),
            ours: await measure(ours, roundMs, postmaster),
            behind: await measure(behind, roundMs, postmaster),
          };
          turns.push(turn);
          say(
            Object.entries(turn)
              .map(([name, round]) => `${name} ${told(round)}`)
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
    },
  },
});

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
  await sender.fill();
  const [before, after] = await sender.during(async () => {
    const first = await look();
    await delay(forMs);
    return [first, await look()];
  });
  const sent = after.sent - before.sent;
  return {
    sent,
    perSecond: (1_000 * sent) / (after.at - before.at),
    cpuMsEach: (after.cpuMs - before.cpuMs) / sent,
  };
}

function told({ perSecond, cpuMsEach }: Round): string {
  return `${perSecond.toFixed(0)}/s, ${cpuMsEach.toFixed(2)} ms of CPU each`;
}
