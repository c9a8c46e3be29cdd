import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { languages } from "../../words/words-of.ts";
import { scripts } from "../talk-under-test.ts";

const EXAMPLE = join(import.meta.dirname, "../../../../server/src/agents/example");
const example = [
  "agent.yaml",
  ...readdirSync(join(EXAMPLE, "knowledge")).map((name) => join("knowledge", name)),
]
  .map((file) => readFileSync(join(EXAMPLE, file), "utf8"))
  .join("\n")
  .replaceAll(/[*`]/g, "")
  .replaceAll(/\s+/g, " ");

test("every topic renders words that the example agent's knowledge still has", () => {
  const lost = scripts.topics.flatMap(({ topic: { from } }) => from ?? []);
  expect(lost.filter((from) => !example.includes(from))).toEqual([]);
  expect(lost.length).toBeGreaterThan(20);
});

test("every content that is shown and every question that is worded is the example agent's", () => {
  const shown = scripts.topics.flatMap(({ topic }) => topic.show?.id ?? []);
  expect(shown.filter((id) => !example.includes(`id: ${id}`))).toEqual([]);
  const questions = [...example.matchAll(/: (\S[^:]*\?)/g)].map((match) => match[1]!);
  expect(questions.filter((text) => scripts.wordingOf(text) !== undefined)).toHaveLength(3);
});

test("an answer leaves room for a question, in every language", () => {
  for (const { topic } of scripts.topics) {
    for (const language of languages) {
      const longest = [topic.say[language], topic.show?.say[language] ?? []]
        .map((variants) => Math.max(0, ...variants.map((text) => text.split(/\s+/).length)))
        .reduce((sum, words) => sum + words, 0);
      expect(longest, topic.say[language][0]).toBeLessThanOrEqual(38);
    }
  }
});

test("every language says everything, in several ways where it is said often", () => {
  for (const language of languages) {
    const says = scripts.says(language);
    for (const [kind, variants] of Object.entries(says)) {
      expect(variants.length, `${language} ${kind}`).toBeGreaterThanOrEqual(
        ["unknown", "noted", "invite", "hostile", "trick", "human", "model"].includes(kind) ? 3 : 1,
      );
    }
  }
});

test("only known words are filled in", () => {
  const texts = languages.flatMap((language) => Object.values(scripts.says(language)).flat());
  const gaps = texts.flatMap((text) => [...text.matchAll(/\{(\w*)\}/g)].map((match) => match[1]!));
  expect(new Set(gaps)).toEqual(new Set(["brand", "quote", "sentence", "title"]));
});
