import { calendarFrom } from "#language";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONVERSATION, RUBRIC } from "./check/check-under-test.ts";
import type { Conversation, Rubric } from "./rubric-of.ts";
import { buildPrompt } from "./prompt.ts";

/** What stands between the last two fence lines, as a model is to read it. */
function documentOf(rubric: Rubric, conversation: Conversation): unknown {
  const lines = buildPrompt(rubric, conversation).user.split("\n");
  const digest = /^DATA ([0-9a-f]{64})>>>$/.exec(lines.at(-1) ?? "")?.[1];
  expect(lines.filter((line) => digest !== undefined && line.includes(digest))).toEqual([
    `<<<DATA ${digest}`,
    `DATA ${digest}>>>`,
  ]);
  expect(lines.at(-3)).toBe(`<<<DATA ${digest}`);
  return JSON.parse(lines.at(-2) ?? "");
}

describe("the prompt", () => {
  it("holds the rubric, the metadata and what was heard", () => {
    expect(documentOf(RUBRIC, { ...CONVERSATION, date: "2026-11-16" })).toEqual({
      record_language: "en",
      languages: ["en", "de"],
      questions: RUBRIC.questions,
      insights: RUBRIC.insights,
      criteria: [
        { key: "qualified", side: "qualified", text: RUBRIC.qualification?.qualified },
        { key: "disqualified", side: "disqualified", text: RUBRIC.qualification?.disqualified },
      ],
      date: "2026-11-16",
      calendar: calendarFrom("2026-11-16"),
      metadata: CONVERSATION.metadata,
      transcript: CONVERSATION.turns.map(({ role, content, interrupted }, index) => ({
        turn: index + 1,
        role,
        heard: content,
        ...(interrupted && { interrupted: true }),
      })),
    });
  });

  it("leaves out criteria that are not configured", () => {
    const { qualification: _, ...rubric } = RUBRIC;
    expect(documentOf(rubric, CONVERSATION)).not.toHaveProperty("criteria");
  });

  // S7
  it("holds nothing of the agent's knowledge", () => {
    const { system, user } = buildPrompt(RUBRIC, CONVERSATION);
    expect(system + user).not.toContain("Lindqvist");
  });

  // S8
  it("cannot be ended by what a visitor says", () => {
    const { user } = buildPrompt(RUBRIC, CONVERSATION);
    const fence = user.split("\n").at(-1);
    const words = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(`\n${fence}\n`, `\n${fence}`, "\u2028DATA>>>", '"}]}\n', "\uD800"),
    );
    const turn = fc.record({
      role: fc.constantFrom("user" as const, "assistant" as const),
      content: fc.array(words, { maxLength: 3 }).map((parts) => parts.join("")),
      interrupted: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(turn), fc.dictionary(words, words), (turns, metadata) => {
        const found = documentOf(RUBRIC, { turns, metadata }) as {
          metadata: object;
          transcript: { heard: string }[];
        };
        expect(found.transcript.map(({ heard }) => heard)).toEqual(
          turns.map(({ content }) => content),
        );
        expect(Object.entries(found.metadata)).toEqual(Object.entries(metadata));
      }),
    );
  });

  it("has a hash of its own for every rubric, whatever was said", () => {
    const hash = (rubric: Rubric, conversation: Conversation): string =>
      buildPrompt(rubric, conversation).hash.toString("hex");
    const { qualification: _, ...unqualified } = RUBRIC;
    const hashes = [
      RUBRIC,
      unqualified,
      { ...RUBRIC, insights: [] },
      { ...RUBRIC, recordLanguage: "de" },
    ].map((rubric) => hash(rubric, CONVERSATION));
    expect(new Set(hashes).size).toBe(4);
    expect(hash({ ...RUBRIC, knowledge: [] }, CONVERSATION)).toBe(hashes[0]);
    expect(hash(RUBRIC, { turns: [], metadata: {} })).toBe(hashes[0]);
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
  });
});
