import type { Evaluation } from "@svc/contract/types";
import { describe, expect, it } from "vitest";
import { checkAnswer } from "../check-answer.ts";
import { readAnswer } from "../read-answer.ts";
import { statusOf } from "./check-qualification.ts";
import { CONVERSATION, HONEST, published, RUBRIC, withClaim } from "./check-under-test.ts";

const { qualified, disqualified } = HONEST.qualification.items;

/** Published when the judge says this of the criteria. */
function judged(items: object, more: object = {}): Evaluation["qualification"] {
  const qualification = {
    ...HONEST.qualification,
    items: { qualified, disqualified, ...items },
    ...more,
  };
  return withClaim({ qualification }).evaluation.qualification;
}

describe("the qualification", () => {
  const undecided = { status: "not_enough_data" };

  it("is computed from the criteria that are met", () => {
    expect(judged({})?.status).toBe("qualified");
    expect(judged({ disqualified: qualified })?.status).toBe("disqualified");
    const unmet = { ...qualified, verdict: "unmet" };
    expect(judged({ qualified: unmet })?.status).toBe("not_enough_data");
    expect(judged({ qualified: disqualified, disqualified: qualified })?.status).toBe(
      "disqualified",
    );
  });

  it("needs all criteria that qualify, and one that rules out", () => {
    const item = (side: "qualified" | "disqualified", isMet: boolean) => ({ side, isMet });
    expect(statusOf([item("qualified", true), item("qualified", true)])).toBe("qualified");
    expect(statusOf([item("qualified", true), item("qualified", false)])).toBe("not_enough_data");
    expect(statusOf([item("qualified", true), item("disqualified", true)])).toBe("disqualified");
    expect(statusOf([item("disqualified", false), item("disqualified", true)])).toBe(
      "disqualified",
    );
    expect(statusOf([item("disqualified", false)])).toBe("not_enough_data");
    expect(statusOf([])).toBe("not_enough_data");
  });

  it("needs reasons, and every one of them proven", () => {
    expect(judged({ qualified: { ...qualified, because: [] } })).toEqual(undecided);
    const invented = { turn: 4, quote: "we have a large budget" };
    const because = [...qualified.because, invented];
    expect(judged({ qualified: { ...qualified, because } })).toEqual(undecided);
    const agents = [{ turn: 10, quote: "Then start with ten seats" }];
    expect(judged({ qualified: { ...qualified, because: agents } })).toEqual(undecided);
  });

  // S7, S8
  it("stands only on what the conversation shows", () => {
    const read = readAnswer(JSON.stringify(HONEST), RUBRIC);
    if ("problems" in read) throw new Error(read.problems.join(" "));
    const { evaluation, dropped } = checkAnswer(
      read.answer,
      RUBRIC,
      CONVERSATION,
      (_, claim) => claim().kind !== "criterion",
    );
    expect(evaluation.qualification).toEqual(undecided);
    expect(dropped).toEqual([
      { where: "qualification.qualified", why: "not_shown" },
      { where: "qualification", why: "unproven" },
    ]);
  });

  it("is not voided by its prose", () => {
    expect(judged({}, { reasoning: "They are 900 people." })).toEqual({ status: "qualified" });
    expect(judged({}, { reasoning: "They are 900 people. They agreed." })).toEqual({
      status: "qualified",
      reasoning: "They agreed.",
    });
    expect(judged({}, { reasoning: "" })).toEqual({ status: "qualified" });
  });

  it("may give the criterion as its reason", () => {
    const reasoning = "They are 25, more than the ten that are asked for.";
    expect(judged({}, { reasoning })).toEqual({ status: "qualified", reasoning });
  });

  it("may say by itself that it does not know", () => {
    const reasoning = "They said little.";
    expect(judged({ qualified: disqualified }, { reasoning })).toEqual({
      status: "not_enough_data",
      reasoning,
    });
  });

  it("is never decided without criteria", () => {
    const { qualification: _, ...rubric } = RUBRIC;
    expect(published(HONEST, rubric).evaluation.qualification).toEqual(undecided);
  });
});
