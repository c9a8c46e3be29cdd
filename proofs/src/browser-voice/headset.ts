import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSoundCard } from "../browsers/sound-card.ts";
import type { SoundCard } from "../browsers/sound-card.ts";
import { waitUntil } from "../browsers/wait-until.ts";

/** A sound card with somebody before it: they speak into its microphone and hear its loudspeaker. */
export interface Headset extends SoundCard {
  /** Says it: 16 kHz, mono. Resolves when the last of it is said. */
  say(pcm: Int16Array): Promise<void>;
  /** What the loudspeaker has put out since it was opened, silence included, piece by piece: 24 kHz, mono. */
  readonly heard: readonly HeardPiece[];
  /** Something was audible just now. */
  readonly isLoud: boolean;
  /** Resolves with the moment at which the first sound since now was heard. */
  untilLoud(withinMs: number): Promise<number>;
}

export interface HeardPiece {
  /** By `performance.now()`, when the last of it was out. */
  at: number;
  pcm: Int16Array;
  isLoud: boolean;
}

const HEARD_RATE = 24_000;

/** Of full scale 32,767: well above the noise that rounding leaves. */
const LOUD = 300;
/** Words have pauses between them. */
const JUST_NOW_MS = 250;

/** Chromium hides what a loudspeaker plays; remapped it is a microphone. */
const PLUGGED_IN = [
  "load-module module-null-sink sink_name=loudspeaker rate=48000 channels=1",
  "load-module module-null-sink sink_name=mouth rate=48000 channels=1",
  "load-module module-remap-source source_name=microphone master=mouth.monitor",
  "set-default-sink loudspeaker",
  "set-default-source microphone",
];

/** @param room what lies between its loudspeaker and the mouth before it, in PulseAudio's own commands. */
export async function openHeadset(room: readonly string[] = []): Promise<Headset> {
  const card = await openSoundCard([...PLUGGED_IN, ...room]);
  const env = { ...process.env, ...card.environment };
  const ear = spawn(
    "parec",
    ["--device=loudspeaker.monitor", "--latency-msec=20", ...rawSound(HEARD_RATE)],
    { stdio: ["ignore", "pipe", "ignore"], env },
  );
  const heard: HeardPiece[] = [];
  let rest = Buffer.alloc(0);
  ear.stdout.on("data", (bytes: Buffer) => {
    const all = Buffer.concat([rest, bytes]);
    const pcm = new Int16Array(all.length >> 1);
    all.copy(new Uint8Array(pcm.buffer));
    rest = all.subarray(pcm.byteLength);
    const isLoud = pcm.some((sample) => Math.abs(sample) > LOUD);
    heard.push({ at: performance.now(), pcm, isLoud });
  });
  const loudSince = (from: number): HeardPiece | undefined =>
    heard.find(({ at, isLoud }) => isLoud && at >= from);
  return {
    environment: card.environment,
    heard,
    get isLoud() {
      return loudSince(performance.now() - JUST_NOW_MS) !== undefined;
    },
    async say(pcm) {
      const mouth = spawn(
        "pacat",
        // So much is there beforehand: a busy machine makes nobody stutter.
        ["--playback", "--device=mouth", "--latency-msec=500", ...rawSound(16_000)],
        { stdio: ["pipe", "ignore", "ignore"], env },
      );
      mouth.stdin.end(Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength));
      await once(mouth, "exit");
    },
    async untilLoud(withinMs) {
      const from = performance.now();
      await waitUntil(() => loudSince(from) !== undefined, withinMs);
      const { at } = loudSince(from) ?? {};
      if (at === undefined) throw new Error(`no sound in ${withinMs} ms`);
      return at;
    },
    async close() {
      ear.kill();
      await card.close();
    },
  };
}

function rawSound(rate: number): string[] {
  return ["--raw", "--format=s16le", "--channels=1", `--rate=${rate}`];
}

/** What was heard between two moments, from its first sound to its last. */
export function heardBetween(
  heard: readonly HeardPiece[],
  fromAt: number,
  untilAt: number,
): Int16Array {
  const between = heard.filter(({ at }) => at > fromAt && at <= untilAt);
  const first = between.findIndex(({ isLoud }) => isLoud);
  const last = between.findLastIndex(({ isLoud }) => isLoud);
  const pieces = first === -1 ? [] : between.slice(first, last + 1);
  const whole = new Int16Array(pieces.reduce((sum, { pcm }) => sum + pcm.length, 0));
  let filled = 0;
  for (const { pcm } of pieces) {
    whole.set(pcm, filled);
    filled += pcm.length;
  }
  return whole;
}
