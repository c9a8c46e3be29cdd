import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wavOf } from "../sound/wav-of.ts";

const SAMPLE_RATE = 16_000;

/** Writes a WAV file of what a visitor says: so many clips, one at the end of every period. Goes when the proof ends. */
export function writeVisitorSound(
  clips: Int16Array[],
  { count, periodMs }: { count: number; periodMs: number },
  onEnd: (clean: () => unknown) => void,
): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-visitor-"));
  onEnd(() => rmSync(folder, { recursive: true }));
  const period = (periodMs / 1_000) * SAMPLE_RATE;
  // The hiss of a quiet room: no microphone gives none.
  const pcm = Int16Array.from({ length: (count + 1) * period }, () =>
    Math.round(Math.random() * 6 - 3),
  );
  for (let at = 1; at <= count; at += 1) pcm.set(clips[at % clips.length]!, at * period);
  const path = join(folder, "visitor.wav");
  writeFileSync(path, wavOf(pcm, SAMPLE_RATE));
  return path;
}
