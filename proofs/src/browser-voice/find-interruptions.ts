import { QUANTUM } from "./recording-site.ts";
import type { Recording } from "./recording-site.ts";

/** A visitor spoke into what the agent was saying. */
export interface Interruption {
  /** From the first of the voice until nothing was put out any more. */
  silentAfterMs: number;
  /** Until the order to be silent had arrived; undefined when none had. */
  orderedAfterMs: number | undefined;
  /** How much of it was put out. */
  playedMs: number;
  /** And how much the page said that it was. */
  toldMs: number | undefined;
}

/** Louder than a quiet room; the same as where no browser listens. */
const VOICED = 300 / 32_768;
/** Between words is less. */
const PAUSE_MS = 500;
/** Longer than a click, shorter than an answer takes. */
const SILENT_MS = 120;
/** Sound is made in batches, ahead of the clock that messages are timed by or behind it. */
const AHEAD_SECS = 0.1;

/** What the samples say of each. The agent's sound must have no pauses of its own: they would count as not played. */
export function findInterruptions({
  rate,
  firstFrame,
  loudspeaker,
  microphone,
  orders,
  reports,
}: Recording): Interruption[] {
  const quantumMs = (QUANTUM / rate) * 1_000;
  const [pause, silence] = [PAUSE_MS, SILENT_MS].map((ms) => Math.ceil(ms / quantumMs)) as [
    number,
    number,
  ];
  const secsAt = (quantum: number): number => (firstFrame + quantum * QUANTUM) / rate;
  const sounds = stretches(loudspeaker, 0, silence);
  const found: Interruption[] = [];
  for (const { from: voiceFrom } of stretches(microphone, VOICED, pause)) {
    const cut = sounds.find(({ from, to }) => from < voiceFrom && voiceFrom < to);
    // What has not ended yet was not interrupted.
    if (cut === undefined || cut.to + silence > loudspeaker.length) continue;
    const voiceSecs = secsAt(voiceFrom);
    const order = orders.find(
      ({ type, atSecs }) =>
        type === "audio_pause" && atSecs > voiceSecs && atSecs < secsAt(cut.to) + AHEAD_SECS,
    );
    const report = reports.find(
      ({ type, atSecs }) => type === "cleared" && atSecs > secsAt(cut.to) - AHEAD_SECS,
    );
    found.push({
      silentAfterMs: (cut.to - voiceFrom) * quantumMs,
      orderedAfterMs: order && (order.atSecs - voiceSecs) * 1_000,
      playedMs: loudspeaker.slice(cut.from, cut.to).filter(Boolean).length * quantumMs,
      toldMs: report?.position_ms,
    });
  }
  return found;
}

/** Runs that are louder, with no pause so long in them. `to` is behind the last. */
function stretches(
  peaks: number[],
  louderThan: number,
  pause: number,
): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const [at, peak] of peaks.entries()) {
    if (peak <= louderThan) continue;
    const last = runs.at(-1);
    if (last !== undefined && at - last.to < pause) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
}
