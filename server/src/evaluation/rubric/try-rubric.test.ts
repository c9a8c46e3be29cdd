import type { Evaluation } from "@svc/contract/types";
import { expect, it } from "vitest";
import { changeOf } from "./try-rubric.ts";

const evaluation = (answered: string[], insights: string[]): Evaluation => ({
  questions: Object.fromEntries(
    ["a", "b", "__proto__"].map((key) => [
      key,
      { was_asked: true, was_answered: answered.includes(key) },
    ]),
  ),
  insights: Object.fromEntries(insights.map((key) => [key, { value: "x", evidence: "x" }])),
});

it("tells keys that come and keys that go", () => {
  const change = changeOf(evaluation(["a"], ["x"]), evaluation(["b", "__proto__"], ["x", "y"]));
  expect(change).toEqual({
    qualification: { from: "not_enough_data", to: "not_enough_data" },
    answered: { gained: ["b", "__proto__"], lost: ["a"] },
    insights: { gained: ["y"], lost: [] },
  });
});

it("takes an evaluation that says little for what it is", () => {
  const change = changeOf({ qualification: { status: "qualified" } }, {});
  expect(change.qualification).toEqual({ from: "qualified", to: "not_enough_data" });
  expect(change.answered).toEqual({ gained: [], lost: [] });
});
