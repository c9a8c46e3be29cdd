import { speak } from "@svc/rehearsal";
import type { LiveCaption } from "@svc/contract/types";
import type { HeardSegment, VoiceVisitor } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import type { Tools } from "../runner/proof.ts";
import { BY_RECOGNISER } from "../voice/read-sound.ts";
import { SENTENCES } from "../voice/sentences.ts";
import { waitUntil } from "../voice/speaking-visitor.ts";
import { openTalkStage } from "../voice/talk-stage.ts";
import type { TalkServer } from "../voice/talk-stage.ts";

export interface InterruptionsResult {
  count: number;
  /** Words that a stored turn is off what was played, at most: where a voice tells the times of its words, and where it does not. */
  maxOff: { timed: number; untimed: number };
  /** Interruptions that were listened to, and those that sound as they are stored. */
  listened: { count: number; agreed: number };
  /** Of turns whose whole sentence is taken for stored, as a control. */
  plantedOff: number;
}

type Word = Awaited<ReturnType<typeof speak>>["words"][number];

/** In which sentence, and after how much of its sound. */
interface Order {
  sentence: number;
  atMs: number;
}

interface Interrupted extends Order {
  /** What was really played. */
  segment: HeardSegment;
  /** What is on the screen of it in the end, as in the transcript. */
  stored: string;
}

const EVERY_MS = 100;
const QUICK = { timed: 12, untimed: 6 };
const LISTENED = 3;
const PATIENCE_MS = 10_000;
const ASK = "Say number";

/** Interrupts sentences that the engine says with a voice that can be understood, and counts words. */
export async function interruptSentences(tools: Tools): Promise<InterruptionsResult> {
  const { seed, sized, say, onEnd } = tools;
  const { model, serve } = await openTalkStage(onEnd);
  model.answers((said) => (said.startsWith(ASK) ? SENTENCES[Number(/\d+/.exec(said))]! : "Yes."));
  const [timedVoice, untimedVoice, times] = await Promise.all([
    serve(onEnd, { voice: "model" }),
    serve(onEnd, { voice: "model" }, { SVC_TTS: "openai" }),
    // The stand-in speaks with the same voice.
    Promise.all(SENTENCES.map(async (text) => (await speak(text, { voice: "slt" })).words)),
  ]);
  const every = times.flatMap((words, sentence) => {
    const count = Math.floor(words.at(-1)!.endMs / EVERY_MS);
    return Array.from({ length: count }, (_, index) => ({ sentence, atMs: index * EVERY_MS }));
  });
  const orders = new Random(seed).pickSeveral(every, every.length);
  const [timed, untimed] = await Promise.all([
    interruptAll(timedVoice, sized({ quick: orders.slice(0, QUICK.timed), full: orders }), tools),
    interruptAll(untimedVoice, sized({ quick: orders.slice(-QUICK.untimed), full: orders }), tools),
  ]);
  const off = ({ sentence, segment, stored }: Interrupted): number =>
    SENTENCES[sentence]!.startsWith(stored)
      ? wordsIn(stored) - wordsBy(times[sentence]!, segment.playedMs)
      : Infinity;
  const maxOff = (some: Interrupted[]): number => Math.max(...some.map(off).map(Math.abs));
  const long = timed.filter(({ segment }) => segment.playedMs > 1_500).slice(0, LISTENED);
  const heard = await Promise.all(long.map(({ segment }) => BY_RECOGNISER.wordsIn(segment.pcm)));
  for (const [at, { stored }] of long.entries())
    say(`stored “${stored}”, sounds like “${heard[at]!.join(" ")}”`);
  return {
    count: timed.length + untimed.length,
    maxOff: { timed: maxOff(timed), untimed: maxOff(untimed) },
    listened: {
      count: long.length,
      agreed: long.filter(({ stored }, at) => Math.abs(heard[at]!.length - wordsIn(stored)) <= 1)
        .length,
    },
    plantedOff: maxOff(timed.map((one) => ({ ...one, stored: SENTENCES[one.sentence]! }))),
  };
}

/** Several visitors share the orders. */
async function interruptAll(
  { enter }: TalkServer,
  orders: Order[],
  { sized, progress, timeLeftMs }: Tools,
): Promise<Interrupted[]> {
  const left = [...orders];
  const done: Interrupted[] = [];
  const visit = async (): Promise<void> => {
    const visitor = await enter();
    for (let next = left.pop(); next && timeLeftMs() > 0; next = left.pop()) {
      done.push(await interruptSentence(visitor, next));
      progress(done.length, orders.length, "interruptions");
    }
  };
  await Promise.all(Array.from({ length: sized({ quick: 2, full: 8 }) }, visit));
  return done;
}

/** Has a sentence said and interrupts it by typing. */
async function interruptSentence(
  { browser, heard }: VoiceVisitor,
  { sentence, atMs }: Order,
): Promise<Interrupted> {
  const turns = (): LiveCaption[] =>
    browser.all("caption").filter(({ final, text }) => final && text !== "");
  /** A visitor's turn is told once the one before it is complete. */
  const type = async (text: string): Promise<void> => {
    const before = turns().length;
    browser.send({ type: "text", text });
    await browser.until(text, () =>
      turns()
        .slice(before)
        .some(({ role }) => role === "user"),
    );
  };
  await type(`${ASK} ${sentence}.`);
  const place = heard.length;
  if (!(await waitUntil(() => (heard[place]?.playedMs ?? 0) > 0, PATIENCE_MS)))
    throw new Error("the agent does not speak");
  const segment = heard[place]!;
  await waitUntil(() => segment.playedMs >= atMs || segment.end !== undefined, PATIENCE_MS);
  await type("Stop.");
  const all = turns();
  const stored = all
    .slice(
      0,
      all.findLastIndex(({ role }) => role === "user"),
    )
    .at(-1)!;
  return { sentence, atMs, segment, stored: stored.role === "user" ? "" : stored.text };
}

/** Those whose middle has been played. */
function wordsBy(words: Word[], playedMs: number): number {
  return words.filter(({ startMs, endMs }) => (startMs + endMs) / 2 <= playedMs).length;
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
