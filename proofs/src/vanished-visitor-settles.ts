import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { createLiveWorld, startOutsideWorld } from "@svc/server/testing";
import type { ServerProcess } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { quantile } from "./pipeline/quantile.ts";
import { defineProof } from "./runner/proof.ts";
import { seconds } from "./runner/table.ts";
import { openStage } from "./stage/stage.ts";
import { TAKES_ALL_FOR_HEARD } from "./vanished/forgetful-server.ts";
import { awaitEnd, judgeTurns } from "./vanished/judge-vanished.ts";
import { talkAndVanish } from "./vanished/vanishing-visitor.ts";
import type { Vanished } from "./vanished/vanishing-visitor.ts";

const MOST_MS = 65_000;
const VISITORS_AT_ONCE = 16;
const CONTROL_VISITORS = 4;
/** Long enough for the greeting, a question and most of its answer. */
const TALK_MS = { least: 200, most: 6_000 };
/** In the middle of the greeting. */
const GREETING_MS = { least: 900, most: 1_500 };
/** One after another, so that their talks do not march in step. */
const APART_MS = 100;
const WAVE_MS = 15_000;
/** The clear is answered after 300 ms at the latest, and stored. */
const STORED_WITHIN_MS = 9_000;

// V1, K2
export default defineProof({
  covers: [],
  claims: {
    "vanished-visitor-settles": {
      promise:
        "A visitor who vanishes in the middle of a voice talk is given up, and only what they heard is kept",
      bound: `0 faults, ended within ${MOST_MS / 1_000} s, a server that keeps what nobody heard is noticed`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ seed, full, say, progress, timeLeftMs, onEnd }) => {
        const stage = await openStage();
        onEnd(() => stage.close());
        const outside = await startOutsideWorld({
          voice: "tone",
          otherwise: "Tell me more about it.",
        });
        onEnd(() => outside.close());
        const world = await createLiveWorld(stage.database, {
          modes: ["voice", "text"],
          languages: [{ code: "en", greeting: "Hello, this is an AI guide." }],
        });
        const startServer = (nodeOptions: string): Promise<ServerProcess> =>
          stage.startServer({
            SVC_ROLE: "live",
            // A visitor who is gone keeps the place for a minute.
            SVC_LIVE_CAPACITY: "400",
            SVC_SHUTDOWN_SECS: "1",
            NODE_OPTIONS: nodeOptions,
            ...outside.environment,
          });
        const { pcm: clip } = await speak("Tell me more about it.");
        const server = await startServer("");
        const vanish = (count: number, stream: number, from: From): Promise<Vanished[]> =>
          Promise.all(
            Array.from({ length: count }, async (_, index) => {
              await delay(index * APART_MS);
              const random = new Random(seed, stream + index);
              return talkAndVanish({ world, clip, random, onEnd, ...from });
            }),
          );

        const visitors = full ? 400 : VISITORS_AT_ONCE;
        const usual: From = { url: socketOf(server), talkMs: TALK_MS };
        const vanished: Vanished[] = [];
        do {
          vanished.push(...(await vanish(VISITORS_AT_ONCE, vanished.length, usual)));
          progress(vanished.length, visitors, "visitors");
        } while (vanished.length < visitors && timeLeftMs() > MOST_MS + WAVE_MS);
        const inSpeech = vanished.filter(({ heard }) => heard.at(-1)?.end === "lost").length;
        const answers = vanished.reduce((sum, { heard }) => sum + Math.max(0, heard.length - 1), 0);
        say(
          `${inSpeech} of ${vanished.length} vanished while the agent spoke, ${answers} answers were begun`,
        );
        // While those are waited for.
        const forgetful = await startServer(TAKES_ALL_FOR_HEARD);
        const inGreeting = { url: socketOf(forgetful), talkMs: GREETING_MS };
        const unheard = await vanish(CONTROL_VISITORS, visitors, inGreeting);
        await delay(STORED_WITHIN_MS);
        const judged = await Promise.all(unheard.map((one) => judgeTurns(stage.database, one)));
        const noticed = judged.filter((faults) => faults.length > 0).length;
        say(
          `control: ${noticed} of ${unheard.length} talks with a server that keeps what nobody heard are noticed`,
        );

        const faults: string[] = [];
        const tookMs: number[] = [];
        for (const one of vanished) {
          const end = await awaitEnd(stage.database, one, MOST_MS);
          if ("fault" in end) faults.push(end.fault);
          else tookMs.push(end.tookMs);
          faults.push(...(await judgeTurns(stage.database, one)));
        }
        const late = tookMs.filter((ms) => ms > MOST_MS).length;
        for (const fault of faults.slice(0, 20)) say(`wrong: ${fault}`);
        return {
          figure: `${faults.length} faults with ${vanished.length} visitors, ended after ${seconds(quantile(tookMs, 1))} at most`,
          ok: faults.length === 0 && late === 0 && noticed > 0,
          size: `${vanished.length} visitors`,
        };
      },
    },
  },
});

type From = Pick<Parameters<typeof talkAndVanish>[0], "url" | "talkMs">;

function socketOf({ url }: ServerProcess): string {
  return `${url.replace("http", "ws")}/sdk/v1/live`;
}
