import type { ScenarioExpectations } from "@svc/contract/types";
import { describe, expect, it } from "vitest";
import { says, scenarioOf, stageUnderTest } from "./conversation-under-test.ts";
import type { Reply } from "./conversation-under-test.ts";
import { playScenario } from "./play-scenario.ts";

const opensEmailCard: Reply = (listener) => {
  listener.card({ kind: "email", id: "card-1" });
  says("Where may I write to?")(listener, "");
};
const asks =
  (key: string): Reply =>
  (listener) =>
    listener.event("question_heard", { key, turn: "turn" });
const ends: Reply = (listener) => {
  says("Goodbye.")(listener, "");
  listener.ended("agent_ended");
};

/** `expected: got` of what failed. */
async function failures(
  expectations: ScenarioExpectations,
  replies: Reply[],
  lines: Parameters<typeof scenarioOf>[0] = ["Hi", "And?"],
): Promise<string[]> {
  const stage = stageUnderTest(replies, { questions: [{ key: "size", text: "How many?" }] });
  const played = await playScenario(scenarioOf(lines, { expect: expectations }), stage);
  expect(stage.closed).toBe(1);
  return played.failures.map(({ expected, got }) => `${expected}: ${got}`);
}

describe("playing a scenario", () => {
  it("says line after line, and leaves", async () => {
    const stage = stageUnderTest([says("Yes."), says("No.")]);
    const scenario = scenarioOf(["Is it so?", "And that?"], { metadata: { plan: "pro" } });
    const { recording, failures: none, language } = await playScenario(scenario, stage);
    expect(recording.turns.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      "assistant: Hello, an AI speaks.",
      "user: Is it so?",
      "assistant: Yes.",
      "user: And that?",
      "assistant: No.",
    ]);
    expect([language, none]).toEqual(["en", []]);
    expect(stage.started[0]).toMatchObject({ language: "en", metadata: { plan: "pro" } });
  });

  it("does not start in a language that the agent does not speak", async () => {
    const stage = stageUnderTest([says("Oui.")]);
    const played = await playScenario(scenarioOf(["Bonjour"], { language: "fr" }), stage);
    expect(stage.started).toEqual([]);
    expect(played.failures).toEqual([{ expected: "an agent that speaks fr", got: "it speaks en" }]);
  });

  it("acts on a card once it is open, and says the other lines meanwhile", async () => {
    const lines = [{ confirms_email: "ada@example.com" }, "Hi", "And?", "Bye"];
    const replies = [says("Well."), opensEmailCard, says("Thank you."), says("Bye.")];
    expect(await failures({ email: "ada@example.com" }, replies, lines)).toEqual([]);
    expect(await failures({ email: "none" }, replies, lines)).toEqual([
      "the address none: ada@example.com",
    ]);
  });

  it("tells what the visitor had no occasion for", async () => {
    const lines = ["Hi", { confirms_email: "ada@example.com" }, { quick_reply: "Yes" }];
    expect(await failures({}, [says("Well.")], lines)).toEqual([
      "the visitor confirms ada@example.com on a card: no such card was open",
      'the visitor chooses "Yes": no such card was open',
    ]);
    expect(await failures({}, [ends])).toEqual(['the visitor says "And?": the agent had ended it']);
    expect(await failures({ ends: "agent" }, [ends])).toEqual([]);
    const closes = ["Hi", { dismisses_card: true } as const];
    expect(await failures({ ends: "agent" }, [ends], closes)).toEqual([
      "the visitor closes a card: no such card was open",
    ]);
  });

  it("knows the address that the page handed over", async () => {
    const metadata = { email: "ada@example.com" };
    const scenario = scenarioOf(["Hi"], { metadata, expect: { email: "none" } });
    const { failures: one } = await playScenario(scenario, stageUnderTest([says("Well.")]));
    expect(one).toEqual([{ expected: "the address none", got: "ada@example.com" }]);
  });

  it("takes nothing for an address that a session would not", async () => {
    const scenario = scenarioOf(["Hi"], { metadata: { email: "null" }, expect: { email: "none" } });
    const { failures: none } = await playScenario(scenario, stageUnderTest([says("Well.")]));
    expect(none).toEqual([]);
  });
});

