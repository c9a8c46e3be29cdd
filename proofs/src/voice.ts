import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import type { HeardSegment, ServerProcess, VoiceVisitor } from "@svc/server/testing";
import { waitUntil } from "./browsers/wait-until.ts";
import { LONG_SPEECH } from "./voice/speaking-visitor.ts";
import { defineProof } from "./runner/proof.ts";
import { callSurvivesKill, frozenOwnerIsFenced } from "./voice/call-survives-kill.ts";
import { databaseBlinks, rollingRestartUnnoticed } from "./voice/goes-on.ts";
import { liveCapacity } from "./capacity/live-capacity.ts";
import { livekitCapacity } from "./capacity/livekit-capacity.ts";
import { answerIsQuick } from "./voice/answer-is-quick.ts";
import { cutIsQuick } from "./voice/cut-is-quick.ts";
import { mhmDoesNotCut } from "./voice/mhm-does-not-cut.ts";
import { oneVisitorHarmsNobody } from "./voice/one-visitor-harms-nobody.ts";
import { openTalkStage } from "./voice/talk-stage.ts";
import type { TalkStage } from "./voice/talk-stage.ts";
import { vanishedVisitorSettles } from "./voice/vanished-visitor-settles.ts";

const QUESTION = "How do I add it to my page?";
/** Visitors do not come in the same moment. */
const BETWEEN_STARTS_MS = 300;
const PATIENCE_MS = 30_000;
/** How much of a starved voice is heard. */
const STARVED_MS = 2_000;

/** Talks by voice without a browser: visitors whose microphone and loudspeaker run in real time. */
export default defineProof<TalkStage>({
  covers: ["server/src/conversation/", "server/src/live/", "server/src/sessions/", "patches/"],
  open: ({ onEnd }) => openTalkStage(onEnd),
  claims: {
    "answer-is-quick": answerIsQuick,
    "call-survives-kill": callSurvivesKill,
    "cut-is-quick": cutIsQuick,
    "database-blinks": databaseBlinks,
    "frozen-owner-is-fenced": frozenOwnerIsFenced,
    "live-capacity": liveCapacity,
    "livekit-capacity": livekitCapacity,
    "many-at-once": {
      promise: "Many visitors talk with one process at once, and nobody's sound has a gap",
      bound: "0 gaps, a starved voice is noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ sized, say, onEnd, progress }, { model, serve }) => {
        const [sessions, questions] = sized({ quick: [5, 2], full: [30, 12] });
        model.answers(() => LONG_SPEECH);
        const { server, speech, enter } = await serve(
          onEnd,
          { ears: "scripted", voice: "tone", otherwise: QUESTION },
          { SVC_LIVE_CAPACITY: "100" },
        );
        const { pcm: clip } = await speak(QUESTION);

        let answers = 0;
        const before = await readLoad(server);
        const talks = Array.from({ length: sessions }, async (_, index) => {
          await delay(index * BETWEEN_STARTS_MS);
          const visitor = await enter();
          for (let asked = 0; asked < questions; asked += 1) {
            await ask(visitor, clip, ({ end }) => end !== undefined);
            progress((answers += 1), sessions * questions, "answers");
          }
          visitor.close();
          return visitor.heard;
        });
        const heard = (await Promise.all(talks)).flat();
        const after = await readLoad(server);
        const cpu = (after.cpuMs - before.cpuMs) / (after.atMs - before.atMs) / sessions;
        const memoryMb = (after.memoryMb - before.memoryMb) / sessions;
        say(`a session takes ${(100 * cpu).toFixed(1)} % of a core and ${memoryMb.toFixed(1)} MB`);
        const gapsMs = findGaps(heard);
        const brokenOff = heard.filter(({ end }) => end !== "finished").length;
        if (brokenOff > 0) say(`${brokenOff} segments were not played to their end`);
        if (gapsMs.length > 0) say(`gaps: ${gapsMs.map((ms) => `${ms.toFixed(0)} ms`).join(", ")}`);

        await speech.setFaults([{ kind: "drip" }]);
        const starved = await enter();
        await ask(starved, clip, ({ playedMs }) => playedMs >= STARVED_MS);
        starved.close();
        const noticed = findGaps(starved.heard).length;
        say(`control: ${noticed} gaps in ${STARVED_MS / 1_000} s of a voice at half speed`);
        return {
          figure: `${gapsMs.length} gaps in ${heard.length} segments of ${sessions} sessions at once`,
          ok: gapsMs.length === 0 && brokenOff === 0 && noticed > 0,
          size: `${sessions} sessions`,
        };
      },
    },
    "mhm-does-not-cut": mhmDoesNotCut,
    "one-visitor-harms-nobody": oneVisitorHarmsNobody,
    "rolling-restart-unnoticed": rollingRestartUnnoticed,
    "vanished-visitor-settles": vanishedVisitorSettles,
  },
});

/** Asks, and listens to the answer until so much of it was heard. */
async function ask(
  visitor: VoiceVisitor,
  clip: Int16Array,
  isEnough: (answer: HeardSegment) => boolean,
): Promise<void> {
  const before = visitor.heard.length;
  await visitor.say(clip);
  const isHeard = (): boolean => visitor.heard.slice(before, before + 1).some(isEnough);
  if (!(await waitUntil(isHeard, PATIENCE_MS))) throw new Error("an answer did not come");
}

/** Silences in the middle of something that was said and that nobody paused. */
function findGaps(heard: readonly HeardSegment[]): number[] {
  return heard.flatMap(({ stretches }) =>
    stretches
      .slice(1)
      .map(
        ({ startedAt }, index) => startedAt - stretches[index]!.startedAt - stretches[index]!.ms,
      ),
  );
}

/** What the process has used, by its operations port. */
async function readLoad({
  operationsUrl,
}: ServerProcess): Promise<{ atMs: number; cpuMs: number; memoryMb: number }> {
  const metrics = await (await fetch(`${operationsUrl}/metrics`)).text();
  const read = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)`, "m").exec(metrics)?.[1] ?? Number.NaN);
  return {
    atMs: performance.now(),
    cpuMs: read("process_cpu_seconds_total") * 1_000,
    memoryMb: read("process_resident_memory_bytes") / 1_000_000,
  };
}
