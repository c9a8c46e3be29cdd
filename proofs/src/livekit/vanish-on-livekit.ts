import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { NO_START_LIMITS, changeAccount } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { heardBetween } from "../browser-voice/headset.ts";
import { MAX_SETTLED_MS, awaitEnd, toneMs } from "../voice/vanished-visitor-settles.ts";
import type { Claim } from "../runner/proof.ts";
import { seconds } from "../runner/table.ts";
import { BY_TONES } from "../voice/judge-transcript.ts";
import { agentTurns } from "../voice/talk-stage.ts";
import { LONG_QUESTION, waysOf } from "./livekit-world.ts";
import type { LivekitCall, LivekitWorld } from "./livekit-world.ts";

/** Of speech that is stored and was not heard. */
const MAX_UNHEARD_MS = 500;
/** The other way round: what the browser has not reported, and the word that is being said. */
const MAX_UNTOLD_MS = 1_000;
/** In the middle of a long answer. */
const ANSWER_MS = [1_000, 4_000] as const;
/** With a new browser, and what is heard after it is gone. */
const MAX_TALK_MS = 30_000;
/** The last of what a browser has is out by then. */
const SILENT_AFTER_MS = 2_000;

type Way = (call: LivekitCall, world: LivekitWorld) => Promise<unknown>;
const WAYS: Record<string, Way> = {
  "tab closed": ({ place }) => place.page.close(),
  "browser killed": async ({ place }) => signal(place, "SIGKILL"),
  "browser frozen": async ({ place }) => signal(place, "SIGSTOP"),
  "network cut": (_, { network }) => network.filter(["drop"], ["drop"]),
};

/** Somebody who left in the middle of an answer. */
interface Vanished {
  way: string;
  sessionId: string;
  atMs: number;
  /** The lengths of the words of that answer that came out of the loudspeaker. */
  words: string[];
}

// V1, K2
export const vanishOnLivekit: Claim<LivekitWorld> = {
  promise:
    "Over LiveKit, too, a visitor who vanishes is given up, and only what they heard is kept",
  bound: `stored ≤ ${MAX_UNHEARD_MS / 1_000} s of speech more than was heard in four ways to vanish, ended within ${MAX_SETTLED_MS / 1_000} s, a planted answer is noticed`,
  timeLimitSecs: { quick: 300, full: 3600 },
  tier: "nightly",
  async prove({ seed, sized, say, progress, timeLeftMs, onEnd }, world) {
    const {
      customer,
      stage: { database },
    } = world.product;
    // All come from one address, and one who is gone keeps a place for a minute.
    await changeAccount(database.db, customer, { limits: NO_START_LIMITS });
    const { pcm: clip } = await speak(LONG_QUESTION);
    const random = new Random(seed);
    const ways = Object.keys(WAYS);
    // One takes 17 s, so that fifty of each fill an hour. Two at once are too much for two cores: some are refused.
    const wanted = ways.length * sized({ quick: 1, full: 50 });
    const gone: Vanished[] = [];
    do {
      const way = ways[gone.length % ways.length]!;
      gone.push(await talkAndVanish(world, way, { clip, random, onEnd }));
      progress(gone.length, wanted, "visitors");
    } while (gone.length < wanted && timeLeftMs() > MAX_SETTLED_MS + MAX_TALK_MS);

    const faults: string[] = [];
    const took: number[] = [];
    let noticed = 0;
    for (const one of gone) {
      const { endedAt, reason } = await awaitEnd(database, one);
      took.push(endedAt - one.atMs);
      if (reason !== "visitor_gone") faults.push(`${one.way}: ended as ${reason}`);
      const [moved] = await waysOf(database, one.sessionId);
      if (moved?.over !== "livekit") faults.push(`${one.way}: the call was on its socket`);
      const { content = "", interrupted } = (await agentTurns(database, one.sessionId))[1] ?? {};
      say(`${one.way}: ${one.words.length} words were heard, and "${content}" is stored`);
      if (!interrupted) faults.push(`${one.way}: "${content}" is not marked as interrupted`);
      faults.push(...judge(content, one));
      // As if six words more had been heard.
      if (judge(`${content} and all the rest of it`, one).length > 0) noticed += 1;
    }
    for (const fault of faults) say(`wrong: ${fault}`);
    say(`control: ${noticed} of ${gone.length} planted answers are noticed`);
    const slowestMs = Math.max(...took);
    return {
      figure: `${faults.length} faults with ${gone.length} visitors, ended after ${seconds(slowestMs)} at most`,
      ok: faults.length === 0 && slowestMs <= MAX_SETTLED_MS && noticed === gone.length,
      size: `${gone.length} visitors`,
    };
  },
};

function signal({ browser }: LivekitCall["place"], name: NodeJS.Signals): void {
  try {
    process.kill(-browser.pid!, name);
  } catch {
    // It was killed before.
  }
}

async function talkAndVanish(
  world: LivekitWorld,
  way: string,
  {
    clip,
    random,
    onEnd,
  }: { clip: Int16Array; random: Random; onEnd: (clean: () => unknown) => void },
): Promise<Vanished> {
  await world.network.filter([]);
  // A sound card whose visitor is gone would go on taking its share of the machine.
  const place = new AsyncDisposableStack();
  onEnd(() => place.disposeAsync());
  const call = await world.call((clean) => place.defer(async () => void (await clean())));
  const { headset } = call.place;
  await call.visitor.listen();
  await call.visitor.say(clip);
  const askedAt = performance.now();
  await call.visitor.listenFor(random.integer(...ANSWER_MS));
  const atMs = Date.now();
  await WAYS[way]!(call, world);
  await delay(SILENT_AFTER_MS);
  const words = await BY_TONES.wordsIn(heardBetween(headset.heard, askedAt, performance.now()));
  // A browser that stands still cannot be closed.
  signal(call.place, "SIGKILL");
  await place.disposeAsync();
  return { way, sessionId: call.sessionId, atMs, words };
}

function judge(content: string, { way, words }: Vanished): string[] {
  const stored = BY_TONES.wordsOf(content);
  const unheardMs = toneMs(stored.slice(words.length));
  // The tone of the last word may be incomplete.
  const untoldMs = toneMs(words.slice(stored.length, -1));
  return [
    ...(unheardMs > MAX_UNHEARD_MS ? [`${way}: ${unheardMs} ms more are stored`] : []),
    ...(untoldMs > MAX_UNTOLD_MS ? [`${way}: ${untoldMs} ms less are stored`] : []),
  ];
}
