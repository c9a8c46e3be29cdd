import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { changeAccount } from "@svc/server/testing";
import { quantile } from "./pipeline/quantile.ts";
import { defineProof } from "./runner/proof.ts";
import { Caller } from "./voice/caller.ts";
import { findGaps } from "./voice/find-gaps.ts";
import { readLoad } from "./voice/process-load.ts";
import type { ProcessLoad } from "./voice/process-load.ts";
import { openVoiceProduct } from "./voice/voice-product.ts";

/** Its answer takes about ten seconds. */
const QUESTION = "How do I add it to my page?";
/** Visitors do not come in the same moment. */
const BETWEEN_STARTS_MS = 300;
/** So much of a starved voice is heard. */
const STARVED_MS = 2_000;

export default defineProof({
  covers: [],
  claims: {
    "many-at-once": {
      promise: "Many visitors talk with one process at once, and nobody's sound has a gap",
      bound: "0 gaps, a starved voice is noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, onEnd, progress }) => {
        const [sessions, questions] = full ? [30, 12] : [5, 2];
        const product = await openVoiceProduct(
          onEnd,
          { ears: "scripted", voice: "tone", otherwise: QUESTION },
          { SVC_LIVE_CAPACITY: "100" },
        );
        const { stage, server, customer, agentId, speech } = product;
        await changeAccount(stage.database.db, customer, {
          limits: { starts_per_minute_per_address: "none", at_once_per_address: "none" },
        });
        const { pcm: clip } = await speak(QUESTION);
        const enter = async (): Promise<Caller> => {
          const caller = await Caller.enter(server.url, { agentId, language: "en" });
          onEnd(() => caller.close());
          return caller;
        };

        const waitsMs: number[] = [];
        const before = await readLoad(server);
        const talks = Array.from({ length: sessions }, async (_, index) => {
          await delay(index * BETWEEN_STARTS_MS);
          const caller = await enter();
          await caller.listen();
          for (let asked = 0; asked < questions; asked += 1) {
            waitsMs.push(await ask(caller, clip));
            progress(waitsMs.length, sessions * questions, "answers");
          }
          caller.close();
          return caller.heard;
        });
        const heard = (await Promise.all(talks)).flat();
        const after = await readLoad(server);
        const gaps = findGaps(heard);
        const brokenOff = heard.filter(({ end }) => end !== "finished").length;
        say(`${sessions} sessions: ${describeLoad(before, after, sessions)}`);
        say(
          `from a question's end to sound: p50 ${rounded(quantile(waitsMs, 0.5))}, p95 ${rounded(quantile(waitsMs, 0.95))} ms`,
        );
        if (brokenOff > 0) say(`${brokenOff} segments were not played to their end`);
        if (gaps.length > 0) say(`gaps in ms: ${gaps.map(({ ms }) => rounded(ms)).join(", ")}`);

        await speech.setFaults([{ kind: "drip" }]);
        const starved = await enter();
        // The greeting's sound is kept from the calls before.
        await starved.listen();
        await starved.say(clip);
        await starved.listenFor(STARVED_MS);
        starved.close();
        const noticed = findGaps(starved.heard).length;
        say(`control: ${noticed} gaps in ${STARVED_MS / 1_000} s of a voice at half speed`);
        return {
          figure: `${gaps.length} gaps in ${heard.length} segments of ${sessions} sessions at once`,
          ok: gaps.length === 0 && brokenOff === 0 && noticed > 0,
          size: `${sessions} sessions`,
        };
      },
    },
  },
});

/** Asks, hears the whole answer, and tells how long its first sound took. */
async function ask(caller: Caller, clip: Int16Array): Promise<number> {
  const { endedAt } = await caller.say(clip);
  await caller.listen();
  return caller.answer!.stretches[0]!.startedAt - endedAt;
}

/** All that the process does counts, the part that has nothing to do with talking too. */
function describeLoad(before: ProcessLoad, after: ProcessLoad, sessions: number): string {
  const cpu = (100 * (after.cpuMs - before.cpuMs)) / (after.atMs - before.atMs);
  const memoryMb = (after.memoryMb - before.memoryMb) / sessions;
  return [
    `${rounded(cpu)} % of a core, ${(cpu / sessions).toFixed(1)} % each`,
    `${memoryMb.toFixed(1)} MB more each`,
    `event loop delay p99 ${rounded(after.loopDelayP99Ms)} ms`,
  ].join("; ");
}

function rounded(value: number): string {
  return String(Math.round(value));
}
