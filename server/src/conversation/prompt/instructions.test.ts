import { plainConfig } from "#agents";
import { expect, test } from "vitest";
import { agentUnderTest } from "../plan/agent-under-test.ts";
import { DemoPlan } from "../plan/demo-plan.ts";
import { RULES, buildInstructions, goalMessage } from "./instructions.ts";

test("what an agent is, knows, shows and asks stands under its own headings", () => {
  const agent = agentUnderTest();
  const text = buildInstructions(agent, "de");
  expect(text.startsWith(`${RULES}\n\n# Agent\n`)).toBe(true);
  expect(text.match(/^# .*/gm)).toEqual([
    "# Agent",
    "# Persona",
    "# Instructions",
    "# Content",
    "# Questions",
    "# Knowledge",
  ]);
  expect(text).toContain('# Agent\n{"name":"Linden","brand":"Svc","language":"de"}\n');
  expect(text).toContain(
    '# Content\n{"id":"snippet","title":"The snippet","kind":"image","show_when":"The visitor',
  );
  expect(text).toContain(
    '{"key":"timeline","text":"When would you like to have it running?"}\n\n# Knowledge\n## privacy.md#Privacy\nThe sound',
  );
});

test("what is not configured has no heading", () => {
  const text = buildInstructions({ config: plainConfig("Ada"), knowledge: [] }, "en");
  expect(text.match(/^# .*/gm)).toEqual(["# Agent"]);
});

test("large knowledge is searched, not told", () => {
  const { config } = agentUnderTest();
  const knowledge = [{ name: "a.md", text: "word ".repeat(5_000) }];
  expect(buildInstructions({ config, knowledge }, "en")).toMatch(
    /# Knowledge\nUse search_knowledge\.$/,
  );
});

test("the goal comes as one line of JSON with where the demo stands", () => {
  const plan = new DemoPlan(agentUnderTest(), { timeline: "May" });
  plan.heardVisitor({ id: "a", content: "What is it?" });
  const [opening, json = "", ...rest] = goalMessage(plan.nextGoal(), plan, "fr").split("\n");
  expect([opening, rest]).toEqual(["Goal of this turn:", []]);
  expect(JSON.parse(json)).toEqual({
    language: "fr",
    most_words: 45,
    goal: { kind: "answer" },
    visitor: "question",
    asked: [],
    answered: ["timeline"],
    shown: [],
    email: "unknown",
    mail: "none",
  });
});
