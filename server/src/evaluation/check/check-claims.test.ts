import { describe, expect, it } from "vitest";
import type { DropReason } from "../answer.ts";
import { HONEST, withClaim } from "./check-under-test.ts";

const { team_size: team, tool } = HONEST.questions;
const need = HONEST.insights.main_need;

describe("a quote", () => {
  const insight = (claim: object): DropReason | undefined =>
    withClaim({ insights: { main_need: { ...need, ...claim } } }).why["insights.main_need"];

  it("is found whatever its case, spaces and punctuation", () => {
    expect(insight({ quote: "HONESTLY — it's…   slow" })).toBeUndefined();
    expect(insight({ quote: "Ｈｏｎｅｓｔｌｙ it’s slow" })).toBeUndefined();
    expect(insight({ quote: "on\tZENQUEUE\nsince March" })).toBeUndefined();
  });

  it("must stand in the turn that it names", () => {
    expect(insight({ turn: 6 })).toBe("not_heard");
    expect(insight({ turn: 12 })).toBe("no_such_turn");
    expect(insight({ turn: 0 })).toBe("no_such_turn");
    expect(insight({ quote: "honestly it is slow" })).toBe("not_heard");
    expect(insight({ quote: "honestly … slow" })).toBe("not_heard");
    expect(insight({ quote: "…?!" })).toBe("not_heard");
  });

  it("is of whole words", () => {
    expect(insight({ quote: "onestly it’s slow" })).toBe("not_heard");
    expect(insight({ quote: "honestly it’s slo" })).toBe("not_heard");
  });

  it("has at least three words", () => {
    expect(insight({ quote: "it’s slow" })).toBe("too_short");
    expect(insight({ quote: "slow" })).toBe("too_short");
    expect(insight({ quote: "it s — slow" })).toBe("too_short");
  });

  it("may be shorter where it is a whole question", () => {
    const asking = (quote: string): DropReason | undefined => {
      const claim = { turn: 6, quote, question: "What does it cost?", answer: null };
      return withClaim({ prospect_questions: [claim] }).why["prospect_questions[0]"];
    };
    expect(asking("it cost?")).toBe("too_short");
    expect(asking("Hold on.")).toBe("too_short");
    expect(asking("What does it cost?")).toBeUndefined();
  });

  it("is of the visitor's for what the visitor says, of the agent's for what the agent says", () => {
    expect(insight({ turn: 5, quote: "answers within two seconds" })).toBe("wrong_speaker");
    const { evaluation, why } = withClaim({
      questions: { tool: { asked: { turn: 4, quote: "honestly it’s slow" }, answered: null } },
      objections: [
        {
          ...HONEST.objections[0],
          response: { turn: 11, quote: "yes indeed let's do", text: "Let's do that." },
        },
      ],
    });
    expect(why).toEqual({
      "questions.tool.asked": "wrong_speaker",
      "objections[0].response": "wrong_speaker",
      "qualification.qualified[0]": "too_short",
      qualification: "unproven",
    });
    expect(evaluation.questions?.["tool"]).toEqual({ was_asked: false, was_answered: false });
    expect(evaluation.objections).toEqual([{ objection: "It is too expensive." }]);
  });

  it("proves nothing that was generated and never heard", () => {
    const unheard = { turn: 5, quote: "300 mailboxes and one login", text: "One login." };
    const { evaluation } = withClaim({
      prospect_questions: [{ ...HONEST.prospect_questions[0], answer: unheard }],
    });
    expect(evaluation.prospect_questions).toEqual([{ question: "What does it cost?" }]);
  });
});

describe("a short answer", () => {
  const outcome = (question: object): boolean | undefined =>
    withClaim({ questions: { team_size: question } }).evaluation.questions?.["team_size"]
      ?.was_answered;

  it("counts right after the heard question", () => {
    expect(outcome(team)).toBe(true);
    expect(outcome({ ...team, asked: null })).toBe(false);
    expect(outcome({ ...team, asked: { turn: 1, quote: "How many people have you?" } })).toBe(
      false,
    );
    expect(outcome({ ...team, asked: { turn: 3, quote: tool.asked.quote } })).toBe(false);
  });

  it("may follow a second part of the agent's turn", () => {
    const asked = { turn: 7, quote: "40 euros per seat" };
    const answered = { turn: 9, quote: "I'm afraid", answer: "they are afraid" };
    expect(outcome({ asked, answered })).toBe(true);
    expect(outcome({ asked, answered: { ...answered, turn: 11, quote: "Yes, indeed" } })).toBe(
      false,
    );
  });
});

describe("a value", () => {
  const answer = (value: string, claim: object = {}): string | undefined =>
    withClaim({
      questions: { tool: { ...tool, answered: { ...tool.answered, ...claim, answer: value } } },
    }).evaluation.questions?.["tool"]?.answer;

  it("has numbers, names and dates only from the quoted turn or the one before", () => {
    expect(answer("ZenQueue since March")).toBe("ZenQueue since March");
    expect(answer("ZenQueue since April")).toBeUndefined();
    expect(answer("ZenQueue for 25 people")).toBeUndefined();
    expect(answer("HelpHarbor")).toBeUndefined();
    expect(answer("ada.okafor@example.com")).toBeUndefined();
    const later = { turn: 6, quote: "What does it cost" };
    expect(answer("2 seconds and 300 mailboxes", later)).toBe("2 seconds and 300 mailboxes");
    expect(answer("ZenQueue", later)).toBeUndefined();
  });

  // L6
  it("has no address that nobody gave", () => {
    expect(answer("see zenqueue.example/plans")).toBeUndefined();
    expect(answer("write to ceo@zenqueue.example")).toBeUndefined();
  });
});

// L6
describe("the customer's name", () => {
  const name = (claim: object): string | undefined =>
    withClaim({ customer_name: claim }).evaluation.customer_name;

  it("comes from a turn of theirs", () => {
    expect(name({ turn: 9, quote: "I'm Ada, by the way", value: "ada" })).toBe("ada");
    expect(name({ turn: 9, quote: "I'm Ada, by the way", value: "Ada Lovelace" })).toBeUndefined();
    expect(name({ turn: 10, quote: "Is it Ada Okafor?", value: "Ada Okafor" })).toBeUndefined();
    expect(name({ turn: 9, quote: "I'm Ada", value: "Ada" })).toBeUndefined();
  });

  it("may be what they agreed to", () => {
    expect(name({ turn: 11, quote: "Yes, indeed", value: "Ada Okafor" })).toBe("Ada Okafor");
    expect(name({ turn: 11, quote: "Yes, indeed", value: "Ada Brown" })).toBeUndefined();
  });

  it("is never the agent's own", () => {
    expect(name({ turn: 2, quote: "Twenty-five", value: "Ivo" })).toBeUndefined();
  });

  it("may come from the metadata", () => {
    const quote = "Ada.Okafor@example.com";
    expect(name({ turn: 0, quote, value: "Ada Okafor" })).toBe("Ada Okafor");
    expect(name({ turn: 0, quote, value: "Ada Brown" })).toBeUndefined();
    expect(name({ turn: 0, quote: "Ada Brown", value: "Ada" })).toBeUndefined();
  });
});
