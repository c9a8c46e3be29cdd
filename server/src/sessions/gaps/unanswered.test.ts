import { expect, it } from "vitest";
import { unansweredIn } from "./unanswered.ts";
import type { TalkRecord } from "./unanswered.ts";

type Step =
  | { says: string }
  | { hears: string }
  | { kind: string; detail?: Record<string, unknown> };

/** A talk in which one thing follows the other, a second apart. */
function talkOf(...steps: Step[]): TalkRecord {
  const talk: TalkRecord = { id: "1", agentVersion: 3, language: "en", turns: [], events: [] };
  for (const [index, step] of steps.entries()) {
    const at = new Date(index * 1_000);
    if ("kind" in step) talk.events.push({ detail: {}, ...step, at });
    else if ("says" in step) talk.turns.push({ role: "assistant", content: step.says, at });
    else talk.turns.push({ role: "user", content: step.hears, at });
  }
  return talk;
}

const state = { kind: "state", detail: { language: "en" } };
const unknown = (value: string): Step => ({
  kind: "direction",
  detail: { name: "unknown", value, done: true },
});
const search = (sections: string[], queries: string[] = []): Step => ({
  kind: "search",
  detail: { sections, ...(sections.length === 0 && { queries }) },
});
const held = (code: string): Step => ({ kind: "held", detail: { code, try: 1 } });
const asked = { hears: "Nice. Does it run on a tablet?" };
const answered = { says: "It runs in every browser." };

it("is what the model notes, what is not found, what is admitted, and what is held", () => {
  const found = unansweredIn(
    talkOf(
      { says: "Hello." },
      asked,
      state,
      search([], ["tablet", "devices"]),
      unknown("running on a tablet"),
      { says: "A person will tell you." },
      { hears: "What is the fee?" },
      state,
      { says: "I don't know that." },
      { hears: "And the price?" },
      state,
      held("money"),
      { says: "A person will tell you." },
    ),
  );
  expect(found).toMatchObject([
    {
      question: "Does it run on a tablet?",
      phrasings: ["running on a tablet", "tablet", "devices"],
      reasons: ["said_unknown", "not_found"],
      at: new Date(1_000),
      agentVersion: 3,
    },
    { question: "What is the fee?", reasons: ["said_unknown"], phrasings: [] },
    { question: "And the price?", reasons: ["held"], held: ["money"] },
  ]);
});

it("is each of two questions by itself", () => {
  const hears = "Does it run on a tablet? And is there a student price?";
  const steps = [{ hears }, state, unknown("tablet"), unknown("price for students"), answered];
  expect(unansweredIn(talkOf(...steps)).map(({ question }) => question)).toEqual([
    "Does it run on a tablet?",
    "And is there a student price?",
  ]);
});

it.each<[string, Step[]]>([
  ["an answer", [asked, state, answered]],
  [
    "a search that finds something at last",
    [asked, state, search([]), search(["a.md#A"]), answered],
  ],
  [
    "a search that failed",
    [asked, state, { kind: "search", detail: { sections: [], why: "away" } }, answered],
  ],
  ["nothing found for what was told", [{ hears: "We are a clinic." }, state, search([]), answered]],
  [
    "what was held for another reason",
    [asked, state, held("asked"), held("secret"), held("human"), answered],
  ],
  ["a second try with a source", [asked, state, held("money"), answered, { kind: "sources" }]],
  ["a visitor who does not know", [{ hears: "I don't know yet. Do you?" }, state, answered]],
  [
    "a direction that was refused",
    [
      asked,
      state,
      { kind: "direction", detail: { name: "unknown", value: "x", done: false } },
      answered,
    ],
  ],
  ["a greeting", [state, { says: "I don't know you yet. What brings you here?" }]],
])("is not %s", (_, steps) => {
  expect(unansweredIn(talkOf(...steps))).toEqual([]);
});
