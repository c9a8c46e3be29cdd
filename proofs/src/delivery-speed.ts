import { startReceiverProcess } from "./deliveries/receiver-process.ts";
import { startBare, startOurs } from "./deliveries/senders.ts";
import type { Sender } from "./deliveries/senders.ts";
import { cpuMs as cpuOf } from "./pipeline/cpu-time.ts";
import { proof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

const BARE_BOUND = 0.4;
const BACKLOG_BOUND = 1.3;
/** More than any of them sends, on whatever machine: who runs out of work fails. */
const MOST_PER_MS = 6;

await proof(
  {
    promise: "A delivery costs little more than a job and a signed request",
    bound: `deliveries a second and per CPU second ≥ ${BARE_BOUND} of bare pg-boss with a bare POST, a backlog slows it by ≤ ${BACKLOG_BOUND}`,
  },
  async ({ full, say, onEnd, timeLeftMs }) => {
    const backlog = full ? 100_000 : 20_000;
    const roundMs = full ? 8_000 : 800;
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
      await sender.send(roundMs);
    }

    const nothing = { sent: 0, ms: 0, cpuMs: 0 };
    const totals = { bare: nothing, ours: nothing, behind: nothing };
    const names = ["bare", "ours", "behind"] as const;
    // They take turns, so that a busy moment of the machine hits all of them.
    for (let turn = 0; turn < 2 || (timeLeftMs() > 5 * roundMs && turn < 12); turn++) {
      const said: string[] = [];
      for (const name of names) {
        const round = await measure(senders[name], roundMs, postmaster);
        totals[name] = add(totals[name], round);
        said.push(
          `${name} ${perSecond(round).toFixed(0)}/s, ${(1_000 / perCpuSecond(round)).toFixed(2)} ms of CPU each`,
        );
      }
      say(said.join("; "));
    }
    const ofBare = perSecond(totals.ours) / perSecond(totals.bare);
    const cpuOfBare = perCpuSecond(totals.ours) / perCpuSecond(totals.bare);
    const slowed = perSecond(totals.ours) / perSecond(totals.behind);
    return {
      figure: `${ofBare.toFixed(2)} of bare, ${cpuOfBare.toFixed(2)} per CPU second; ${backlog.toLocaleString("en")} waiting slow it by ${slowed.toFixed(2)}`,
      ok: ofBare >= BARE_BOUND && cpuOfBare >= BARE_BOUND && slowed <= BACKLOG_BOUND,
      size: `${(totals.ours.sent + totals.behind.sent).toLocaleString("en")} deliveries`,
    };
  },
);

interface Round {
  sent: number;
  ms: number;
  /** Of the sender and of PostgreSQL. */
  cpuMs: number;
}

async function measure(sender: Sender, forMs: number, postmaster: number): Promise<Round> {
  const cpu = async (): Promise<number> =>
    (await cpuOf(sender.pid, { children: false })) + (await cpuOf(postmaster, { children: true }));
  await sender.fill();
  let [startedAt, cpuBefore] = [0, 0];
  const sent = await sender.send(forMs, async () => {
    [startedAt, cpuBefore] = [performance.now(), await cpu()];
  });
  return { sent, ms: performance.now() - startedAt, cpuMs: (await cpu()) - cpuBefore };
}

function add(one: Round, other: Round): Round {
  return {
    sent: one.sent + other.sent,
    ms: one.ms + other.ms,
    cpuMs: one.cpuMs + other.cpuMs,
  };
}

function perSecond({ sent, ms }: Round): number {
  return (1_000 * sent) / ms;
}

function perCpuSecond({ sent, cpuMs }: Round): number {
  return (1_000 * sent) / cpuMs;
}
