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
  listening: { tilt: -3, lift: 2, smile: 1.2 },
  thinking: { tilt: 2, lift: 3, smile: 0.5, wide: -0.7, gazeX: -1, gazeY: -1.4 },
};
/** The face looks at a resting pointer for this long. */
const POINTER_HOLDS_MS = 2_500;

/** Computes the pose of a living face: it breathes, blinks, looks around, nods, and shows listening, thinking and speaking. */
export function createLife(
  face: Element,
  calm: MediaQueryList,
): (now: number, moment: Moment) => Pose {
  const mouth = createMouth();
  const pose = { ...REST };
  let before: Moment["state"] | null = null;
  let lastAt = 0;
  let noddedAt = 0;

  return (now, { state, analyser }) => {
    const elapsedMs = now - lastAt;
    const spoken = mouth(analyser, elapsedMs);
    const { open } = spoken;
    // It nods when it is first seen, and when the visitor has finished speaking.
    if (state !== before && (!state || state === "thinking")) noddedAt = now;
    before = state;
    lastAt = now;
    if (calm.matches) return { ...REST, ...spoken };

    const wave = (perSec: number): number => Math.sin((perSec * now) / 1_000);
    let gazeX = Math.round(wave(0.5) + wave(0.3)) / 2;
    let gazeY = 0;
    if (pointer && now - pointer.timeStamp < POINTER_HOLDS_MS) {
      const { x, y, width, height } = face.getBoundingClientRect();
      const right = pointer.clientX - x - width / 2;
      const down = pointer.clientY - y - height / 2;
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
    return {
      ...pose,
      ...(open && spoken),
      y: 4 * nod,
      tilt: pose.tilt + wave(0.6) + 2 * open * wave(1.7),
      breath: (1 + wave(1.5)) / 2,
      // Two unrelated intervals, so that it does not blink like a clock.
      lids: 1 - 0.9 * bump(Math.min(now % 4_100, now % 6_700) / 150),
      lift: pose.lift + nod + 2 * open,
    };
  };
}

/** Rises from 0 to 1 and falls again while `share` goes from 0 to 1; 0 after that. */
function bump(share: number): number {
  return Math.sin(Math.PI * Math.min(1, share)) ** 2;
}
