import { setTimeout as delay } from "node:timers/promises";
import type { SpeechParts } from "../speech-parts.ts";
import type { Service } from "../service.ts";
import { durationMs, resampled } from "../sound.ts";
import type { TimedWord } from "../sound.ts";

/** How a client wants something said. */
export interface Manner {
  service: Service;
  sampleRate: number;
  /** As the client named them. */
  voice?: string;
  language?: string;
}

export interface Sentence extends Manner {
  text: string;
  /** Sounds only once this is over. */
  after: Promise<unknown>;
  /** Stops it in the middle. */
  signal: AbortSignal;
}

export interface UtterListener {
  /** Before the first sound. Counted from the start of the sentence. */
  words(words: TimedWord[]): void;
  piece(pcm: Int16Array): void;
  /** The connection is to end at once. */
  cut(): void;
}

const PIECE_MS = 100;
const DRIP_SPEED = 0.5;

/** Says one sentence into a connection, at the stand-in's pace or with a fault. Resolves with its length once all has left. */
export async function utter(
  parts: SpeechParts,
  sentence: Sentence,
  listener: UtterListener,
): Promise<number> {
  const { service, signal, text, voice, language } = sentence;
  const fault = parts.switches.choose("sentence", service)?.kind;
  const facts = {
    service,
    text,
    ...(voice !== undefined && { voice }),
    ...(language !== undefined && { language }),
    ...(fault !== undefined && { fault }),
  };
  parts.log.add({ ...facts, what: "asked" });
  // The vendor works on it while what came before still sounds.
  const [made] = await Promise.all([parts.voice.say(text), delay(parts.delayMs), sentence.after]);
  if (fault === "mute") await forever(signal);
  const sound = resampled(made, sentence.sampleRate);
  if (fault !== "no_word_times" && !signal.aborted) listener.words(sound.words);

  const isHalf = fault === "cut_sentence" || fault === "stall_sentence";
  const speed = fault === "drip" ? DRIP_SPEED : parts.speed;
  const pieceSamples = (sound.sampleRate * PIECE_MS) / 1_000;
  const untilSample = isHalf ? sound.pcm.length / 2 : sound.pcm.length;
  const startedAt = performance.now();
  for (let at = 0; at < untilSample && !signal.aborted; at += pieceSamples) {
    const dueMs = (at / sound.sampleRate / speed) * 1_000;
    const earlyMs = dueMs - (performance.now() - startedAt);
    // A timer that fires late must not make a slow voice of a fast one.
    if (earlyMs > 1) await delay(earlyMs, undefined, { signal }).catch(() => {});
    if (!signal.aborted) listener.piece(sound.pcm.subarray(at, at + pieceSamples));
  }
  if (fault === "cut_sentence") listener.cut();
  if (isHalf) await forever(signal);
  parts.log.add({ ...facts, what: signal.aborted ? "cancelled" : "said" });
  return durationMs(sound);
}

function forever(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
