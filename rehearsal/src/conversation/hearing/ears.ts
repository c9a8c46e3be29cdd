import { phrasePattern } from "../../words/phrase-pattern.ts";
import type { Manners } from "../scripts/manners.ts";

/** Finds what visitors say in any language, whichever one the talk is held in. */
export type Ears = Record<keyof Manners["hears"], RegExp>;

export function earsOf(manners: Manners[]): Ears {
  const kinds = Object.keys(manners[0]!.hears) as (keyof Ears)[];
  const patterns = kinds.map((kind) => [
    kind,
    phrasePattern(...manners.map((one) => one.hears[kind])),
  ]);
  return Object.fromEntries(patterns) as Ears;
}
