import { startLanguageModel } from "@svc/rehearsal";
import { createLiveWorld, LiveBrowser } from "@svc/server/testing";
import type { LiveWorld, ServerProcess } from "@svc/server/testing";
import { prepareAttack } from "./live/attack.ts";
import { WRONG_CODE_AND_LEAK } from "./live/faulty-server.ts";
import { SteadyVisitor } from "./live/steady-visitor.ts";
import { COLLECT_ON_SIGNAL, liveMemory } from "./export/nonsense/planted-faults.ts";
import { quantile } from "./pipeline/quantile.ts";
import { defineProof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

const MOST_GROWTH_MB = 6;
const MOST_SLOWER = 2;
/** For the planted faults and the end. */
const LAST_PART_MS = 20_000;

// S13, S14, V5
export default defineProof({
  covers: [],
  claims: {
    "live-refuses-nonsense": {
      promise:
        "Whatever arrives on a visitor's socket, that socket is closed with the right code and nothing else happens: no crash, no session lost, no memory, and the others talk on.",
      bound: `0 wrong, live memory ≤ +${MOST_GROWTH_MB} MB, replies beside it ≤ ${MOST_SLOWER} times as long, planted faults seen`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ seed, full, say, progress, timeLeftMs, onEnd }) => {
        const size = full ? 200_000 : 20_000;
        const stage = await openStage();
        onEnd(() => stage.close());
        // As a real one would: at the speed of a stand-in a visitor would wait for nothing but our own work.
        const pace = { firstTokenMs: 250, tokensPerSec: 60 };
        const model = await startLanguageModel({ pace });
        onEnd(() => model.close());
        const world = await createLiveWorld(stage.database);
        const startServer = (nodeOptions: string): Promise<ServerProcess> =>
          stage.startServer({
            SVC_ROLE: "live",
            SVC_MODEL_URL: model.baseUrl,
            SVC_EVALUATION_MODEL: "rehearsal",
            SVC_TRUSTED_PROXIES: "127.0.0.1",
            SVC_SHUTDOWN_SECS: "4",
            NODE_OPTIONS: nodeOptions,
          });

        const server = await startServer(COLLECT_ON_SIGNAL);
        const quiet = await talkBeside(
          world,
          server,
          () => new Promise((done) => setTimeout(done, 4_000)),
        );
        const attack = await prepareAttack(world, socketOf(server), seed);
        const faults: string[] = [];
        let frames = 0;
        const onFrames = (count: number): void => progress((frames += count), size, "frames");
        faults.push(...(await attack.run({ frames: size / 10, timeMs: 6_000, onFrames })));
        const before = await liveMemory(server);
        const storm = await talkBeside(world, server, async () => {
          const idle = crowd(socketOf(server));
          const timeMs = full
            ? timeLeftMs() - LAST_PART_MS
            : Math.min(22_000, timeLeftMs() - LAST_PART_MS);
          faults.push(...(await attack.run({ frames: size - frames, timeMs, onFrames })));
          faults.push(...(await idle));
        });
        const after = await liveMemory(server);
        faults.push(...quiet.faults, ...storm.faults, ...(await attack.judge(stage.database)));
        const growthMb = inMb(after.liveBytes - before.liveBytes);
        const slower = quantile(storm.repliesMs, 0.5) / quantile(quiet.repliesMs, 0.5);
        say(
          `${frames.toLocaleString("en")} frames: live memory ${inMb(before.liveBytes)} MB before, ${inMb(after.liveBytes)} MB after; ` +
            `${storm.repliesMs.length} replies beside it, ${Math.round(quantile(storm.repliesMs, 0.5))} ms, ` +
            `${Math.round(quantile(quiet.repliesMs, 0.5))} ms when it was quiet`,
        );
        attack.leave();
        const exitCode = await server.stop();
        if (exitCode !== 0) faults.push(`the server ended with ${exitCode}`);
        const logged = server.log.filter(({ level }) => level === "error" || level === "fatal");
        faults.push(...logged.slice(0, 3).map((line) => `logged ${JSON.stringify(line)}`));

        const faulty = await startServer(`${COLLECT_ON_SIGNAL} ${WRONG_CODE_AND_LEAK}`);
        const planted = await plantedFaults(world, faulty, seed);
        say(
          `planted, another close code: ${planted.wrong} wrong; 64 KB left a socket: ${planted.leakMb} MB more`,
        );
        for (const fault of faults.slice(0, 20)) say(`wrong: ${fault}`);
        return {
          figure: `${faults.length} wrong of ${frames.toLocaleString("en")} frames, live memory ${growthMb} MB more, replies ${slower.toFixed(1)} times as long`,
          ok:
            faults.length === 0 &&
            growthMb <= MOST_GROWTH_MB &&
            slower <= MOST_SLOWER &&
            planted.wrong > 0 &&
            planted.leakMb > MOST_GROWTH_MB,
          size: `${frames.toLocaleString("en")} frames`,
        };
      },
    },
  },
});

/** Three visitors talk while `work` is done. */
async function talkBeside(
  world: LiveWorld,
  server: ServerProcess,
  work: () => Promise<void>,
): Promise<{ repliesMs: number[]; faults: string[] }> {
  const visitors = Array.from({ length: 3 }, () => new SteadyVisitor(world, socketOf(server)));
  await work();
  await Promise.all(visitors.map((visitor) => visitor.stop()));
  return {
    repliesMs: visitors.flatMap(({ repliesMs }) => repliesMs),
    faults: visitors.flatMap(({ faults }) => faults),
  };
}

/** One address opens sockets and says nothing: some are refused, the rest are closed after five seconds. */
async function crowd(url: string): Promise<string[]> {
  const headers = { "x-forwarded-for": "198.51.100.66" };
  const sockets = await Promise.all(
    Array.from({ length: 80 }, () => LiveBrowser.open(url, headers)),
  );
  const codes = await Promise.all(sockets.map((socket) => socket.closed()));
  const refused = codes.filter((code) => code === 1006).length;
  const late = codes.filter((code) => code === 4004).length;
  return refused === 30 && late === 50
    ? []
    : [`of 80 silent sockets ${refused} were refused and ${late} closed as late, not 30 and 50`];
}

async function plantedFaults(
  world: LiveWorld,
  server: ServerProcess,
  seed: number,
): Promise<{ wrong: number; leakMb: number }> {
  const attack = await prepareAttack(world, socketOf(server), seed);
  // Floods take most of the frames; of 300 sometimes none asked for the code that is planted.
  const wrong = await attack.run({ frames: 5_000, timeMs: 5_000, onFrames: () => {} });
  const before = await liveMemory(server);
  for (let socket = 0; socket < 200; socket++) {
    (await LiveBrowser.open(socketOf(server))).socket.terminate();
  }
  const after = await liveMemory(server);
  attack.leave();
  return { wrong: wrong.length, leakMb: inMb(after.liveBytes - before.liveBytes) };
}

function socketOf({ url }: ServerProcess): string {
  return `${url.replace("http", "ws")}/sdk/v1/live`;
}

function inMb(bytes: number): number {
  return Math.round((bytes / 2 ** 20) * 10) / 10;
}
