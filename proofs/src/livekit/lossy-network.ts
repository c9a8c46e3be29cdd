import { speak } from "@svc/rehearsal";
import type { TestDatabase } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { openTalkingSite } from "../browser-voice/talking-site.ts";
import type { TalkingSite } from "../browser-voice/talking-site.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { seconds } from "../runner/table.ts";
import { BY_RECOGNISER, compareWords } from "../voice/judge-transcript.ts";
import { addVoiceProcess } from "../voice/voice-product.ts";
import type { VoiceProduct } from "../voice/voice-product.ts";
import { carriesSound, livekitAt, readNotice, startTalking, waysOf } from "./livekit-world.ts";
import type { LivekitWorld } from "./livekit-world.ts";
import type { Weather } from "./visitor-network.ts";

/** The answers to all but the last two are heard whole; the last line cuts an answer. */
const LINES = [
  "Can you tell me how I add it to my page?",
  "And can you tell me what I get after a session?",
  "Could you please tell me again how I add it to my page?",
  "Please wait, I would like to ask something else.",
];
const MODELS = { ears: "model", voice: "model" } as const;
/** The loss that must do no harm over LiveKit. */
const JUDGED_PERCENT = 10;
/** A recogniser mistakes a word now and then, and another the next time. */
const MAX_MORE_WRONG = 0.15;
const CUT_AFTER_MS = 2_500;
/** A sound is over when nothing was heard for so long: sound that stops on its way comes back sooner. */
const SILENT_MS = 1_000;
const SILENT_WITHIN_MS = 10_000;
/** A talk takes so long, where it does not fail. */
const TALK_MS = 60_000;

/** As in a mobile network: TCP learns of each lost packet a round trip later. */
const LATE_MS = 40;

const QUICK: Weather[] = [{}, { lossPercent: JUDGED_PERCENT }];
const FULL: Weather[] = [
  {},
  ...[1, 5, JUDGED_PERCENT, 20, 30].map((lossPercent) => ({ lossPercent })),
  { kbits: 1_000 },
];

// V3
export const lossyNetwork: Claim<LivekitWorld> = {
  promise:
    "Where a network loses one packet in ten, what is said over LiveKit is understood as well as without loss, beside the socket in the same network",
  bound: `word errors over LiveKit at ${JUDGED_PERCENT} % loss ≤ ${MAX_MORE_WRONG} above those without, in the visitor's ear and in the agent's; sound with gaps is noticed`,
  timeLimitSecs: { quick: 300, full: 2700 },
  tier: "nightly",
  async prove(tools, world) {
    const { sized, say, onEnd, timeLeftMs, seed } = tools;
    const { product, livekit, network } = world;
    const clips = (await Promise.all(LINES.map((text) => speak(text)))).map(({ pcm }) => pcm);
    const open = async (settings: Record<string, string>): Promise<Place> => {
      const voice = await addVoiceProcess(onEnd, product, MODELS, settings);
      carriesSound(livekit, voice);
      const site = await openTalkingSite(onEnd, voice);
      await network.reach(voice.server.url, site.url);
      return { site, voice };
    };
    const places = { livekit: await open(livekitAt(livekit)), ws: await open({}) };
    await network.filter([]);
    const overLivekit = new Map<number, Talk>();
    for (const weather of sized({ quick: QUICK, full: FULL })) {
      for (const over of ["livekit", "ws"] as const) {
        if (timeLeftMs() < TALK_MS) continue;
        const bad = { ...weather, lateMs: LATE_MS };
        const talk = await talkIn(tools, world, places[over], { clips, weather: bad }).catch(
          String,
        );
        const name = `${over}, ${nameOf(weather)} (${((await network.lost()) * 100).toFixed(1)} % lost)`;
        if (typeof talk === "string") say(`${name}: no talk: ${talk.slice(0, 150)}`);
        else {
          say(
            `${name}: ${share(talk.wrongInEar)} of the words wrong in the visitor's ear, ${share(talk.wrongInAgent)} in the agent's, ${seconds(talk.playedMs)} to hear ${seconds(talk.spokenMs)} of speech, silent ${seconds(talk.cutMs)} after a cut, sound went over ${talk.ways || "the socket"}`,
          );
          if (over === "livekit" && weather.kbits === undefined)
            overLivekit.set(weather.lossPercent ?? 0, talk);
        }
      }
    }
    await network.weather({});
    const [without, lossy] = [overLivekit.get(0), overLivekit.get(JUDGED_PERCENT)];
    if (without === undefined || lossy === undefined)
      return { figure: "no talk over LiveKit", ok: false };
    const random = new Random(seed);
    const broken = await wrongWords(
      without.answers.map(({ text, pcm }) => ({ text, pcm: withGaps(pcm, random) })),
    );
    const noticed = broken - without.wrongInEar;
    say(`control: ${share(noticed)} of the words more are wrong in sound with gaps`);
    const more = Math.max(
      lossy.wrongInEar - without.wrongInEar,
      lossy.wrongInAgent - without.wrongInAgent,
    );
    return {
      figure: `${share(Math.max(0, more))} of the words more wrong at ${JUDGED_PERCENT} % loss`,
      ok: more <= MAX_MORE_WRONG && noticed > MAX_MORE_WRONG && lossy.ways === "livekit",
    };
  },
};

