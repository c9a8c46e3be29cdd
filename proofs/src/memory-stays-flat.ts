import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startSpeech } from "@svc/rehearsal";
import type { TalkOrder, TalkReport } from "./memory/talking-sessions.ts";
import { makeUnpatchedPackages } from "./memory/unpatched-packages.ts";
import { defineProof } from "./runner/proof.ts";

/** Of what a session keeps, its transcript included. */
const MOST_MB_PER_MINUTE = 0.2;
/** What the library keeps without our patches is a multiple of that. */
const LEAK_MB_PER_MINUTE = 1;
const SESSIONS = 4;
const SPEED = 6;

const TALKING = fileURLToPath(new URL("memory/talking-sessions.ts", import.meta.url));
const SHADOWING = fileURLToPath(new URL("memory/shadow-packages.ts", import.meta.url));

export default defineProof({
  covers: [],
  claims: {
    "memory-stays-flat": {
      promise: "A process that talks for hours keeps nothing of the sound",
      bound: `< ${MOST_MB_PER_MINUTE} MB a minute and session`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, progress, timeLeftMs, onEnd }) => {
        const minutes = full ? 40 : 1;

        /** With the packages as they are installed, or as another folder has them. */
        async function talk(who: string, most: number, packages?: string): Promise<Talk> {
          const speech = await startSpeech({
            otherwise: "Where can an airship be moored?",
            speed: 20,
          });
          onEnd(() => speech.close());
          const order: TalkOrder = {
            speechUrl: speech.url,
            sessions: SESSIONS,
            minutes: most,
            speed: SPEED,
          };
          const child = fork(TALKING, [JSON.stringify(order)], {
            execArgv: ["--expose-gc", ...(packages === undefined ? [] : ["--import", SHADOWING])],
            env: { ...process.env, SVC_PACKAGES: packages },
          });
          onEnd(() => child.kill("SIGKILL"));
          const reports: TalkReport[] = [];
          child.on("message", (report: TalkReport) => {
            reports.push(report);
            progress(report.minute, most, `minutes, ${who}`);
          });
          // On a slow machine it ends with what it has reached.
          const stop = setTimeout(() => child.kill(), timeLeftMs());
          const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
          clearTimeout(stop);
          if (code) throw new Error(`${who}: the talking process ended with ${code}.`);
          return measure(who, reports);
        }

        const packages = await makeUnpatchedPackages(onEnd);
        const [ours, published] = await Promise.all([
          talk("as we run it", minutes),
          talk("control, packages as published", 1, packages),
        ]);
        for (const { line } of [ours, published]) say(line);
        const { mbPerMinute, isTalk } = ours;
        return {
          figure: `${mbPerMinute.toFixed(2)} MB a minute and session; ${published.mbPerMinute.toFixed(1)} without the patches`,
          ok:
            isTalk &&
            published.isTalk &&
            mbPerMinute < MOST_MB_PER_MINUTE &&
            published.mbPerMinute > LEAK_MB_PER_MINUTE,
          size: `${SESSIONS} sessions of ${ours.minutes} min`,
        };
      },
    },
  },
});

interface Talk {
  minutes: number;
  mbPerMinute: number;
  /** They were heard, they answered, and no voice was lost. */
  isTalk: boolean;
  line: string;
}

function measure(who: string, reports: TalkReport[]): Talk {
  const [first, last] = [reports[0], reports.at(-1)];
  if (first === undefined || last === undefined || last.minute === 0) {
    throw new Error(`${who}: nothing was measured.`);
  }
  const mbPerMinute = (last.keptMb - first.keptMb) / last.minute / SESSIONS;
  const visitorTurns = last.visitorTurns - first.visitorTurns;
  const agentTurns = last.agentTurns - first.agentTurns;
  const enough = last.minute * SESSIONS * 2;
  return {
    minutes: last.minute,
    mbPerMinute,
    isTalk: visitorTurns >= enough && agentTurns >= enough && last.voicesLost === 0,
    line: `${who}: ${first.keptMb.toFixed(1)} to ${last.keptMb.toFixed(1)} MB in ${last.minute} min with ${SESSIONS} sessions, ${mbPerMinute.toFixed(2)} MB a minute each; ${visitorTurns} turns of visitors, ${agentTurns} of agents, ${last.voicesLost} voices lost`,
  };
}
