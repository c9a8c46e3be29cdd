import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import type { Phrasebook } from "./phrasebook.ts";
import { spanish } from "./spanish.ts";

export const phrasebooks: Record<Language, Phrasebook> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};

export type Language = "en" | "de" | "fr" | "es";
