import type { Sound } from "../sound.ts";

/** Says a text. Its words are those between spaces, each with its times. */
export interface Voice {
  say(text: string): Promise<Sound>;
}