describe("judging a scenario", () => {
  it("finds words and patterns in what the agent said, never in what the visitor said", async () => {
    const replies = [says("It has  365\nDays."), says("Sûrement.")];
    const lines = ["Never 30 days", "And?"];
    const met = { must_say: ["365 days", "/^it has \\d+/", "sûrement"], must_not_say: ["never"] };
    expect(await failures(met, replies, lines)).toEqual([]);
    const unmet = { must_say: ["30 days", "/days?, no/"], must_not_say: ["/\\d{3}/", "days. S"] };
    expect(await failures(unmet, replies, lines)).toEqual([
      'to hear "30 days": it was not heard',
      "to hear /days?, no/: it was not heard",
      'not to hear /\\d{3}/: it was heard: "It has 365 Days."',
    ]);
  });

  it("counts words as people do", async () => {
    const replies = [says("One two, three – four!")];
    expect(await failures({ most_words_per_turn: 4 }, replies)).toEqual([]);
    expect(await failures({ most_words_per_turn: 3 }, replies, ["Hi"])).toEqual([
      'at most 3 words in a turn: 4 words: "Hello, an AI speaks."',
      'at most 3 words in a turn: 4 words: "One two, three – four!"',
    ]);
    const long = says(Array.from({ length: 91 }, () => "word").join(" "));
    expect(await failures({}, [long], ["Hi"])).toHaveLength(1);
  });

  it("knows which questions were heard", async () => {
    const met = { questions_heard: ["size"], questions_not_heard: ["budget"] };
    expect(await failures(met, [asks("size")])).toEqual([]);
    expect(await failures({ questions_not_heard: ["size"] }, [asks("size")])).toEqual([
      "size not asked: it was asked",
    ]);
    expect(await failures({ questions_heard: ["size", "budget"] }, [says("Well.")])).toEqual([
      "size asked: none",
      "budget asked: the agent has no such thing",
    ]);
  });

  it("knows what was shown and used", async () => {
    const shows: Reply = (listener) => {
      listener.content("tour");
      listener.event("direction", { name: "show", done: true });
      listener.event("direction", { name: "email", done: false, why: "No." });
    };
    expect(await failures({ content_shown: ["tour"], tools: ["show_content"] }, [shows])).toEqual(
      [],
    );
    const prices: Reply = (listener) => {
      listener.content("booking/2");
      says("A seat is ten.")(listener, "");
    };
    const shown = (content: string, while_saying: string) => ({
      shows: [{ content, while_saying }],
    });
    for (const fine of [shown("booking", "/seats?/"), shown("booking/2", "a seat")])
      expect(await failures(fine, [prices])).toEqual([]);
    // What stays on show counts, until something else comes.
    expect(await failures(shown("booking", "By year"), [prices, says("By year.")])).toEqual([]);
    expect(await failures(shown("booking/1", "a seat"), [prices])).toEqual([
      'booking/1 on show while it says "a seat": on show was booking/2',
    ]);
    expect(await failures(shown("booking", "a desk"), [prices])).toEqual([
      'booking on show while it says "a desk": it was not heard',
    ]);
    expect(await failures({ content_shown: ["film"], tools: ["ask_email"] }, [shows])).toEqual([
      "film on show: the agent has no such thing",
      "ask_email used: only show_content",
    ]);
  });

  it("knows who ended it, and that a model which does not answer is never right", async () => {
    expect(await failures({ ends: "visitor" }, [says("Well.")])).toEqual([]);
    expect(await failures({ ends: "agent" }, [says("Well.")])).toEqual([
      "the agent ends it: the visitor ended it",
    ]);
    const isAway: Reply = (listener) => {
      listener.event("model_failed", { model: "first", why: "answered 503" });
      says("One moment, please.")(listener, "");
    };
    expect(await failures({}, [isAway, says("Well.")])).toEqual([
      "an answer of the model's to every turn: answered 503",
    ]);
    const hasFallback: Reply = (listener) => {
      listener.event("model_failed", { model: "first", why: "answered 503" });
      const usage = { inputTokens: 1, outputTokens: 1, costMicros: 0 };
      listener.charge("second", usage)(usage);
      says("Well.")(listener, "");
    };
    expect(await failures({}, [hasFallback])).toEqual([]);
  });
});
