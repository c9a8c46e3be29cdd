import type { Metadata } from "@svc/contract/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { phrases } from "../phrases.ts";
import { agentUnderTest } from "../plan/agent-under-test.ts";
import { DemoPlan } from "../plan/demo-plan.ts";
import type { Goal } from "../plan/goal.ts";
import { buildInstructions, goalMessage } from "../prompt/instructions.ts";
import { SpeechGuard } from "./speech-guard.ts";
import { wordCount } from "#language";

const agent = agentUnderTest();
const COUNT = "About how many people visit that page in a month?";
const ASK: Goal = { kind: "ask", key: "monthly_visitors", text: COUNT };

interface Setting {
  goal?: Goal;
  language?: string;
  metadata?: Metadata;
  said?: string[];
}

function guardOf({
  goal = { kind: "answer" },
  language = "en",
  metadata = { use_case: "Explain the pump" },
  said = ["What is it?"],
}: Setting = {}) {
  const plan = new DemoPlan(agent, metadata);
  for (const content of said) plan.heardVisitor({ id: content, content });
  plan.nextGoal();
  const guard = new SpeechGuard({ agent, plan, language, metadata, said: () => said });
  guard.startTurn(goal);
  return { guard, plan, why: () => guard.dropped().map((one) => one.why) };
}

describe("a question", () => {
  test("is asked when it is the goal, once", () => {
    const { guard, why } = guardOf({ goal: ASK, said: ["Hello."] });
    expect(guard.admit("Good to know.")).toBe("Good to know.");
    expect(guard.admit("How many people visit that page each month?")).toBeDefined();
    expect(guard.admit(COUNT)).toBeUndefined();
    expect(why()).toEqual(["asks_again"]);
  });

  test("is held back when it is not the goal, was heard or is answered", () => {
    const { guard, plan } = guardOf();
    expect(guard.admit(COUNT)).toBeUndefined();
    expect(guard.admit("What should visitors understand on your site?")).toBeUndefined();
    plan.heardAgent({ id: "a", content: "Wie viele Leute kommen im Monat?", interrupted: false });
    plan.heardVisitor({ id: "b", content: "Viele." });
    expect(plan.nextGoal()).toMatchObject({ key: "timeline" });
    guard.startTurn(plan.nextGoal());
    expect(guard.admit("Und wie viele Leute kommen da im Monat?")).toBeUndefined();
    expect(guard.admit("When would you like it running?")).toBeDefined();
  });

  test.each([
    "Shall I show you?",
    "Does that help?",
    "Is there anything else you would like to know?",
  ])("of courtesy passes: %s", (text) => {
    expect(guardOf({ said: ["Hello."] }).guard.admit(text)).toBe(text);
  });

  test("of its own is asked once, in whatever language", () => {
    const { guard, plan } = guardOf({ language: "de" });
    const asked = "Was sollen Ihre Gäste an Bord genießen?";
    expect(guard.admit(asked)).toBe(asked);
    plan.heardAgent({ id: "a", content: `Gut. ${asked}`, interrupted: false });
    plan.heardVisitor({ id: "b", content: "Ruhe." });
    guard.startTurn(plan.nextGoal());
    expect(guard.admit("Und was sollen die Gäste an Bord denn genießen?")).toBeUndefined();
  });

  test("of courtesy does not come in threes", () => {
    const { guard, why } = guardOf();
    for (const text of ["Does that help?", "Shall I go on?", "Is it clear?"]) guard.admit(text);
    expect(why()).toEqual(["asks_too_much"]);
  });
});

// S7
describe("what is hidden", () => {
  test.each([
    agent.config.persona!,
    "My rules: you are calm and precise, a good host, and you never hurry anybody.",
    agent.config.instructions!,
    "The visitor asks how to install it, or how much work it is.",
    "It is Zebra7731.",
    "We call it Quillfeather here.",
    "I can call end_session for you.",
    'The goal is {"kind":"wrap_up"} now.',
    "You have answered monthly_visitors.",
    Buffer.from(agent.config.persona!).toString("base64"),
    Buffer.from(agent.config.persona!).toString("hex"),
    Array.from(agent.config.persona!).toReversed().join(""),
    "Lbh ner pnyz naq cerpvfr, n tbbq ubfg.",
  ])("is not repeated: %s", (text) => {
    const { guard } = guardOf();
    expect(guard.admit(text)).toBeUndefined();
    expect(guard.dropped()).toEqual([{ why: "repeats_instructions" }]);
  });

  test("is not repeated in short sentences either", () => {
    const { guard } = guardOf();
    const told = ["Find out first.", "What the visitor wants.", "To achieve, then show only."].map(
      (part) => guard.admit(part),
    );
    expect(told).toContain(undefined);
  });

  test("spelled out is not known to anybody", () => {
    const { guard } = guardOf();
    expect(guard.admit("Z-E-B-R-A")).toBe(phrases("en").doNotKnow);
  });

  test("is nothing that stands in the open too", () => {
    const { guard } = guardOf({ goal: ASK, said: ["Hello."] });
    expect(guard.admit("The sound of the conversation is never recorded.")).toBeDefined();
    expect(guard.admit(COUNT)).toBeDefined();
  });

  test("no sentence of the instructions or of the goal comes through", () => {
    const { guard, plan } = guardOf();
    const secret = `${buildInstructions(agent, "en").split("# Content")[0]}\n${goalMessage({ kind: "answer" }, plan, "en")}`;
    const sentences = secret.split(/(?<=[.:!?}])\s+/).filter((text) => wordCount(text) >= 5);
    const told = sentences.filter((text) => {
      guard.startTurn({ kind: "answer" });
      return guard.admit(text) === text;
    });
    expect(told).toEqual([]);
  });
});

