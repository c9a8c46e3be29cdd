import { list, object, text } from "../../shape.ts";
import type { Shape } from "../../shape.ts";
import type { Language } from "../../words/language-of.ts";

/** The same in every language. */
export type Localised<T> = Record<Language, T>;

export function localised<T>(shape: Shape<T>): Shape<Localised<T>> {
  return object<Localised<T>>({ en: shape, de: shape, fr: shape, es: shape });
}

/** One text, or several to choose from. */
export const variants: Shape<string[]> = (value, at) =>
  typeof value === "string" ? [value] : list(text)(value, at);

/** Phrases to listen for, separated by commas. */
export const phrases: Shape<string[]> = (value, at) =>
  text(value, at)
    .split(",")
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "");
