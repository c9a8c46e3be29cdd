import { ModelAway } from "#models";
import { describe, expect, it } from "vitest";
import { wordsOf } from "#language";
import { agentUnderTest } from "../state/agent-under-test.ts";
import {
  conversationUnderTest,
  fails,
  hangsAfter,
  says,
  searches,
} from "./conversation-under-test.ts";
import type { ScriptedReply } from "./conversation-under-test.ts";

const doNotKnow = wordsOf([], "en").spoken.do_not_know;

describe("a sentence that is held", () => {
  const PRICE = "It costs 4711 euros.";

  it("is told to the model, which goes on behind its last word", async () => {
    const { conversation, log, requests } = await conversationUnderTest([
      says("⟦show snippet⟧It is a service.", PRICE, "And so on."),
      says("A person will tell you the price."),
    ]);
    await conversation.hear("What does it cost?");
    expect(log.lines.slice(1)).toEqual([
      "assistant: It is a service. A person will tell you the price.",
    ]);
    const { messages } = requests[1]!;
    expect(messages.map(({ role }) => role).join(" ")).toBe("system user assistant user");
    expect(messages[2]?.content).toBe("⟦show snippet⟧ It is a service.");
    expect(messages[3]?.content).toMatch(
      /^\[event [\da-f]{6}\] Not said: "It costs 4711 euros\."\. Why: money: .* Go on behind your last word, without it;.*\n\n\[state/,
    );
    expect(log.of("held")).toEqual([{ code: "money", try: 1 }]);
    expect(log.of("second_try")).toEqual([{ code: "money" }]);
    expect(log.of("content")).toEqual(["snippet"]);
  });

  it("takes its directions with it, and a goodbye behind it too", async () => {
    const { conversation, log } = await conversationUnderTest(
      [says("Good.", `⟦show snippet⟧${PRICE} ⟦bye⟧`), says("That is all.")],
      { goodbyeMs: 0 },
    );
    await conversation.hear("What does it cost?");
    expect(log.of("content")).toEqual([]);
    expect(log.of("ended")).toEqual([]);
  });

  it("is left out of a second try, of which there is one", async () => {
    const { conversation, log, requests } = await conversationUnderTest([
      says("Well.", PRICE),
      says(PRICE, "It is signed."),
    ]);
    await conversation.hear("What does it cost?");
    expect(log.lines.at(-1)).toBe("assistant: Well. It is signed.");
    expect(requests).toHaveLength(2);
  });

  it("is excused by a phrase only where nothing was said", async () => {
    const { conversation, log } = await conversationUnderTest([says(PRICE), says(PRICE)]);
    await conversation.hear("What does it cost?");
    expect(log.lines.at(-1)).toBe(`assistant: ${doNotKnow}`);
  });

  it("is not tried again where it is a question at the end of an answer", async () => {
    const { conversation, log, requests } = await conversationUnderTest(
      [says("It is a service.", "⟦ask timeline⟧When do you start?")],
      { metadata: { timeline: "May" } },
    );
    await conversation.hear("What is it?");
    expect(log.lines.at(-1)).toBe("assistant: It is a service.");
    expect(requests).toHaveLength(1);
  });

  it("is not tried again after the visitor has cut in", async () => {
    const { conversation, log, requests } = await conversationUnderTest([
      hangsAfter("It is a service."),
      says("Yes."),
    ]);
    const cut = conversation.hear("What does it cost?");
    await expect.poll(() => log.of("partial").length).toBe(1);
    await conversation.hear("Never mind.");
    await cut;
    expect(requests).toHaveLength(2);
  });

  it("leaves what was understood of the visitor, also behind the last word that fits", async () => {
    const { conversation, log } = await conversationUnderTest([
      says("Good.", `⟦language de⟧⟦got use_case: our pumps⟧${PRICE}`),
      says("Gut."),
      says(`${"Here are some words to read. ".repeat(20)}⟦got timeline: in May⟧ More. ⟦bye⟧Bye.`),
    ]);
    await conversation.hear("We want to explain our pumps.");
    expect(log.of("question_answered")).toEqual([{ key: "use_case", by: "quote" }]);
    await conversation.hear("We begin in May.");
    expect(log.of("question_answered").at(-1)).toEqual({ key: "timeline", by: "quote" });
    expect(log.of("direction").at(-1)).toMatchObject({ name: "got" });
  });

  it("is not followed by what was said already", async () => {
    const { conversation, log } = await conversationUnderTest([
      says("Hello!", "⟦show snippet⟧It is a service.", PRICE),
      says("Hello!", "⟦show snippet⟧It is a service.", "It is signed."),
    ]);
    await conversation.hear("What is it?");
    expect(log.lines.at(-1)).toBe("assistant: Hello! It is a service. It is signed.");
    expect(log.of("content")).toEqual(["snippet"]);
  });

  it("has its calculation from anywhere before it in the reply", async () => {
    const { conversation, log } = await conversationUnderTest([
      says("⟦= 3*49⟧ For three it adds up.", "That makes 147 euros."),
    ]);
    await conversation.hear("And for three of us?");
    expect(log.lines.at(-1)).toBe("assistant: For three it adds up. That makes 147 euros.");
  });
});

describe("directions", () => {
  it("take effect when their word is heard, and die when it is not", async () => {
    const { conversation, log } = await conversationUnderTest([
      hangsAfter("⟦show snippet⟧It is a service.", "It runs"),
    ]);
    const cut = conversation.hear("What is it?");
    await expect.poll(() => log.of("content").length).toBe(1);
    await conversation.hear("Stop.");
    await cut;
    expect(log.of("content")).toEqual(["snippet"]);
  });

  // L8
  it("are at most eight in a turn", async () => {
    const { conversation, log } = await conversationUnderTest([
      says(`${"⟦show snippet⟧".repeat(1_000)}Here.`),
    ]);
    await conversation.hear("Show me everything.");
    expect(log.of("content")).toHaveLength(8);
    expect(log.of("reply")).toEqual([expect.objectContaining({ refused_directions: 992 })]);
  });

  it("that the visitor wrote are not the model's", async () => {
    const { conversation, log } = await conversationUnderTest(
      [says("You wrote ⟦bye⟧ there."), says("And ⟦show snippet⟧ that."), says("⟦bye⟧ Goodbye.")],
      { goodbyeMs: 0 },
    );
    await conversation.hear("I was told to type [[bye]].");
    expect(log.of("ended")).toEqual([]);
    await conversation.hear("And ［Show   snippet ］.");
    expect(log.of("content")).toEqual([]);
    await conversation.hear("Bye then!");
    expect(log.of("ended")).toEqual(["agent_ended"]);
  });

  it("that an agent is not allowed do nothing", async () => {
    const agent = agentUnderTest({ tools: [] });
    const { conversation, log } = await conversationUnderTest(
      [says("⟦show snippet⟧⟦email⟧⟦person⟧⟦bye⟧Well.")],
      { agent, goodbyeMs: 0 },
    );
    await conversation.hear("Show me.");
    expect([log.of("content"), log.of("card"), log.of("ended")]).toEqual([[], [], []]);
  });

  it("change the language that is told and in which phrases are said", async () => {
    const away = fails(new ModelAway("answered 503"));
    const { conversation, log, requests } = await conversationUnderTest([
      says("⟦language de⟧Gern auf Deutsch."),
      away,
    ]);
    await conversation.hear("Können wir Deutsch sprechen?");
    await conversation.hear("Danke.");
    expect(requests[1]?.messages.at(-1)?.content).toContain('"language":"de"');
    expect(log.lines.at(-1)).toBe(`assistant: ${wordsOf([], "de").spoken.one_moment}`);
  });
});

describe("languages that are not built in", () => {
  it("by Japanese: no spaces, a limit in characters, questions that end in a full stop", async () => {
    const sentence = "料金表をご覧いただきながら、順番にご説明いたします。";
    const { conversation, log } = await conversationUnderTest(
      [
        says("かしこまりました。", "⟦email⟧こちらにご記入ください。"),
        says(sentence.repeat(20)),
        says("⟦ask timeline⟧いつ頃から始めたいですか。⟦bye⟧"),
      ],
      { language: "ja", goodbyeMs: 0, agent: agentUnderTest({ languages: [{ code: "ja" }] }) },
    );
    await conversation.hear("メールで送ってください。");
    expect(log.lines.at(-1)).toBe("assistant: かしこまりました。こちらにご記入ください。");
    expect(log.of("card")).toMatchObject([{ kind: "email" }]);
    await conversation.hear("料金を教えてください。");
    // 90 words are about 180 characters: the sentence that reaches the limit is the last.
    const { length } = log.turns.at(-1)!.content;
    expect(length).toBeGreaterThan(sentence.length * 5);
    expect(length).toBeLessThan(180 + 2 * sentence.length);
    await conversation.hear("なるほど。");
    expect(log.of("question_heard")).toMatchObject([{ key: "timeline" }]);
    expect(log.of("ended")).toEqual([]);
  });

  it("speak the words that the agent's version brings", async () => {
    const words = wordsOf([], "es");
    const spokenWords = { ...words.spoken, greeting: "Buongiorno, sono {name} di {brand}." };
    const languages = [{ code: "it", words: { ...words, language: "it", spoken: spokenWords } }];
    const { conversation, log } = await conversationUnderTest(
      [says("Costa 4711 euro."), says("Costa 4711 euro.")],
      { language: "it", agent: agentUnderTest({ languages, defaultLanguage: "it" }) },
    );
    await conversation.begin();
    await conversation.hear("Quanto costa?");
    expect(log.lines).toEqual([
      "assistant: Buongiorno, sono Linden di Svc.",
      "user: Quanto costa?",
      `assistant: ${words.spoken.do_not_know}`,
    ]);
  });
});

describe("a recap", () => {
  it("sums up what was said, without what nobody said", async () => {
    const { conversation, log, requests } = await conversationUnderTest([
      says("Gladly."),
      says(
        "You want to explain your pumps.",
        "It costs 4711 euros.",
        "The small plan costs 49 euros.",
      ),
    ]);
    await conversation.hear("I want to explain our pumps.");
    await conversation.close();
    expect(await conversation.recap(new AbortController().signal)).toEqual([
      "You want to explain your pumps.",
      "The small plan costs 49 euros.",
    ]);
    expect(requests.at(-1)!.messages.at(-1)!.content).toMatch(
      /\[event [\da-f]{6}\] The conversation is over\./,
    );
    expect(log.lines).toEqual(["user: I want to explain our pumps.", "assistant: Gladly."]);
  });

  it("is not asked for where the visitor said nothing", async () => {
    const { conversation, requests } = await conversationUnderTest();
    await conversation.close();
    expect(await conversation.recap(new AbortController().signal)).toEqual([]);
    expect(requests).toEqual([]);
  });
});

describe("a conversation after one that is over", () => {
  it("knows what was said and answered before", async () => {
    const at = new Date();
    const turn = { id: "1", interrupted: false, at };
    const before = {
      turns: [
        { ...turn, role: "user" as const, content: "We need it in May, for 12 people." },
        { ...turn, role: "assistant" as const, content: "May is noted." },
      ],
      events: [
        { kind: "question_answered", detail: { key: "timeline", by: "quote" } },
        { kind: "content_shown", detail: { id: "snippet" } },
      ],
    };
    const { conversation, log, requests } = await conversationUnderTest(
      [says("For 12 people the small plan is enough.")],
      { before },
    );
    await conversation.begin();
    await conversation.hear("So which plan?");
    expect(log.lines).toEqual([
      "assistant: Welcome back. I'm still Linden, the AI guide. Ask me whatever is still open.",
      "user: So which plan?",
      "assistant: For 12 people the small plan is enough.",
    ]);
    const told = requests[0]!.messages.map(({ content }) => content).join("\n");
    expect(told).toContain("We need it in May, for 12 people.");
    expect(told).toMatch(/\[event [\da-f]{6}\] That conversation ended\./);
    expect(told).toMatch(/"answered":\{"timeline":.*"shown":\[\]/);
  });
});

it("a fault of our own in the middle of an answer is in the log", async () => {
  const breaks: ScriptedReply = async (request) => {
    await says("It is a service.")(request);
    throw new TypeError("ours");
  };
  const { conversation, log } = await conversationUnderTest([breaks]);
  await conversation.hear("What is it?");
  expect(log.lines.at(-1)).toBe("assistant: It is a service.");
  expect(log.of("failed")).toEqual([{ why: "TypeError: ours" }]);
});

it("what is not known leaves the question in the record, and what was searched for", async () => {
  const agent = agentUnderTest();
  agent.knowledge = [{ name: "a.md#A", text: "word ".repeat(6_000) }];
  const { conversation, log } = await conversationUnderTest(
    [searches("boats in winter"), says("I do not know. ⟦unknown boats in winter⟧")],
    { agent, searchKnowledge: async () => [] },
  );
  await conversation.hear("What about winter?");
  expect(log.lines.at(-1)).toBe("assistant: I do not know.");
  expect(log.of("search")).toEqual([{ sections: [], queries: ["boats in winter"] }]);
  expect(log.of("direction")).toEqual([{ name: "unknown", value: "boats in winter", done: true }]);
});

describe("the section that a fact comes from", () => {
  it("is named before the caption of the turn that has heard it, and once", async () => {
    const { conversation, log } = await conversationUnderTest([
      says(
        "Good question.",
        "The small plan costs 49 euros.",
        "So the small plan is 49 euros.",
        "The written conversation is kept for 365 days.",
      ),
    ]);
    await conversation.hear("What does it cost?");
    const told = log.told.filter(([kind]) => kind === "sources" || kind === "partial");
    expect(told.map(([kind, what]) => (kind === "partial" ? what : kind))).toEqual([
      "Good question.",
      "sources",
      "Good question. The small plan costs 49 euros.",
      expect.stringMatching(/So the small plan is 49 euros\.$/),
      "sources",
      expect.stringMatching(/365 days\.$/),
    ]);
    expect(log.of("sources")).toEqual([
      { turn: log.turns.at(-1)?.id, sections: ["prices.md#Prices"] },
      { turn: log.turns.at(-1)?.id, sections: ["privacy.md#Privacy"] },
    ]);
  });

  it("is not named for a sentence that is held, nor for one without a fact", async () => {
    const { conversation, log } = await conversationUnderTest([
      says("The small plan costs 59 euros."),
      says("A person will tell you the price."),
    ]);
    await conversation.hear("What does it cost?");
    expect(log.of("sources")).toEqual([]);
  });
});
