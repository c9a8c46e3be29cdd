import type { LiveCaption } from "@svc/contract/types";
import type { VoiceVisitor } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { waitUntil } from "../browsers/wait-until.ts";
import type { Tools } from "../runner/proof.ts";
import { BY_TONES } from "../voice/judge-transcript.ts";
import { SENTENCES } from "../voice/speaking-visitor.ts";
import { openTalkStage } from "../voice/talk-stage.ts";
import type { TalkServer } from "../voice/talk-stage.ts";

export interface InterruptionsResult {
  count: number;
  /** Words that a stored turn is off what was played, at most: where a voice tells the times of its words, and where it does not. */
  maxOff: { timed: number; untimed: number };
  /** The same where whole sentences are taken for stored, as a control. */
  plantedOff: number;
}

/** In which sentence, and after how much of its sound. */
interface Order {
  sentence: number;
  atMs: number;
}

interface Interrupted {
  sentence: string;
  /** The words of it that came out of the loudspeaker, each by its length; the last may be incomplete. */
  played: string[];
  /** What is on the screen of it in the end, as in the transcript. */
  stored: string;
}

const EVERY_MS = 100;
const LETTER_MS = 60;
const QUICK = { timed: 12, untimed: 6 };
const PATIENCE_MS = 10_000;
const ASK = "Say number";

/** Interrupts sentences that the engine says with a voice whose words can be counted in its sound. */
export async function interruptSentences(tools: Tools): Promise<InterruptionsResult> {
  const { seed, sized, onEnd } = tools;
  const { model, serve } = await openTalkStage(onEnd);
  model.answers((said) => (said.startsWith(ASK) ? SENTENCES[Number(/\d+/.exec(said))]! : "Yes."));
  const [timedVoice, untimedVoice] = await Promise.all([
    serve(onEnd, { voice: "tone" }),
    serve(onEnd, { voice: "tone" }, { SVC_TTS: "openai" }),
  ]);
  const every = SENTENCES.flatMap((text, sentence) =>
    Array.from({ length: Math.floor((text.length * LETTER_MS) / EVERY_MS) }, (_, index) => ({
      sentence,
      atMs: index * EVERY_MS,
    })),
  );
  const orders = new Random(seed).pickSeveral(every, every.length);
  const [timed, untimed] = await Promise.all([
    interruptAll(timedVoice, sized({ quick: orders.slice(0, QUICK.timed), full: orders }), tools),
    interruptAll(untimedVoice, sized({ quick: orders.slice(-QUICK.untimed), full: orders }), tools),
  ]);
  const maxOff = (some: Interrupted[]): number => Math.max(...some.map(wordsOff));
  return {
    count: timed.length + untimed.length,
    maxOff: { timed: maxOff(timed), untimed: maxOff(untimed) },
    plantedOff: maxOff(timed.map((one) => ({ ...one, stored: one.sentence }))),
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
  const last = all
    .slice(
      0,
      all.findLastIndex(({ role }) => role === "user"),
    )
    .at(-1)!;
  return {
    sentence: SENTENCES[sentence]!,
    played: await BY_TONES.wordsIn(segment.pcm),
    stored: last.role === "user" ? "" : last.text,
  };
}

/** A word counts as played from its middle on. */
function wordsOff({ sentence, played, stored }: Interrupted): number {
  if (!sentence.startsWith(stored)) return Infinity;
  const due = BY_TONES.wordsOf(sentence);
  const lastPlayed = Number(played.at(-1) ?? 0) >= Number(due[played.length - 1] ?? 0) / 2;
  const words = lastPlayed ? played.length : played.length - 1;
  return Math.abs(stored.split(/\s+/).filter(Boolean).length - Math.max(0, words));
}
