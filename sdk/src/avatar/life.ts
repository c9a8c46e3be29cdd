import type { LiveAgentState } from "@svc/contract/types";
import { pointer } from "./loop.ts";
import { createMouth, ease } from "./mouth.ts";
import { REST } from "./rig.ts";
import type { Pose } from "./rig.ts";

/** The input of a face: what the agent does, and the sound that is played. */
export interface Moment {
  state?: LiveAgentState | undefined;
  analyser?: AnalyserNode | undefined;
}

/** The pose of each state, as differences from the pose at rest. */
const EXPRESSIONS: Partial<Record<LiveAgentState, Partial<Pose>>> = {
  listening: { tilt: -4, lift: 4, smile: 1.2 },
  thinking: { tilt: 3, lift: 4, smile: 0.4, wide: -0.7, gazeX: -1.2, gazeY: -1.5 },
};
/** The face looks at a resting pointer for this long. */
const POINTER_HOLDS_MS = 2_500;
/** A face that nothing happens around comes to rest after this time, later in a call: somebody may be speaking to it. */
const RESTS_AFTER_MS = 12_000;
const RESTS_IN_CALL_AFTER_MS = 45_000;

/**
 * Computes the pose of a living face: it breathes, blinks, looks around, nods, and shows listening, thinking
 * and speaking. Undefined while it is at rest, where the last pose stands.
 */
export function createLife(
  face: Element,
  calm: MediaQueryList,
): (now: number, moment: Moment) => Pose | undefined {
  const mouth = createMouth();
  const pose = { ...REST };
  let before: Moment["state"] | null = null;
  let lastAt = 0;
  let noddedAt = 0;
  let stirredAt = 0;
  /** From 0, at rest, to 1. */
  let vigor = 1;
  let phase = 0;

  return (now, { state, analyser }) => {
    const elapsedMs = now - lastAt;
    const spoken = mouth(analyser, elapsedMs);
    const { open } = spoken;
    const isLooking = pointer && now - pointer.timeStamp < POINTER_HOLDS_MS;
    if (state !== before || open || isLooking) stirredAt = now;
    // It nods when it is first seen, and when the visitor has finished speaking.
    if (state !== before && (!state || state === "thinking")) noddedAt = now;
    before = state;
    lastAt = now;
    const isAwake = now - stirredAt < (state ? RESTS_IN_CALL_AFTER_MS : RESTS_AFTER_MS);
    if (calm.matches) return now - stirredAt < 1_000 ? { ...REST, ...spoken } : undefined;
    vigor += (+isAwake - vigor) * ease(elapsedMs, 400);
    if (!isAwake && vigor < 0.01) return undefined;

    const wave = (perSec: number): number => vigor * Math.sin((perSec * now) / 1_000);
    let gazeX = Math.round(wave(0.5) + wave(0.3)) / 2;
    let gazeY = 0;
    if (isLooking) {
      const { x, y, width, height } = face.getBoundingClientRect();
      const right = pointer!.clientX - x - width / 2;
      const down = pointer!.clientY - y - height / 2;
      const far = (Math.hypot(right, down) + 160) / 1.6;
      gazeX = right / far;
      gazeY = down / far;
    }
    const goal: Pose = { ...REST, gazeX, gazeY, ...EXPRESSIONS[state!] };
    for (const key in pose) {
      const part = key as keyof Pose;
      pose[part] += (goal[part] - pose[part]) * ease(elapsedMs, 110);
    }
    const nod = bump((now - noddedAt) / 520);
    phase += vigor * Math.min(elapsedMs, 100) * (state === "thinking" ? 0.05 : 0.015 + 0.06 * open);
    return {
      ...pose,
      ...(open && spoken),
      y: 6 * nod,
      tilt: pose.tilt + wave(0.6) + 2 * open * wave(1.7),
      breath: vigor + wave(1.5),
      // Two unrelated intervals, so that it does not blink like a clock.
      lids: 1 - 0.9 * vigor * bump(Math.min(now % 4_100, now % 6_700) / 150),
      lift: pose.lift + 2 * nod + 3 * open,
      phase,
    };
  };
}

/** Rises from 0 to 1 and falls again while `share` goes from 0 to 1; 0 after that. */
function bump(share: number): number {
  return Math.sin(Math.PI * Math.min(1, share)) ** 2;
}
