import { expect, it } from "vitest";
import { loadFixtures } from "./fixture.ts";

const fixtures = await loadFixtures();

it("has five conversations in each of four languages", () => {
  const languages = Map.groupBy(fixtures, ({ name }) => name.slice(0, 2));
  expect([...languages].map(([code, of]) => [code, of.length])).toEqual([
    ["de", 5],
    ["en", 5],
    ["es", 5],
    ["fr", 5],
  ]);
});

it("shows every verdict, in conversations with criteria and without", () => {
  const verdicts = fixtures.map(({ expected }) => expected.qualification);
  expect(new Set(verdicts)).toEqual(new Set(["qualified", "disqualified", "not_enough_data"]));
  expect(fixtures.some(({ rubric }) => rubric.qualification === undefined)).toBe(true);
});

it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
  "%s expects an outcome for every question, and no insight that is not configured",
  (_, { rubric, expected }) => {
    expect([...expected.questions.keys()]).toEqual(rubric.questions.map(({ key }) => key));
    expect([...expected.insights.keys()]).toEqual(rubric.insights.map(({ key }) => key));
  },
);

it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
  "%s is a talk of one agent that ends where somebody says something",
  (_, { rubric, conversation }) => {
    expect(rubric.languages).toContain(rubric.defaultLanguage);
    expect(conversation.turns.filter(({ role }) => role === "user").length).toBeGreaterThan(3);
    expect(conversation.turns.every(({ content }) => content.trim() === content)).toBe(true);
  },
);
