import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import type { HeardSegment, TestDatabase, VoiceVisitor } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import type { Claim } from "../runner/proof.ts";
import { seconds } from "../runner/table.ts";
import { BY_TONES } from "./judge-transcript.ts";
import { agentTurns } from "./talk-stage.ts";
import type { TalkServer, TalkStage } from "./talk-stage.ts";

/** A visitor who is gone is given up by then. */
export const MAX_SETTLED_MS = 65_000;
const VISITORS_AT_ONCE = 16;
const CONTROL_VISITORS = 4;
/** Long enough for the greeting, a question and most of its answer. */
const TALK_MS = [200, 6_000] as const;
/** In the middle of the greeting. */
const GREETING_MS = [900, 1_500] as const;
/** Visitors come one after another, so that their talks are not in step. */
const APART_MS = 100;
const WAVE_MS = 15_000;
/** The clear is answered after 300 ms at the latest, and stored. */
const STORED_WITHIN_MS = 9_000;
const QUESTION = "Tell me more about it.";
const ANSWER = "It shows your product to everybody who comes to your page.";
const TONE_MS = 60;
/** Reports come every 100 ms, and the last word may be incomplete. Nobody knows what was in reports that are lost. */
const MAX_UNTOLD_MS = {
  "socket closed": 1_000,
  "machine asleep": 1_000,
  "socket closed, half of its reports lost": Number.POSITIVE_INFINITY,
};
type Vanishing = keyof typeof MAX_UNTOLD_MS;
const WAYS = Object.keys(MAX_UNTOLD_MS) as Vanishing[];

/** Somebody who was in a talk and left without a goodbye. */
interface Vanished {
  sessionId: string;
  how: Vanishing;
  /** Unix time. */
  atMs: number;
  /** What came out of the loudspeaker. */
  heard: readonly HeardSegment[];
}

// V1, K2
export const vanishedVisitorSettles: Claim<TalkStage> = {
  promise:
    "A visitor who vanishes in the middle of a voice talk is given up, and only what they heard is kept",
  bound: `0 faults, ended within ${MAX_SETTLED_MS / 1_000} s, a server that keeps what nobody heard is noticed`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async (tools, { database, model, serve }) => {
    const { seed, sized, say, progress, timeLeftMs, onEnd } = tools;
    model.answers(() => ANSWER);
    const { pcm: clip } = await speak(QUESTION);
    const start = (settings: Record<string, string>): Promise<TalkServer> =>
      serve(onEnd, { voice: "tone", otherwise: QUESTION }, settings);
    const vanish = (
      { join }: TalkServer,
      talkMs: readonly [number, number],
      streams: { from: number; count: number },
    ): Promise<Vanished[]> =>
      Promise.all(
        Array.from({ length: streams.count }, async (_, index) => {
          await delay(index * APART_MS);
          return talkAndVanish(join, new Random(seed, streams.from + index), clip, talkMs);
        }),
      );

    // A visitor who is gone keeps the place for a minute.
    const server = await start({ SVC_LIVE_CAPACITY: "400" });
    const visitors = sized({ quick: VISITORS_AT_ONCE, full: 400 });
    const vanished: Vanished[] = [];
    do {
      const streams = { from: vanished.length, count: VISITORS_AT_ONCE };
      vanished.push(...(await vanish(server, TALK_MS, streams)));
      progress(vanished.length, visitors, "visitors");
    } while (vanished.length < visitors && timeLeftMs() > MAX_SETTLED_MS + WAVE_MS);
    const inSpeech = vanished.filter(({ heard }) => heard.at(-1)?.end === "lost").length;
    const answers = vanished.filter(({ heard }) => heard.length > 1).length;
    say(
      `${inSpeech} of ${vanished.length} vanished in the agent's words, ${answers} in or after an answer`,
    );

    // While the sessions of those are waited for.
    const forgetful = await start({ NODE_OPTIONS: TAKES_ALL_FOR_HEARD });
    const streams = { from: visitors, count: CONTROL_VISITORS };
    const unheard = await vanish(forgetful, GREETING_MS, streams);
    await delay(STORED_WITHIN_MS);
    const judged = await Promise.all(unheard.map((one) => judgeTurns(database, one)));
    const noticed = judged.filter((faults) => faults.length > 0).length;
    say(`control: ${noticed} of ${unheard.length} talks that keep what nobody heard are noticed`);

    const faults: string[] = [];
    const tookMs: number[] = [];
    for (const one of vanished) {
      const { endedAt, reason } = await awaitEnd(database, one);
      if (reason !== "visitor_gone") faults.push(`${one.how}: ended as ${reason}`);
      tookMs.push(endedAt - one.atMs);
      faults.push(...(await judgeTurns(database, one)));
    }
    const slowestMs = Math.max(...tookMs);
    for (const fault of faults.slice(0, 20)) say(`wrong: ${fault}`);
    return {
      figure: `${faults.length} faults with ${vanished.length} visitors, ended after ${seconds(slowestMs)} at most`,
      ok: faults.length === 0 && slowestMs <= MAX_SETTLED_MS && noticed > 0,
      size: `${vanished.length} visitors`,
    };
  },
};

