import { join } from "node:path";
import * as z from "zod";
import type { Message } from "../language-model/chat-request.ts";
import { readScripts } from "../read-scripts.ts";
import { readJson } from "../read-value.ts";

/** The translations of our texts that the stand-in knows, by language. */
export type Translations = ReadonlyMap<string, unknown>;

export function readTranslations(folder: string): Translations {
  const files = readScripts(join(folder, "words"), z.record(z.string(), z.unknown()));
  return new Map(files.map(({ name, script }) => [name.replace(/\.ya?ml$/, ""), script]));
}

/**
 * What a translator answers who knows some languages by heart, and writes the English text for all
 * others. Undefined for a request that is no translator's.
 */
export function draftTexts(
  [system, user]: Message[],
  known: Translations,
): Record<string, string> | undefined {
  if (system?.text.startsWith(OPENING) !== true || user === undefined) return undefined;
  const { language, texts } = readJson(asked, user.text);
  return Object.fromEntries(
    Object.entries(texts).map(([path, english]) => {
      const text = path
        .split(".")
        .reduce<unknown>(
          (at, step) => (at as Record<string, unknown>)?.[step],
          known.get(language),
        );
      return [path, typeof text === "string" ? text : english];
    }),
  );
}

const OPENING = "You translate the texts of a website's demo agent";

const asked = z.looseObject({ language: z.string(), texts: z.record(z.string(), z.string()) });