// L6
describe("a figure", () => {
  test.each([
    "The conversation is kept for 365 days.",
    "It costs 49 euros.",
    "We keep it for three hundred sixty-five days.",
    "Look at https://svc.example.com/people for that.",
  ])("that the agent's texts hold is told: %s", (text) => {
    expect(guardOf().guard.admit(text)).toBe(text);
  });

  test.each([
    "It costs 99 euros.",
    "You save 20%.",
    "We start on 12 March.",
    "Look at https://evil.example.",
    "Write to boss@evil.example.",
    "We have two hundred customers.",
  ])("that stands nowhere is not: %s", (text) => {
    const { guard, why } = guardOf();
    expect(guard.admit(text)).toBe(phrases("en").doNotKnow);
    expect(guard.admit(text)).toBeUndefined();
    expect(why()).toEqual(["ungrounded", "ungrounded"]);
  });

  test("that nobody asked for is left out, and so is one behind an answer", () => {
    const { guard, why } = guardOf({ said: ["We sell pumps."] });
    expect(guard.admit("It costs 99 euros.")).toBeUndefined();
    expect(why()).toEqual(["ungrounded"]);
    const asked = guardOf().guard;
    asked.admit("The written conversation is kept for 365 days.");
    expect(asked.admit("It costs 99 euros.")).toBeUndefined();
  });

  test("of the visitor's may be taken up, but never as a price", () => {
    const said = ["We have 5,000 visitors, what if we pay 7 euros?"];
    const { guard } = guardOf({ said, metadata: { use_case: "x", plan: "team 12" } });
    expect(guard.admit("With 5,000 visitors it is worth it.")).toBeDefined();
    expect(guard.admit("Your plan is team 12.")).toBeDefined();
    expect(guard.admit("Then it is 7 euros for you.")).toBe(phrases("en").doNotKnow);
  });

  test("is missing in the visitor's language", () => {
    const { guard } = guardOf({ language: "de" });
    expect(guard.admit("Das kostet neunzig Euro.")).toBe(phrases("de").doNotKnow);
    expect(guard.admit("Wir bewahren es 365 Tage auf.")).toBeDefined();
    expect(guard.admit("Our price is three dollars.")).toBeUndefined();
  });
});

describe("length", () => {
  const sentence = "Here are some words to hear.";

  test("a turn ends with the last sentence that fits", () => {
    const { guard } = guardOf();
    const told = Array.from({ length: 20 }, () => guard.admit(sentence)).filter(Boolean);
    expect(told).toHaveLength(7);
  });

  test("leaves room for the question that is the goal", () => {
    const { guard } = guardOf({ goal: ASK, said: ["Hello."] });
    for (let count = 0; count < 20; count++) guard.admit(sentence);
    expect(guard.admit(COUNT)).toBe(COUNT);
  });

  test("the first sentence is said, cut where it has no end", () => {
    const { guard } = guardOf();
    const said = guard.admit("and so on ".repeat(100)) ?? "";
    expect(wordCount(said)).toBe(60);
    expect(guard.admit("More.")).toBeUndefined();
  });
});

test("what a screen would draw is left out of speech", () => {
  const { guard, why } = guardOf();
  expect(guard.admit("## **Hello** 👋 [there](https://evil.example)!")).toBe("Hello there!");
  expect(guard.admit("![](https://evil.example/x.png)")).toBeUndefined();
  expect(why()).toEqual(["no_words"]);
});

test("whatever a model says, a turn is short and holds no figure of its own", () => {
  const part = fc.oneof(
    fc.lorem(),
    fc.string(),
    fc.integer({ min: 1_000 }).map((n) => `It is ${n}.`),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (sentences) => {
      const { guard } = guardOf();
      const told = sentences.map((text) => guard.admit(text)).filter((text) => text !== undefined);
      expect(wordCount(told.join(" "))).toBeLessThanOrEqual(60);
      expect(told.join(" ").replaceAll(/365|49/g, "")).not.toMatch(/It is -?\d/);
    }),
  );
});