/** Talks by voice, and is gone at a random moment. */
async function talkAndVanish(
  join: TalkServer["join"],
  random: Random,
  clip: Int16Array,
  [minMs, maxMs]: readonly [number, number],
): Promise<Vanished> {
  const how = random.pick(WAYS);
  const goesAfterMs = random.integer(minMs, maxMs);
  const isLossy = how === "socket closed, half of its reports lost";
  const visitor = await join({
    loses: (answer) =>
      isLossy && answer.type === "playback" && answer.state === "playing" && random.chance(0.5),
  });
  const gone = delay(goesAfterMs, "gone");
  await answerUntil(gone, visitor, clip);
  if (how === "machine asleep") visitor.freeze();
  else visitor.vanish();
  return { sessionId: visitor.id, how, atMs: Date.now(), heard: visitor.heard };
}

/** Lets the agent finish, and speaks then. */
async function answerUntil(
  gone: Promise<string>,
  visitor: VoiceVisitor,
  clip: Int16Array,
): Promise<void> {
  let spokenAfter = 0;
  while ((await Promise.race([gone, delay(20)])) === undefined) {
    const { length } = visitor.heard;
    if (visitor.heard.at(-1)?.end !== "finished" || length === spokenAfter) continue;
    spokenAfter = length;
    await Promise.race([visitor.say(clip), gone]);
  }
}

/** What is stored of a talk and was not heard, or was heard and is not stored. */
async function judgeTurns(
  database: TestDatabase,
  { sessionId, how, heard }: Vanished,
): Promise<string[]> {
  const turns = await agentTurns(database, sessionId);
  const faults: string[] = [];
  for (const [index, segment] of heard.entries()) {
    const isLast = index === heard.length - 1;
    const maxUntoldMs = isLast ? MAX_UNTOLD_MS[how] : 0;
    const turn = turns[index];
    if (turn !== undefined) {
      const words = await BY_TONES.wordsIn(segment.pcm);
      faults.push(...judgeTurn(turn, { words, isLast, maxUntoldMs }));
    } else if (segment.playedMs > maxUntoldMs) {
      faults.push(`${Math.round(segment.playedMs)} ms were heard and nothing is stored`);
    }
  }
  if (turns.length > heard.length) faults.push("a turn that was never played is stored");
  return faults.map((fault) => `${how}: ${fault}`);
}

/** Nobody interrupts the agent before the visitor is gone: only the last turn may be short. */
function judgeTurn(
  { content, interrupted }: { content: string; interrupted: boolean },
  { words, isLast, maxUntoldMs }: { words: string[]; isLast: boolean; maxUntoldMs: number },
): string[] {
  const stored = BY_TONES.wordsOf(content);
  // The tone of the last word may be incomplete.
  const certain = isLast ? stored.slice(0, -1) : stored;
  if (stored.length > words.length || certain.some((word, at) => word !== words[at])) {
    return [`"${content}" is stored, and ${words.length} words were heard`];
  }
  const untoldMs = toneMs(words.slice(stored.length, -1));
  if (untoldMs > maxUntoldMs) return [`after "${content}" ${untoldMs} ms more were heard`];
  if (interrupted && !isLast) return [`"${content}" is marked as interrupted`];
  if (!interrupted && !/[.!?]$/.test(content)) return [`"${content}" is not marked as interrupted`];
  return [];
}

/** How long words are that are given by their letters, with the pauses after them. */
export function toneMs(words: readonly string[]): number {
  return words.reduce((sum, letters) => sum + (Number(letters) + 1) * TONE_MS, 0);
}

/** When the session was over, in Unix time, and why. */
export async function awaitEnd(
  { pool }: TestDatabase,
  { sessionId, atMs }: Pick<Vanished, "sessionId" | "atMs">,
): Promise<{ endedAt: number; reason: string }> {
  for (;;) {
    const { rows } = await pool.query<{ endedAt: Date; reason: string }>(
      `SELECT ended_at AS "endedAt", end_reason AS reason FROM sessions WHERE id = $1 AND ended_at IS NOT NULL`,
      [sessionId],
    );
    if (rows[0] !== undefined) return { ...rows[0], endedAt: rows[0].endedAt.getTime() };
    if (Date.now() > atMs + MAX_SETTLED_MS) return { endedAt: Date.now(), reason: "nothing" };
    await delay(250);
  }
}

/** For NODE_OPTIONS: a server that takes all it has said for heard when a visitor is gone, as the library under it does. */
const TAKES_ALL_FOR_HEARD = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith("/ws-media.ts")) return loaded;
      const source = String(loaded.source);
      const answer = "cleared(segment?.playedMs ?? 0)";
      if (!source.includes(answer)) throw new Error("there is nothing to spoil in " + url);
      return { ...loaded, source: source.replace(answer, "cleared(Infinity)") };
    },
  });
`)}`;