interface Talk {
  /** Shares of the words that an independent recogniser has otherwise. */
  wrongInEar: number;
  wrongInAgent: number;
  /** How long answers took to play, and how long they are: the rest was silence, because sound stopped on its way. */
  playedMs: number;
  spokenMs: number;
  /** From when the visitor began to interrupt. */
  cutMs: number;
  ways: string;
  answers: Answer[];
}

/** What was played of a text. */
interface Answer {
  text: string;
  pcm: Int16Array;
}

interface Place {
  site: TalkingSite;
  voice: VoiceProduct;
}

async function talkIn(
  { onEnd }: Tools,
  { product, network }: LivekitWorld,
  { site, voice }: Place,
  { clips, weather }: { clips: Int16Array[]; weather: Weather },
): Promise<Talk> {
  await network.weather({});
  const place = await readNotice(onEnd, site, { browser: network.browser });
  const { headset, call, browser } = place;
  try {
    // The page is there: what is measured is a call.
    await network.weather(weather);
    const { visitor, sessionId } = await startTalking(place);
    await visitor.listen();
    for (const clip of clips.slice(0, -2)) {
      await visitor.say(clip);
      await visitor.listen();
    }
    await visitor.say(clips.at(-2)!);
    await visitor.listenFor(CUT_AFTER_MS);
    const spokenAt = performance.now();
    const lastLoudAt = (): number => headset.heard.findLast(({ isLoud }) => isLoud)?.at ?? 0;
    const cutting = visitor.say(clips.at(-1)!);
    await waitUntil(() => performance.now() - lastLoudAt() > SILENT_MS, SILENT_WITHIN_MS);
    const cutMs = lastLoudAt() - spokenAt;
    await cutting;
    const heard = await call.texts("li.user .said");
    const { database } = product.stage;
    const answers = (await answersOf(database, sessionId))
      .slice(1, clips.length - 1)
      .map((text, at) => ({ text, pcm: visitor.played[at + 1]!.pcm }));
    return {
      wrongInEar: await wrongWords(answers),
      wrongInAgent: wrongShare(LINES.join(" "), BY_RECOGNISER.wordsOf(heard.join(" "))),
      playedMs: answers.reduce((sum, { pcm }) => sum + pcm.length / PLAYED_PER_MS, 0),
      spokenMs: await spokenMsOf(voice, answers),
      cutMs: Math.max(0, cutMs),
      ways: (await waysOf(database, sessionId)).map(({ over }) => over).join(", "),
      answers,
    };
  } finally {
    await browser.close();
  }
}

/** What the agent said before the visitor's first turn, and after each: in several turns where the socket was lost. */
async function answersOf({ pool }: TestDatabase, sessionId: string): Promise<string[]> {
  const { rows } = await pool.query<{ role: string; content: string }>(
    "SELECT role, content FROM turns WHERE session_id = $1 ORDER BY seq",
    [sessionId],
  );
  const answers = [""];
  for (const { role, content } of rows)
    if (role === "user") answers.push("");
    else answers.push(`${answers.pop()} ${content}`);
  return answers;
}

/** What the voice was asked for, sentence by sentence, and takes without a network. */
async function spokenMsOf({ speech }: VoiceProduct, answers: Answer[]): Promise<number> {
  const asked = speech
    .requests()
    .recent.flatMap(({ what, text = "" }) => (what === "asked" ? [text] : []));
  let sum = 0;
  for (const text of new Set(asked)) {
    const times = answers.filter((answer) => answer.text.includes(text.trim())).length;
    if (times === 0) continue;
    const { pcm, sampleRate } = await speak(text, { voice: "slt" });
    sum += (times * pcm.length * 1_000) / sampleRate;
  }
  return sum;
}

async function wrongWords(answers: Answer[]): Promise<number> {
  const heard: string[] = [];
  for (const { pcm } of answers) heard.push(...(await BY_RECOGNISER.wordsIn(pcm)));
  return wrongShare(answers.map(({ text }) => text).join(" "), heard);
}

function wrongShare(text: string, words: string[]): number {
  return 1 - compareWords(BY_RECOGNISER.wordsOf(text), words).share;
}

const PLAYED_PER_MS = 24;
const GAP_SAMPLES = 100 * PLAYED_PER_MS;
const GAP_SHARE = 0.5;

/** As it would be if every other tenth of a second were silence. */
function withGaps(pcm: Int16Array, random: Random): Int16Array {
  const broken = Int16Array.from(pcm);
  for (let at = 0; at < pcm.length; at += GAP_SAMPLES)
    if (random.chance(GAP_SHARE)) broken.fill(0, at, at + GAP_SAMPLES);
  return broken;
}

function nameOf({ lossPercent = 0, kbits }: Weather): string {
  return kbits === undefined ? `${lossPercent} % loss` : `${kbits} kbit/s`;
}

function share(value: number): string {
  return value.toFixed(2);
}
