export { openSound } from "./open-sound.ts";
export type { Sound } from "./open-sound.ts";
