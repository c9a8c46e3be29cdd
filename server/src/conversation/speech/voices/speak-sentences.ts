import { ReadableStream } from "node:stream/web";
import { AudioFrame } from "@livekit/rtc-node";
import type { TimedWord } from "../../heard/word-times.ts";
import type { CallVoice } from "./call-voice.ts";
import { later, VOICE_SAMPLE_RATE } from "./sound.ts";
import type { Sound } from "./sound.ts";

/** A piece of one speech. */
export interface SpokenFrame {
  frame: AudioFrame;
  /** Times are counted from the first frame of all the sentences. */
  words: TimedWord[];
}

/**
 * Says sentences one after the other. The next is asked for as soon as the one before it begins to
 * sound, so that there is no gap between them. Throws `VoiceAway` when nobody is left to speak, and
 * just ends when it is aborted; the vendor then stops too. Fixed sentences are those that other
 * calls say too, such as a greeting: see `SayRequest`.
 */
export async function* speakSentences(
  voice: Pick<CallVoice, "say">,
  sentences: AsyncIterable<string>,
  signal: AbortSignal,
  { isFixed = false }: { isFixed?: boolean } = {},
): AsyncGenerator<SpokenFrame, void> {
  const stop = new AbortController();
  const wanted = AbortSignal.any([signal, stop.signal]);
  const source = sentences[Symbol.asyncIterator]();
  const begin = async (): Promise<ReadableStream<Sound> | undefined> => {
    const next = await source.next();
    if (next.done === true) return undefined;
    return soundsOf(stop, (onSound) =>
      voice.say({ sentence: next.value, signal: wanted, isFixed, onSound }),
    );
  };
  let soundMs = 0;
  try {
    for (let sounds = await begin(); sounds !== undefined;) {
      let following: ReturnType<typeof begin> | undefined;
      const startMs = soundMs;
      for await (const sound of sounds) {
        following ??= begin();
        // It is awaited below and may fail before that.
        following.catch(() => {});
        const { pcm, words } = later(sound, startMs);
        soundMs += (pcm.length / VOICE_SAMPLE_RATE) * 1_000;
        yield { frame: new AudioFrame(pcm, VOICE_SAMPLE_RATE, 1, pcm.length), words };
        if (signal.aborted) return;
      }
      sounds = await (following ?? begin());
    }
  } finally {
    stop.abort();
    source.return?.().catch(() => {});
  }
}

/** Buffers sounds until they are read. Cancelling the stream stops the voice. */
function soundsOf(
  stop: AbortController,
  say: (onSound: (sound: Sound) => void) => Promise<void>,
): ReadableStream<Sound> {
  return new ReadableStream<Sound>({
    start: (sounds) => {
      void say((sound) => sounds.enqueue(sound)).then(
        // A cancelled stream cannot be closed.
        () => stop.signal.aborted || sounds.close(),
        (error: unknown) => sounds.error(error),
      );
    },
    cancel: () => stop.abort(),
  });
}
