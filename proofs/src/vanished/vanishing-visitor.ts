import { setTimeout as delay } from "node:timers/promises";
import { VoiceVisitor } from "@svc/server/testing";
import type { HeardSegment, LiveWorld } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";

/** How a visitor goes without a goodbye. */
export type Vanishing = "socket cut" | "machine asleep" | "socket cut, half of its reports lost";

/** Somebody who was in a talk and is gone. */
export interface Vanished {
  sessionId: string;
  how: Vanishing;
  /** Unix time. */
  atMs: number;
  /** What came out of the loudspeaker. */
  heard: readonly HeardSegment[];
}

const WAYS: Vanishing[] = ["socket cut", "machine asleep", "socket cut, half of its reports lost"];

/** Talks by voice, and is gone at a moment that nobody chose. */
export async function talkAndVanish(options: {
  world: LiveWorld;
  url: string;
  /** What they say whenever it is their turn: 16 kHz. */
  clip: Int16Array;
  random: Random;
  /** For how long they talk. */
  talkMs: { least: number; most: number };
  onEnd: (clean: () => unknown) => void;
}): Promise<Vanished> {
  const { world, url, clip, random, talkMs, onEnd } = options;
  const how = random.pick(WAYS);
  const goesAfterMs = random.integer(talkMs.least, talkMs.most);
  const isLossy = how === "socket cut, half of its reports lost";
  const visitor = await VoiceVisitor.enter(world, url, {
    loses: (answer) =>
      isLossy && answer.type === "playback" && answer.state === "playing" && random.chance(0.5),
  });
  onEnd(() => visitor.close());
  if (visitor.welcome.mode !== "voice") throw new Error("the session is in text");
  const talk = new AbortController();
  const talking = answerWhenAsked(visitor, clip, talk.signal);
  await delay(goesAfterMs);
  if (how === "machine asleep") visitor.freeze();
  else visitor.vanish();
  const atMs = Date.now();
  talk.abort();
  await talking;
  return { sessionId: visitor.id, how, atMs, heard: visitor.heard };
}

/** Lets the agent finish, and speaks then. */
async function answerWhenAsked(
  visitor: VoiceVisitor,
  clip: Int16Array,
  signal: AbortSignal,
): Promise<void> {
  let spokenAfter = 0;
  while (!signal.aborted) {
    await delay(20);
    const { length } = visitor.heard;
    if (visitor.heard.at(-1)?.end !== "finished" || length === spokenAfter) continue;
    spokenAfter = length;
    await Promise.race([visitor.say(clip), aborted(signal)]);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}
