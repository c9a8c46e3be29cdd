import { reviewed } from "../strings/strings.ts";
import type { Reviewed } from "../strings/strings.ts";
import type { BrowserName } from "./browser-of.ts";
import type { Rung } from "./rung.ts";
import { de } from "./words/de.ts";
import { en } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fr } from "./words/fr.ts";

const WORDS: Record<Reviewed, LadderWords> = { en, de, fr, es };

export function ladderWords(language: string): LadderWords {
  return WORDS[reviewed(language)];
}

export interface LadderWords {
  /** What happened, and what can be done. */
  rungs: Record<Rung, [title: string, text: string]>;
  /** How to allow what was denied. */
  help: Record<BrowserName, string>;
  /** It has just been allowed. */
  allowed: [title: string, text: string];
}
