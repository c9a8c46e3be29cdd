import { speak } from "@svc/rehearsal";
import { Random } from "@svc/tools/random";
import type { Tools } from "../runner/proof.ts";
import { cutSentence, replyTo } from "./cut-sentence.ts";
import type { Cut, CutOrder } from "./cut-sentence.ts";
import { listenTo } from "./listen-to.ts";
import { SENTENCES } from "./sentences.ts";
import { openTalkStage } from "./talk-stage.ts";
import type { Talks } from "./talk-stage.ts";
import { vanishFromBare, vanishFromOurs } from "./vanish.ts";
import { wordsBy, wordsIn } from "./words.ts";
import type { Word } from "./words.ts";

export interface CutsResult {
  cuts: number;
  /** Words that a stored turn is off what was played, at most: where a voice tells the times of its words, and where it does not. */
  mostOff: { timed: number; untimed: number };
  /** Words that are stored of what nobody has heard, once a visitor has vanished. */
  unheard: { ours: number; bare: number };
  /** Cuts that were listened to, and those that sound as they are stored. */
  listened: { cuts: number; agreed: number };
}

const EVERY_MS = 100;
const QUICK_CUTS = { timed: 12, untimed: 6 };
const LISTENED = 3;

/** Cuts sentences that the engine says with a voice that can be understood, and counts words. */
export async function proveCuts(seed: number, tools: Tools): Promise<CutsResult> {
  const { full, say, onEnd } = tools;
  const stage = await openTalkStage(onEnd, { reply: (said) => replyTo(said, SENTENCES) });
  const [timedTalks, untimedTalks, times] = await Promise.all([
    stage.serve({ voice: "model" }),
    stage.serve({ voice: "model" }, { SVC_TTS: "openai" }),
    timesOfWords(),
  ]);
  const orders = shuffled(everyCut(times), new Random(seed));
  const quickUntimed = orders.slice(QUICK_CUTS.timed, QUICK_CUTS.timed + QUICK_CUTS.untimed);
  const [timed, untimed] = await Promise.all([
    cutAll(timedTalks, full ? orders : orders.slice(0, QUICK_CUTS.timed), tools),
    cutAll(untimedTalks, full ? orders : quickUntimed, tools),
  ]);
  const off = ({ sentence, segment, stored }: Cut): number =>
    SENTENCES[sentence]!.startsWith(stored)
      ? wordsIn(stored) - wordsBy(times[sentence]!, segment.playedMs)
      : Infinity;
  say(`with word times, words too many: ${tally(timed.map(off))}`);
  say(`without, words too many: ${tally(untimed.map(off))}`);
  const long = timed.filter(({ segment }) => segment.playedMs > 1_500);
  const agreed = await listenTo(long.slice(0, LISTENED), say);
  const unheard = {
    ours: await vanishFromOurs(stage, timedTalks, times),
    bare: await vanishFromBare(times),
  };
  say(
    `when a visitor vanishes: ${unheard.ours} words stored that nobody heard, by the library alone ${unheard.bare}`,
  );
  return {
    cuts: timed.length + untimed.length,
    mostOff: { timed: most(timed.map(off)), untimed: most(untimed.map(off)) },
    unheard,
    listened: { cuts: Math.min(LISTENED, long.length), agreed },
  };
}

/** The stand-in speaks with the same voice. */
function timesOfWords(): Promise<Word[][]> {
  return Promise.all(
    SENTENCES.map(async (sentence) => (await speak(sentence, { voice: "slt" })).words),
  );
}

function everyCut(times: Word[][]): CutOrder[] {
  return times.flatMap((words, sentence) => {
    const count = Math.floor(words.at(-1)!.endMs / EVERY_MS);
    return Array.from({ length: count }, (_, index) => ({ sentence, atMs: index * EVERY_MS }));
  });
}

function shuffled<T>(all: T[], random: Random): T[] {
  return all
    .map((one) => ({ one, place: random.next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ one }) => one);
}

/** Several visitors share them. */
async function cutAll(
  { enter }: Talks,
  orders: CutOrder[],
  { full, progress, timeLeftMs }: Tools,
): Promise<Cut[]> {
  const left = [...orders];
  const cuts: Cut[] = [];
  const cutOn = async (): Promise<void> => {
    const visitor = await enter();
    for (let next = left.pop(); next && timeLeftMs() > 0; next = left.pop()) {
      cuts.push(await cutSentence(visitor, next));
      progress(cuts.length, orders.length, "cuts");
    }
  };
  await Promise.all(Array.from({ length: full ? 8 : 2 }, cutOn));
  return cuts;
}

/** Each value and how often it is there. */
function tally(values: number[]): string {
  const counts = [...Map.groupBy(values, (value) => value)];
  return counts
    .toSorted(([one], [other]) => one - other)
    .map(([value, { length }]) => `${value} in ${length}`)
    .join(", ");
}

function most(offs: number[]): number {
  return Math.max(...offs.map(Math.abs));
}
