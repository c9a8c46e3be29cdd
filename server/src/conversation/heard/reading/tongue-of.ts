import { ENGLISH } from "./english.ts";
import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import { SPANISH } from "./spanish.ts";
import type { Tongue } from "./tongue.ts";

/** Undefined for a language whose words we do not know. */
export function tongueOf(language: string): Tongue | undefined {
  const [base] = language.toLowerCase().split("-");
  return TONGUES.find(({ code }) => code === base);
}

const TONGUES: Tongue[] = [ENGLISH, GERMAN, FRENCH, SPANISH];
