import { survivalFaults } from "./deliveries/judge-deliveries.ts";
import { longestMs } from "./kills/findings.ts";
import { ENOUGH_PLACES, FAILPOINTS, MAX_LISTED, openHammeredRun } from "./kills/hammered-run.ts";
import type { HammeredRun } from "./kills/hammered-run.ts";
import type { Frozen } from "./kills/hammer.ts";
import { onceFaults } from "./mail/judge-mail.ts";
import { quantile } from "./runner/figures.ts";
import { defineProof } from "./runner/proof.ts";
import type { Claim, Outcome, Tools } from "./runner/proof.ts";
import { seconds } from "./runner/table.ts";

const RUN_AGAIN_WITHIN_MS = 20_000;
const LATE_WITHIN_MS = 5_000;
/** More are wanted; a slow machine has no time for as many. */
const ENOUGH_KILLS = 12;
const ENOUGH_RECOVERIES = 20;
const RUN_AGAIN = `run again within ${RUN_AGAIN_WITHIN_MS / 1_000} s at p99`;

type Run = (claim: Tools) => Promise<HammeredRun>;

/** Tier and time of all three: each may be the one that the shared run takes its time from. */
const KILLS = {
  timeLimitSecs: { quick: 90, full: 2700 },
  tier: "nightly",
} satisfies Partial<Claim>;

// K6, K7, K8, K9, K10, K11, K12, K14, K15, P2, W13
export default defineProof<Run>({
  covers: [
    "server/src/evaluation/",
    "server/src/followup/",
    "server/src/pipeline/",
    "server/src/platform/",
    "server/src/sessions/",
    "server/src/webhooks/",
  ],
  open: openHammeredRun,
  claims: {
    "evaluations-survive-kills": {
      ...KILLS,
      promise:
        "Every session that ends is evaluated once and settles in time, whatever is killed meanwhile",
      bound: `0 lost, doubled, unsettled or written late, deadlines overrun by ≤ ${LATE_WITHIN_MS / 1_000} s, killed jobs ${RUN_AGAIN}`,
      prove: async (tools, open) => {
        const run = await open(tools);
        const { sessions: found, blows, control } = run;
        const overrunMs = longestMs(found.overruns, blows.outages);
        return judge(tools, run, {
          failpoints: Object.keys(FAILPOINTS.evaluate),
          frozen: blows.frozen.evaluate,
          figure: `${found.lost} lost, ${found.doubled} doubled, ${found.unsettled} unsettled of ${found.sessions}, ${found.overdue} evaluated after they had settled, overrun ${seconds(overrunMs)}; control lost ${control.jobs.lost} of ${control.jobs.taken}`,
          ok:
            found.lost + found.doubled + found.unsettled === 0 &&
            overrunMs <= LATE_WITHIN_MS &&
            control.jobs.lost > 0,
          size: `${found.sessions} sessions`,
        });
      },
    },
    "deliveries-survive-kills": {
      ...KILLS,
      promise:
        "Every evaluation that is written reaches its receivers, whatever is killed meanwhile",
      bound: `0 events lost, wrong or late, requests ≤ outcomes + crashes of ours, killed attempts ${RUN_AGAIN}`,
      prove: async (tools, open) => {
        const run = await open(tools);
        const { events: found, deliveries, control } = run;
        const lost = found.vanished + found.missing;
        const again = deliveries.filter(({ delivery }) => delivery.orphans > 0).length;
        return judge(tools, run, {
          failpoints: [...Object.keys(FAILPOINTS.deliver), "evaluate:writing"],
          frozen: run.blows.frozen.deliver,
          faults: deliveries.flatMap(survivalFaults),
          figure: `${lost} events lost, ${found.wrong} wrong of ${found.events}, ${again} of ${deliveries.length} deliveries cut short and sent again; control lost ${control.events.lost} of ${control.events.committed}`,
          ok: lost + found.wrong === 0 && again > 0 && control.events.lost > 0,
          size: `${found.events} events`,
        });
      },
    },
    "no-second-mail": {
      ...KILLS,
      promise: "No session is mailed twice, whatever is killed while its mail is handed over",
      bound: "0 second mails, every unknown one listed",
      prove: async (tools, open) => {
        const run = await open(tools);
        const { sessions, copiesOf, addressed, listed } = run.mails;
        const { mails: control } = run.control;
        const mustBeMailed = sessions.filter(({ id }) => addressed.get(id) === true);
        const doubled = sessions.filter(({ id }) => copiesOf(id) > 1).length;
        const unknown = sessions.filter(({ state }) => state === "unknown").map(({ id }) => id);
        const arrived = unknown.filter((id) => copiesOf(id) === 1).length;
        const wrongly = listed.filter((id) => !unknown.includes(id)).length;
        const hidden = Math.min(unknown.length, MAX_LISTED) - (listed.length - wrongly);
        return judge(tools, run, {
          failpoints: Object.keys(FAILPOINTS.mail),
          faults: mustBeMailed.flatMap((session) => onceFaults(session, copiesOf(session.id))),
          figure: `${doubled} second mails in ${mustBeMailed.length} sessions, ${unknown.length} unknown, of which ${arrived} had arrived and ${hidden} are not listed; control sent ${control.doubled} of ${control.sent} twice`,
          ok: doubled + hidden + wrongly === 0 && arrived > 0 && control.doubled > 0,
          size: `${mustBeMailed.length} sessions`,
        });
      },
    },
  },
});

interface Judgement extends Outcome {
  /** Of these, processes must have died at enough. */
  failpoints: string[];
  /** Where leases are judged: nothing may be written late, and what was cut short runs again in time. */
  frozen?: Frozen;
  faults?: string[];
}

/** Adds what every claim needs: no faults, and enough kills at enough places. */
function judge(
  { say }: Tools,
  run: HammeredRun,
  { failpoints, frozen, faults = [], ...found }: Judgement,
): Outcome {
  const all = [...run.faults, ...faults];
  for (const fault of all.slice(0, 10)) say(`fault: ${fault}`);
  const p99 = quantile(run.recoveriesMs, 0.99);
  say(
    `${run.recoveriesMs.length} jobs cut short ran again after ${seconds(quantile(run.recoveriesMs, 0.5))} (p50), ${seconds(p99)} (p99)`,
  );
  const isRecovered = run.recoveriesMs.length >= ENOUGH_RECOVERIES && p99 <= RUN_AGAIN_WITHIN_MS;
  if (frozen) say(`frozen with ${frozen.held} jobs in hand, ${frozen.writtenLate} written late`);
  return {
    figure: `${found.figure}; ${run.kills} kills, ${all.length} faults, again within ${seconds(p99)}`,
    ok:
      found.ok &&
      all.length === 0 &&
      (frozen === undefined || (frozen.held > 0 && frozen.writtenLate === 0 && isRecovered)) &&
      run.kills >= ENOUGH_KILLS &&
      failpoints.filter((name) => run.diedAt.has(name)).length >= ENOUGH_PLACES,
    size: `${run.kills.toLocaleString("en")} kills, ${found.size}`,
  };
}
