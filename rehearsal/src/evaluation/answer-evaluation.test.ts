import { expect, test } from "vitest";
import { evaluationAnswerer, evaluationScript } from "./answer-evaluation.ts";
import { documentUnderTest } from "./document-under-test.ts";

const [first, second] = documentUnderTest()
  .transcript.filter((turn) => turn.role === "user")
  .map((turn) => turn.heard);

test("the script with the most turns that fits is taken", () => {
  const answer = evaluationAnswerer([
    named("short.yaml", [first!]),
    named("long.yaml", [first!, second!]),
    named("other.yaml", [first!, "Something else."]),
    named("longer.yaml", [first!, second!, "One more."]),
  ]);
  expect(answer(documentUnderTest()).by).toBe("long.yaml");
  const { transcript } = documentUnderTest();
  expect(answer(documentUnderTest({ transcript: transcript.slice(0, 2) })).by).toBe("short.yaml");
  expect(answer(documentUnderTest({ transcript: transcript.slice(2) })).by).toBe("rules");
});

test("a scripted answer has the keys of the request, no more and no fewer", () => {
  const value = { turn: 2, quote: "a", value: "b" };
  const claims = { questions: { timeline: {}, gone: {} }, insights: { gone: value } };
  const answer = evaluationAnswerer([named("a.yaml", [first!], claims)]);
  const { questions, insights, qualification } = answer(documentUnderTest()).answer;
  const open = { asked: null, answered: null };
  expect(questions).toEqual({ use_case: open, timeline: open });
  expect(insights).toEqual({ current_tool: null });
  expect(qualification!.status).toBe("not_enough_data");

  const { qualification: _, ...document } = documentUnderTest();
  expect(answer(document).answer).not.toHaveProperty("qualification");
});

test("a name from metadata is known only where the request has it", () => {
  const name = { turn: 0, quote: "Ada Byron", value: "Ada Byron" };
  const answer = evaluationAnswerer([named("a.yaml", [first!], { customer_name: name })]);
  const nameWith = (metadata: Record<string, string>) =>
    answer(documentUnderTest({ metadata })).answer.customer_name;
  expect(nameWith({ name: "Ada Byron" })).toEqual(name);
  expect(nameWith({ plan: "trial" })).toBeNull();
});

test("two scripts for the same turns are a mistake", () => {
  const scripts = [named("a.yaml", ["Hi"]), named("b.yaml", [" Hi "])];
  expect(() => evaluationAnswerer(scripts)).toThrow("b.yaml and a.yaml are for the same turns");
});

function named(name: string, turns: string[], claims: object = {}) {
  const summaries = { conversation_summary: "a", summary: "b", prospect_summary: "c" };
  const script = {
    about: name,
    when: { user_turns: turns },
    answer: { language: "en", ...summaries, ...claims },
  };
  return { name, script: evaluationScript.parse(script) };
}
