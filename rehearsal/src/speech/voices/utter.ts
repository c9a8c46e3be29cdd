import { setTimeout as delay } from "node:timers/promises";
import type { Service } from "../fault.ts";
import { resampled } from "../sound.ts";
import type { TimedWord } from "../sound.ts";
import type { SpeechParts } from "../wire.ts";

export interface Sentence {
  service: Service;
  text: string;
  sampleRate: number;
  /** As the client named them. */
  voice?: string;
  language?: string;
  /** Stops it in the middle. */
  signal: AbortSignal;
}

export interface UtterListener {
  /** Before the first sound. */
  words(words: TimedWord[]): void;
  piece(pcm: Int16Array): void;
  /** The connection is to end at once. */
  cut(): void;
}

const PIECE_MS = 100;
const DRIP_SPEED = 0.5;

/**
 * Says one sentence into a connection, at the stand-in's pace or with a fault. Resolves once all its
 * sound has left, with false where it was stopped before that.
 */
export async function utter(
  parts: SpeechParts,
  { text: asked, sampleRate, signal, ...facts }: Sentence,
  listener: UtterListener,
): Promise<boolean> {
  const text = asked.trim();
  const fault = parts.faults.choose("sentence", facts.service)?.kind;
  const logged = { ...facts, text, ...(fault !== undefined && { fault }) };
  parts.log.note({ ...logged, what: "asked" });
  const [made] = await Promise.all([parts.voice.say(text), delay(parts.delayMs)]).catch(
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      listener.cut();
      return [];
    },
  );
  if (made === undefined) return false;
  if (fault === "mute") await aborted(signal);
  const sound = resampled(made, sampleRate);
  if (!signal.aborted) listener.words(sound.words);

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
  if (isHalf) await aborted(signal);
  parts.log.note({ ...logged, what: signal.aborted ? "cancelled" : "said" });
  return !signal.aborted;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
