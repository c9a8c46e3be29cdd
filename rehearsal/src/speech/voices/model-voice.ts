import { speak } from "../models/speak.ts";
import type { Sound } from "../sound.ts";
import type { Voice } from "./voice.ts";

const KEPT = 500;

/** A voice that can be understood, in English. What it has said once it says again at no cost. */
export class ModelVoice implements Voice {
  readonly #said = new Map<string, Promise<Sound>>();

  say(text: string): Promise<Sound> {
    const known = this.#said.get(text);
    if (known !== undefined) return known;
    if (this.#said.size >= KEPT) this.#said.clear();
    const saying = speak(text, { voice: "slt" });
    this.#said.set(text, saying);
    // What failed once may succeed the next time.
    saying.catch(() => this.#said.delete(text));
    return saying;
  }
}
