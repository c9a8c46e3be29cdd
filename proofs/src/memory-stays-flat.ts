import { execFile, fork } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startSpeech } from "@svc/rehearsal";
import type { TalkOrder, TalkReport } from "./memory/talking-sessions.ts";
import { ROOT } from "./runner/claims.ts";
import { defineProof } from "./runner/proof.ts";
import type { Tools } from "./runner/proof.ts";

/** Of what a session keeps, its transcript included. */
const MAX_MB_PER_MINUTE = 0.2;
/** What the library keeps without our patches is a multiple of that. */
const LEAK_MB_PER_MINUTE = 1;
const SESSIONS = 4;
const SPEED = 6;
/** The packages whose leaks are patched, and a file that each patch changes. */
const PATCHED = {
  "@livekit/agents": "dist/utils.js",
  "@livekit/agents-plugin-deepgram": "dist/stt.js",
};
const TALKING = fileURLToPath(new URL("memory/talking-sessions.ts", import.meta.url));

export default defineProof({
  covers: ["patches/", "server/src/conversation/"],
  claims: {
    "memory-stays-flat": {
      promise: "A process that talks for hours keeps nothing of the sound",
      bound: `< ${MAX_MB_PER_MINUTE} MB a minute and session`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async (tools) => {
        const packages = await makeUnpatchedPackages(tools.onEnd);
        const [ours, published] = await Promise.all([
          talk(tools, { minutes: tools.sized({ quick: 1, full: 40 }) }),
          talk(tools, { minutes: 1, packages }),
        ]);
        tools.say(`as we run it: ${ours.line}`);
        tools.say(`control, packages as published: ${published.line}`);
        return {
          figure: `${ours.mbPerMinute.toFixed(2)} MB a minute and session; ${published.mbPerMinute.toFixed(1)} without the patches`,
          ok:
            ours.isTalk &&
            published.isTalk &&
            ours.mbPerMinute < MAX_MB_PER_MINUTE &&
            published.mbPerMinute > LEAK_MB_PER_MINUTE,
          size: `${SESSIONS} sessions of ${ours.minutes} min`,
        };
      },
    },
  },
});

interface Measured {
  minutes: number;
  mbPerMinute: number;
  /** They were heard, they answered, and no voice was lost. */
  isTalk: boolean;
  line: string;
}

/** Talks in a process of its own, with the packages as they are installed, or as another folder has them. */
async function talk(
  { onEnd, progress, timeLeftMs }: Tools,
  { minutes, packages }: { minutes: number; packages?: string },
): Promise<Measured> {
  const speech = await startSpeech({ otherwise: "Where can an airship be moored?", speed: 20 });
  onEnd(() => speech.close());
  const order: TalkOrder = { speechUrl: speech.url, sessions: SESSIONS, minutes, speed: SPEED };
  const child = fork(TALKING, [JSON.stringify(order)], {
    execArgv: ["--expose-gc", ...(packages === undefined ? [] : [takingFrom(packages)])],
  });
  onEnd(() => child.kill("SIGKILL"));
  const reports: TalkReport[] = [];
  child.on("message", (report: TalkReport) => {
    reports.push(report);
    progress(report.minute, minutes, "minutes");
  });
  // On a slow machine it ends with what it has reached.
  const stop = setTimeout(() => child.kill(), timeLeftMs());
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  clearTimeout(stop);
  if (code) throw new Error(`the talking process ended with ${code}`);
  const [first, last] = [reports[0], reports.at(-1)];
  if (first === undefined || last === undefined || last.minute === 0) {
    throw new Error("nothing was measured");
  }
  const mbPerMinute = (last.keptMb - first.keptMb) / last.minute / SESSIONS;
  const visitorTurns = last.visitorTurns - first.visitorTurns;
  const agentTurns = last.agentTurns - first.agentTurns;
  const enough = last.minute * SESSIONS * 2;
  return {
    minutes: last.minute,
    mbPerMinute,
    isTalk: visitorTurns >= enough && agentTurns >= enough && last.voicesLost === 0,
    line: `${first.keptMb.toFixed(1)} to ${last.keptMb.toFixed(1)} MB in ${last.minute} min; ${visitorTurns} turns of visitors, ${agentTurns} of agents, ${last.voicesLost} voices lost`,
  };
}

/** Lets a program take the library and its plugins from a folder. */
function takingFrom(folder: string): string {
  const hooks = `
    import { registerHooks } from "node:module";
    import { pathToFileURL } from "node:url";
    const parentURL = pathToFileURL(${JSON.stringify(join(folder, "any.js"))}).href;
    registerHooks({
      resolve(specifier, context, next) {
        const isOurs = /^@livekit\\/agents(?:$|[/-])/.test(specifier);
        return next(specifier, isOurs ? { ...context, parentURL } : context);
      },
    });`;
  return `--import=data:text/javascript,${encodeURIComponent(hooks)}`;
}

/** A folder that has these packages as they were published. It lies where all others are found as they are installed. */
async function makeUnpatchedPackages(onEnd: Tools["onEnd"]): Promise<string> {
  const installed = join(ROOT, "node_modules");
  const folder = await mkdtemp(join(installed, ".svc-unpatched-"));
  onEnd(() => rm(folder, { recursive: true }));
  const patches = await readdir(join(ROOT, "patches"));
  for (const [name, file] of Object.entries(PATCHED)) {
    const copy = join(folder, "node_modules", name);
    await mkdir(dirname(copy), { recursive: true });
    await cp(join(installed, name), copy, { recursive: true, dereference: true });
    const patch = patches.find((one) => one.startsWith(`${name.replace("/", "+")}+`));
    if (patch === undefined) throw new Error(`There is no patch of ${name}.`);
    // Inside a repository git would take the paths from its root.
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: installed };
    const args = ["apply", "--reverse", join(ROOT, "patches", patch)];
    await promisify(execFile)("git", args, { cwd: folder, env });
    const [patched, published] = await Promise.all(
      [join(installed, name), copy].map((place) => readFile(join(place, file), "utf8")),
    );
    if (patched === published) throw new Error(`${name} is not patched: run npm ci.`);
  }
  return folder;
}
