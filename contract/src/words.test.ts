import de from "@svc/contract/words/de.json" with { type: "json" };
import en from "@svc/contract/words/en.json" with { type: "json" };
import es from "@svc/contract/words/es.json" with { type: "json" };
import fr from "@svc/contract/words/fr.json" with { type: "json" };
import { expect, test } from "vitest";
import * as schemas from "./schemas/index.ts";
import type { Words } from "./types/index.ts";

const BUILT_IN: Record<string, Words> = { en, de, fr, es };
const TRANSLATIONS = Object.entries(BUILT_IN).filter(([code]) => code !== "en");

/** Every text under its path, such as `spoken.nudge`. */
function texts(value: unknown, path = ""): [path: string, text: string][] {
  if (typeof value === "string") return [[path.slice(1), value]];
  if (typeof value !== "object" || value === null) throw new Error(`${path} is not a text`);
  return Object.entries(value).flatMap(([key, inner]) => texts(inner, `${path}.${key}`));
}

/** What a translation must share with the English text: the paths, and the placeholders at each. */
function outline(words: unknown): string[] {
  return texts(words)
    .map(([path, text]) => [path, ...new Set(text.match(/\{[^}]*\}/g)?.toSorted())].join(" "))
    .toSorted();
}

test.each(TRANSLATIONS)("%s has the texts and placeholders of en", (_, words) => {
  expect(outline(words)).toEqual(outline(en));
});

test("a text or a placeholder that is missing, misspelt or too many is noticed", () => {
  const { nudge: _, ...spoken } = de.spoken;
  const { call } = de;
  for (const planted of [
    { ...de, spoken },
    { ...de, call: { ...call, invitation: call.invitation.replace("{brand}", "{brend}") } },
    { ...de, call: { ...call, talk: "{brand}" } },
    { ...de, call: { ...call, hello: "Hallo" } },
  ]) {
    expect(outline(planted)).not.toEqual(outline(en));
  }
});

test.each(Object.entries(BUILT_IN))(
  "%s names its language and leaves nothing empty",
  (code, words) => {
    expect(words.language).toBe(code);
    expect(schemas.Words.parse(words)).toEqual(words);
    expect(texts(words).filter(([, text]) => text.trim() !== text || text === "")).toEqual([]);
  },
);

test.each(Object.entries(BUILT_IN))("in %s nothing behind the greeting asks", (_, { spoken }) => {
  const { greeting: _greeting, ...rest } = spoken;
  expect(Object.values(rest).join(" ")).not.toMatch(/[?؟？]/);
});

// V6
test.each(Object.entries(BUILT_IN))(
  "in %s who can talk after all is told to press the button that is there",
  (_, { call: { talk }, microphone: { problems, allowed } }) => {
    const told = Object.entries(problems).filter(([, { text }]) => text.includes(talk));
    const names = Object.keys(problems).filter((name) => name !== "insecure" && name !== "policy");
    expect(told.map(([name]) => name)).toEqual(names);
    expect(allowed.text).toContain(talk);
    const own = Object.values(problems).map(({ text }) => text);
    expect(new Set(own).size).toBe(own.length);
  },
);
