import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import de from "@svc/contract/words/de.json" with { type: "json" };
import { parse } from "yaml";
import { ENGLISH_TEXTS, textsIn, wordsFrom } from "./check-words.ts";
import { readWordsFile, withDrafts, wordsMistakes } from "./words-file.ts";

const GERMAN = new Map(textsIn(de).filter(([path]) => path !== "language"));
const DRAFT = withDrafts("nl", undefined, GERMAN);

function mistakesOf(text: string): string[] {
  const file = readWordsFile("nl", Buffer.from(text), "nl.yaml");
  return wordsMistakes(file, "nl.yaml").map(({ line, field, message }) =>
    [line, field, message].filter((part) => part !== undefined).join(" "),
  );
}

test("a draft has every text below its original, and waits for its reviewer", () => {
  const lines = DRAFT.split("\n");
  expect(lines.slice(0, 5)).toEqual([
    "# Our own texts in Dutch: what visitors read and hear beside your agent's words.",
    expect.stringMatching(/^# /),
    expect.stringMatching(/^# .*svc agents apply/),
    "",
    "reviewed: false",
  ]);
  const at = lines.findIndex((line) => line.startsWith("  greeting: "));
  expect(lines[at - 1]).toBe(`  # ${ENGLISH_TEXTS.get("spoken.greeting")}`);
  expect(mistakesOf(DRAFT)).toEqual([
    "1 reviewed Nobody has reviewed these texts. Read them, correct them, and write `reviewed: true`.",
  ]);
  const reviewed = DRAFT.replace("reviewed: false", "reviewed: true");
  const { words, isReviewed } = readWordsFile("nl", Buffer.from(reviewed), "nl.yaml");
  expect({ words, isReviewed }).toEqual({ words: { ...de, language: "nl" }, isReviewed: true });
  expect(words).toEqual(wordsFrom("nl", GERMAN));
});

test("what is wrong is told with its line", () => {
  const reviewed = DRAFT.replace("reviewed: false", "reviewed: true");
  const lineOf = (text: string, key: string): number =>
    text.split("\n").findIndex((line) => line.trimStart().startsWith(key)) + 1;
  const spoilt = reviewed
    .replace(/( {2}greeting: .*)\{name\}/, "$1{nmae}")
    .replace(/ {2}nudge: .*/, "  nudge: Sind Sie noch da?")
    .replace(/ {2}mute: .*/, "  mute: 3")
    .replace(/ {2}send: .*/, '  send: "  "')
    .replace("  visitor_ended:", "  visitor_endet:");
  expect(mistakesOf(spoilt)).toEqual([
    `${lineOf(spoilt, "mute:")} call.mute This is no text. Write one, in quotes.`,
    `${lineOf(spoilt, "visitor_endet:")} cards.reasons.visitor_endet This key is not known here. Did you mean \`cards.reasons.visitor_ended\`?`,
    `${lineOf(spoilt, "greeting:")} spoken.greeting {name} is missing here. Write it as it stands.`,
    `${lineOf(spoilt, "nudge:")} spoken.nudge Only the greeting may ask. Write it without a question.`,
    `${lineOf(spoilt, "send:")} cards.send There is no text here. Write some.`,
  ]);
  const renamed = reviewed.replace(/ {2}talk: .*/, "  talk: Los geht’s");
  expect(mistakesOf(renamed)).toHaveLength(7);
  expect(mistakesOf(renamed)[0]).toContain('must name the button as call.talk does: "Los geht’s"');
  expect(mistakesOf("call: [")).not.toEqual([]);
  expect(mistakesOf("call: text")).toEqual(["1 call Write keys with texts below it, indented."]);
});

test("texts of a newer release are added; what the owner wrote stays, and is reviewed again", () => {
  const old = DRAFT.replace("reviewed: false", "reviewed: true # by Ada")
    .replace(/ {2}# .*\n {2}nudge: .*\n/, "")
    .replace(/ {2}send: .*/, "  send: Ab damit # ours");
  expect(mistakesOf(old)).toEqual([
    "1 spoken.nudge is missing here. `svc agents apply` drafts what is missing.",
  ]);
  const next = withDrafts("nl", old, new Map([["spoken.nudge", "Ich bin da."]]));
  expect(next).toContain(`  # ${ENGLISH_TEXTS.get("spoken.nudge")}\n  nudge: Ich bin da.\n`);
  expect(next).toContain("  send: Ab damit # ours\n");
  expect(mistakesOf(next)).toEqual([expect.stringContaining("Nobody has reviewed")]);
});

/** The drafts that the stand-in for a model gives: whole languages, written by hand. */
test.each(["it", "ja"])("the words in %s are whole, and nothing in them is English", (code) => {
  const url = new URL(`../../../../rehearsal/scripts/words/${code}.yaml`, import.meta.url);
  const texts = new Map(textsIn(parse(readFileSync(url, "utf8"))));
  const draft = withDrafts(code, undefined, texts).replace("false", "true");
  expect(mistakesOf(draft)).toEqual([]);
  for (const [path, english] of ENGLISH_TEXTS) {
    const plain = english.replaceAll(/\{[^}]*\}/g, "").trim();
    expect(texts.get(path), path).not.toContain(plain);
  }
});
