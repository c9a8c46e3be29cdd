import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "#platform";
import { stt } from "@livekit/agents";
import { AudioFrame, AudioResampler } from "@livekit/rtc-node";
import { createHearing } from "./hearing/create-hearing.ts";
import { RecogniserConnection, hearingLimits } from "./hearing/recogniser-connection.ts";
import type { HearingConfig } from "./vendor.ts";
import { VOICE_SAMPLE_RATE } from "./voices/sound.ts";

const EAR_SAMPLE_RATE = 16_000;
const FRAME_SAMPLES = 512;
const FRAME_MS = 32;
/** Ends an utterance. */
const QUIET_MS = 1_000;
const PATIENCE_MS = 8_000;

export interface Listened {
  text: string;
  /** From the last sound to the last word. */
  ms: number;
}

/** Transcribes a sound in real time. Throws `VendorAway`. */
export async function listenTo(
  pcm: Int16Array,
  { config, language, clock }: { config: HearingConfig; language: string; clock: Clock },
): Promise<Listened> {
  const recogniser = createHearing(config, language, clock);
  const finals: { text: string; atMs: number }[] = [];
  const connection = new RecogniserConnection({
    name: config.provider,
    recogniser,
    clock,
    limits: { ...hearingLimits, connectMs: PATIENCE_MS, provenMs: PATIENCE_MS },
    onEvent({ type, alternatives }) {
      const text = alternatives?.[0].text ?? "";
      if (type === stt.SpeechEventType.FINAL_TRANSCRIPT && text !== "")
        finals.push({ text, atMs: clock.monotonicMs() });
    },
  });
  const lost = connection.over.then((why) => Promise.reject(why));
  lost.catch(() => {});
  const push = async (frames: AudioFrame[]): Promise<void> => {
    for (const frame of frames) {
      connection.push(frame);
      await Promise.race([delay(FRAME_MS), lost]);
    }
  };
  try {
    await push(inFrames(resampled(pcm)));
    const endedAt = clock.monotonicMs();
    const quiet = inFrames(new Int16Array((QUIET_MS * EAR_SAMPLE_RATE) / 1_000));
    do await push(quiet);
    while (finals.length === 0 && clock.monotonicMs() - endedAt < PATIENCE_MS);
    const ms = Math.round((finals.at(-1)?.atMs ?? clock.monotonicMs()) - endedAt);
    return { text: finals.map(({ text }) => text).join(" "), ms: Math.max(0, ms) };
  } finally {
    connection.close();
    await recogniser.close();
  }
}

function resampled(pcm: Int16Array): Int16Array {
  const resampler = new AudioResampler(VOICE_SAMPLE_RATE, EAR_SAMPLE_RATE, 1);
  const whole = new AudioFrame(Int16Array.from(pcm), VOICE_SAMPLE_RATE, 1, pcm.length);
  const frames = [...resampler.push(whole), ...resampler.flush()];
  return Int16Array.from(frames.flatMap(({ data }) => [...data]));
}

/** Each owns its buffer: some recognisers send all of it. */
function inFrames(pcm: Int16Array): AudioFrame[] {
  const count = Math.ceil(pcm.length / FRAME_SAMPLES);
  return Array.from({ length: count }, (_, index) => {
    const data = pcm.slice(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES);
    return new AudioFrame(data, EAR_SAMPLE_RATE, 1, data.length);
  });
}
