import type { MicrophoneProblem } from "./microphone-problem.ts";

const MICROPHONE =
  "M8 2.5a2.2 2.2 0 0 0-2.2 2.2v4a2.2 2.2 0 0 0 4.4 0v-4A2.2 2.2 0 0 0 8 2.5zM3.5 8.7a4.5 4.5 0 0 0 9 0M8 13.2v3.3";
/** Where the mark beside the microphone stands. */
const SIGN = "M15.5 11.5";

/** A microphone, and beside it what is the matter. Paths in a box of 20 by 20. */
export const PICTURES: Record<MicrophoneProblem | "allowed", string> = {
  denied: `${MICROPHONE}M13 17.5l4.5-4.5M12.2 15.2a3 3 0 1 0 6 0 3 3 0 1 0-6 0`,
  dismissed: `${MICROPHONE}M13.8 12.2a1.8 1.8 0 1 1 2.6 1.6c-.7.4-.9.8-.9 1.4M15.5 17.5h0`,
  none: `${MICROPHONE}M13.5 13.2l4 4M17.5 13.2l-4 4`,
  busy: `${MICROPHONE}${SIGN}a3 3 0 1 0 0 6 3 3 0 1 0 0-6M15.5 13v1.7l1.2.8`,
  insecure: `${MICROPHONE}M13 14h5v3.5h-5zM14 14v-1a1.5 1.5 0 0 1 2.8-.8`,
  policy: `${MICROPHONE}${SIGN}l2.6 1v1.9c0 1.5-1 2.6-2.6 3.3-1.6-.7-2.6-1.8-2.6-3.3v-1.9z`,
  removed: `${MICROPHONE}M14 11.5v2M17 11.5v2M13 13.5h5v1a2.5 2.5 0 0 1-5 0zM15.5 17v1`,
  sound: "M3 8v4h3l4 3.5v-11L6 8zM13.5 8l4 4M17.5 8l-4 4",
  allowed: `${MICROPHONE}M13 15l1.8 1.8 3.2-3.6`,
};
