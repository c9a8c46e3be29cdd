import { ModelAway, ModelRefused } from "#models";
import { describe, expect, it } from "vitest";
import { phrases } from "../phrases.ts";
import { agentUnderTest } from "../plan/agent-under-test.ts";
import {
  calls,
  conversationUnderTest,
  fails,
  hangsAfter,
  says,
} from "./conversation-under-test.ts";

const { greeting, goodbye, notUnderstood, oneMoment, technicalGoodbye, wrapUpTime } = phrases("en");
const GREETING = greeting("Linden", "Svc");

describe("a demo", () => {
  it("begins with the agent's greeting, or with one that fits every agent", async () => {
    const { conversation, log } = await conversationUnderTest();
    await conversation.begin();
    expect(log.lines).toEqual([`assistant: ${GREETING}`]);

    const agent = agentUnderTest({ languages: [{ code: "en", greeting: "Welcome!" }] });
    const own = await conversationUnderTest([], { agent });
    await own.conversation.begin();
    expect(own.log.lines).toEqual(["assistant: Welcome!"]);
  });

  it("tells turns, pieces and states in the order in which they happen", async () => {
    const { conversation, log } = await conversationUnderTest([says("It is a service.", "Yes.")]);
    await conversation.hear("What is it?");
    expect(log.lines).toEqual(["user: What is it?", "assistant: It is a service. Yes."]);
    const dialogue = log.told.filter(([kind]) => ["turn", "partial", "state"].includes(kind));
    expect(dialogue).toEqual([
      ["turn", "user"],
      ["state", "thinking"],
      ["state", "speaking"],
      ["partial", "It is a service."],
      ["partial", "It is a service. Yes."],
      ["turn", "assistant"],
      ["state", "listening"],
    ]);
    expect(new Set(log.turns.map(({ id }) => id)).size).toBe(2);
  });

  it("asks with the same instructions first and a fresh goal last, which nobody keeps", async () => {
    const { conversation, requests } = await conversationUnderTest();
    await conversation.begin();
    await conversation.hear("Hello");
    await conversation.hear("Good");
    const [first, second] = requests.map(({ messages }) => messages);
    expect(first?.[0]).toEqual(second?.[0]);
    expect(second?.map(({ role }) => role).join(" ")).toBe(
      "system assistant user assistant user system",
    );
    expect(second?.at(-1)?.content).toMatch(/^Goal of this turn:\n\{"language":"en"/);
  });

  it("says nothing that the guard holds back, and tells the operator why", async () => {
    const { conversation, log } = await conversationUnderTest([
      says("It costs 4711 euros.", "ZEBRA7731."),
    ]);
    await conversation.hear("What does it cost?");
    expect(log.lines.at(-1)).toBe(`assistant: ${phrases("en").doNotKnow}`);
    expect(log.of("held_back")).toEqual([{ why: ["ungrounded", "repeats_instructions"] }]);
  });

  it("tells the operator which knowledge an answer draws on, and how long it took", async () => {
    const answer = "The sound of the conversation is never recorded.";
    const { conversation, log } = await conversationUnderTest([says(answer)]);
    await conversation.hear("Do you record it?");
    expect(log.of("knowledge_used")).toEqual([
      { section: "privacy.md#Privacy", turn: log.turns[1]?.id },
    ]);
    expect(log.of("reply")).toEqual([
      expect.objectContaining({ first_text_ms: expect.any(Number), steps: 1, tool_calls: 0 }),
    ]);
  });
});

describe("a visitor who was away", () => {
  it("hears the turn taken up that the loss has cut", async () => {
    const { conversation, log, requests } = await conversationUnderTest([
      hangsAfter("It is a service."),
      says("As I said, it is a service."),
    ]);
    const reply = conversation.hear("What is it?");
    await expect.poll(() => log.of("partial").length).toBe(1);
    await conversation.interrupt();
    await reply;
    await conversation.pickUp();
    expect(log.lines.at(-1)).toBe("assistant: As I said, it is a service.");
    expect(requests.at(-1)?.messages.at(-1)?.content).toContain('"goal":{"kind":"pick_up"}');
  });

  it("gets the answer that is owed, and nothing where nothing is owed", async () => {
    const { conversation, log, requests } = await conversationUnderTest([
      hangsAfter(),
      says("A service."),
    ]);
    const reply = conversation.hear("What is it?");
    await expect.poll(() => requests.length).toBe(1);
    await conversation.interrupt();
    await reply;
    await conversation.pickUp();
    await conversation.pickUp();
    expect(log.lines).toEqual(["user: What is it?", "assistant: A service."]);
  });
});

describe("ready answers", () => {
  const cardsOf = ({ told }: { told: [kind: string, ...what: unknown[]][] }): unknown[] =>
    told.filter(([kind]) => kind === "card").map(([, card]) => card);

  it("offer what can be shown, after the greeting and until the visitor speaks", async () => {
    const { conversation, log } = await conversationUnderTest();
    await conversation.begin();
    const titles = agentUnderTest().config.content.map(({ title }) => title);
    expect(cardsOf(log).at(-1)).toMatchObject({ kind: "replies", replies: titles.slice(0, 3) });
    await conversation.hear("Hello, we sell tools.");
    expect(cardsOf(log).at(-1)).toBeNull();
  });

  it("are not offered in a language that their titles are not in", async () => {
    const { conversation, log } = await conversationUnderTest([], { language: "de" });
    await conversation.begin();
    expect(cardsOf(log)).toEqual([]);
  });
});

describe("a visitor who cuts in", () => {
  // V8
  it("leaves what was heard, marked as cut, before their own turn", async () => {
    const { conversation, log, requests } = await conversationUnderTest([
      hangsAfter("It is a service.", "It runs"),
    ]);
    const cut = conversation.hear("What is it?");
    await expect.poll(() => log.of("partial").length).toBe(2);
    const startedMs = performance.now();
    await conversation.hear("Stop.");
    await cut;
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    expect(log.lines).toEqual([
      "user: What is it?",
      "assistant: It is a service. It runs…",
      "user: Stop.",
      "assistant: Yes.",
    ]);
    expect(requests[1]?.messages.slice(1, -1)).toEqual([
      { role: "user", content: "What is it?" },
      { role: "assistant", content: "It is a service. It runs" },
      { role: "user", content: "Stop." },
    ]);
  });

  // V8 K2
  it("leaves no turn when nothing was heard, and no model is told of one", async () => {
    const { conversation, log, requests } = await conversationUnderTest([hangsAfter()]);
    const cut = conversation.hear("What is it?");
    await expect.poll(() => requests.length).toBe(1);
    await conversation.hear("Stop.");
    await cut;
    expect(log.lines).toEqual(["user: What is it?", "user: Stop.", "assistant: Yes."]);
    expect(requests[1]?.messages.slice(1, -1).map(({ role }) => role)).toEqual(["user", "user"]);
  });

  // V8
  it("may do so twice at once: both turns stay, the last is answered", async () => {
    const { conversation, log } = await conversationUnderTest([hangsAfter("One."), says("Good.")]);
    const first = conversation.hear("First?");
    await expect.poll(() => log.of("partial").length).toBe(1);
    await Promise.all([conversation.hear("Second?"), conversation.hear("Third?"), first]);
    expect(log.lines).toEqual([
      "user: First?",
      "assistant: One.…",
      "user: Second?",
      "user: Third?",
      "assistant: Good.",
    ]);
  });

  it("does not wait for a tool that hangs", async () => {
    const agent = agentUnderTest();
    agent.knowledge = [{ name: "a.md#A", text: "word ".repeat(6_000) }];
    const { conversation, log } = await conversationUnderTest(
      [calls("search_knowledge", { query: "a" })],
      { agent, searchKnowledge: () => new Promise(() => {}) },
    );
    void conversation.hear("Tell me.");
    await expect.poll(() => log.of("goal").length).toBe(1);
    const startedMs = performance.now();
    await conversation.hear("Never mind.");
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    expect(log.lines.at(-1)).toBe("assistant: Yes.");
  });

  // V1
  it("may be gone: what was heard stays, and nothing more is said", async () => {
    const { conversation, log } = await conversationUnderTest([hangsAfter("One.")]);
    const reply = conversation.hear("First?");
    await expect.poll(() => log.of("partial").length).toBe(1);
    await conversation.interrupt();
    await reply;
    expect(log.lines).toEqual(["user: First?", "assistant: One.…"]);
    expect(log.of("state").at(-1)).toBe("listening");
  });
});

describe("tools in a reply", () => {
  it("end the turn where they came with words", async () => {
    const { conversation, log, requests } = await conversationUnderTest([
      calls("show_content", { id: "snippet" }, "Like this."),
    ]);
    await conversation.hear("How do I install it?");
    expect(requests).toHaveLength(1);
    expect(log.of("content")).toEqual(["snippet"]);
    expect(log.lines.at(-1)).toBe("assistant: Like this.");
    await conversation.hear("Good.");
    expect(requests[1]?.messages.map(({ role }) => role).join(" ")).toBe(
      "system user assistant tool user system",
    );
  });

  it("are answered in words where they came without", async () => {
    const { conversation, log, requests } = await conversationUnderTest([
      calls("show_content", { id: "nothing" }),
      says("Here it is."),
    ]);
    await conversation.hear("Show me.");
    expect(requests[1]?.messages.at(-2)).toEqual({
      role: "tool",
      callId: "call_show_content",
      content: expect.stringMatching(/no such content/),
    });
    expect(log.lines.at(-1)).toBe("assistant: Here it is.");
  });

  it("bring knowledge before the answer", async () => {
    const agent = agentUnderTest();
    agent.knowledge = [{ name: "a.md#A", text: "word ".repeat(6_000) }];
    const { conversation, log, requests } = await conversationUnderTest(
      [calls("search_knowledge", { query: "a" }, "Let me look."), says("It says so.")],
      { agent, searchKnowledge: async () => [{ name: "a.md#A", text: "So it is." }] },
    );
    await conversation.hear("What does it say?");
    expect(requests).toHaveLength(2);
    expect(log.lines).toEqual([
      "user: What does it say?",
      "assistant: Let me look.",
      "assistant: It says so.",
    ]);
  });

  // L8
  it("are at most eight, of a thousand", async () => {
    const { conversation, log, requests } = await conversationUnderTest([
      ({ onToolCall }) => {
        for (let i = 0; i < 1_000; i += 1)
          onToolCall({ id: `c${i}`, name: "show_content", args: '{"id":"snippet"}' });
      },
    ]);
    await conversation.hear("Show me everything.");
    expect(log.of("content")).toHaveLength(8);
    expect(log.of("reply")).toEqual([
      expect.objectContaining({ tool_calls: 8, refused_calls: 992 }),
    ]);
    expect(requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", "none"]);
    expect(log.lines.at(-1)).toBe("assistant: Yes.");
  });

  // L8
  it("come to an end when a model calls one in every step", async () => {
    const loops = Array.from({ length: 20 }, () => calls("show_content", { id: "snippet" }));
    const { conversation, log, requests } = await conversationUnderTest(loops);
    await conversation.hear("Show me.");
    expect(log.lines.at(-1)).toBe(`assistant: ${notUnderstood}`);
    expect(requests.length).toBeLessThanOrEqual(6);
    expect(log.of("content").length).toBeLessThanOrEqual(8);
  });

  it.each(["", "{", "7", "[]", '{"id":7}'])("do nothing with arguments like %s", async (args) => {
    const { conversation, log } = await conversationUnderTest([
      ({ onToolCall }) => onToolCall({ id: "c", name: "show_content", args }),
    ]);
    await conversation.hear("Show me.");
    expect(log.of("content")).toEqual([]);
    expect(log.lines.at(-1)).toBe("assistant: Yes.");
  });
});

describe("every turn of the visitor's gets words", () => {
  // L7
  it("when nothing of a reply could be said: asked once more, without tools, then a phrase", async () => {
    const { conversation, log, requests } = await conversationUnderTest([
      says("ZEBRA7731."),
      says("ZEBRA7731."),
    ]);
    await conversation.hear("What is the word of the house?");
    expect(requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", "none"]);
    expect(log.lines.at(-1)).toBe(`assistant: ${notUnderstood}`);
  });

  // L2
  it("when no model is there; after three such turns the agent takes its leave", async () => {
    const away = fails(new ModelAway("answered 503"));
    const { conversation, log, requests } = await conversationUnderTest([away, away, away]);
    for (const text of ["One", "Two", "Three"]) await conversation.hear(text);
    expect(log.lines.filter((line) => line.startsWith("assistant"))).toEqual([
      `assistant: ${oneMoment}`,
      `assistant: ${oneMoment}`,
      `assistant: ${technicalGoodbye}`,
    ]);
    expect(requests).toHaveLength(3);
    expect(log.of("ended")).toEqual(["server_fault"]);
    await conversation.hear("Still there?");
    expect(log.lines.at(-1)).toBe("user: Still there?");
  });

  it("and one that is answered makes up for those before it", async () => {
    const away = fails(new ModelAway("answered 503"));
    const script = [away, away, says("Here I am."), away, away];
    const { conversation, log } = await conversationUnderTest(script);
    for (const text of ["One", "Two", "Three", "Four", "Five"]) await conversation.hear(text);
    expect(log.of("ended")).toEqual([]);
  });

  it("and what was due in a turn without a model is due again", async () => {
    const metadata = { use_case: "x", monthly_visitors: "x", timeline: "x" };
    const away = fails(new ModelAway("answered 503"));
    const { conversation, log } = await conversationUnderTest([away], { metadata });
    await conversation.hear("We sell pumps.");
    await conversation.nudge();
    await conversation.hear("Good.");
    await conversation.hear("Fine.");
    const goals = log.of("goal").map((goal) => (goal as { kind: string }).kind);
    expect(goals).toEqual(["offer_email", "offer_email", "answer"]);
  });

  it("and a goal for which a model finds no words is given up", async () => {
    const metadata = { use_case: "x", monthly_visitors: "x", timeline: "x" };
    const { conversation, log } = await conversationUnderTest(
      [says("ZEBRA7731."), says("ZEBRA7731.")],
      { metadata },
    );
    await conversation.hear("We sell pumps.");
    await conversation.hear("Good.");
    expect(log.of("goal")).toEqual([{ kind: "offer_email" }, { kind: "answer" }]);
  });

  // L7
  it("when every model refuses", async () => {
    const refuses = fails(new ModelRefused("had nothing to say"));
    const { conversation, log } = await conversationUnderTest([refuses, refuses]);
    await conversation.hear("Say something bad.");
    expect(log.lines.at(-1)).toBe(`assistant: ${oneMoment}`);
  });

  it("when we made a mistake, which whoever called is told of", async () => {
    const mistake = fails(new TypeError("ours"));
    const { conversation, log } = await conversationUnderTest([mistake, mistake]);
    await expect(conversation.hear("Hello")).rejects.toThrow("ours");
    expect(log.lines.at(-1)).toBe(`assistant: ${oneMoment}`);
    await conversation.hear("Again");
    expect(log.lines.at(-1)).toBe("assistant: Yes.");
  });
});

describe("the email card", () => {
  const opened = async () => {
    const started = await conversationUnderTest([
      calls("ask_email", { prefill: "ada@example.com" }, "Is this right?"),
    ]);
    await started.conversation.hear("Write to ada@example.com");
    const [card] = started.log.of("card") as [{ id: string }];
    return { ...started, card };
  };

  it("opens with what the visitor said, and is answered when it is settled", async () => {
    const { conversation, log, card, requests } = await opened();
    expect(card).toEqual({ kind: "email", id: expect.any(String), prefill: "ada@example.com" });
    const address = "ada@example.com";
    await conversation.settleCard({ cardId: card.id, action: "confirmed", address });
    expect(log.of("card").at(-1)).toBeNull();
    expect(requests[1]?.messages.at(-1)?.content).toContain('"email":"confirmed"');
    expect(log.lines.at(-1)).toBe("assistant: Yes.");
  });

  it("is the same card when it is opened again", async () => {
    const { conversation, log, card } = await conversationUnderTest([
      calls("ask_email", {}, "Please."),
      calls("ask_email", { prefill: "ada@example.com" }, "Is it this one?"),
    ]).then(async (started) => {
      await started.conversation.hear("Can you write to me?");
      await started.conversation.hear("It is ada@example.com");
      return { ...started, card: started.log.of("card")[0] as { id: string } };
    });
    expect(log.of("card")).toEqual([
      { kind: "email", id: card.id },
      { kind: "email", id: card.id, prefill: "ada@example.com" },
    ]);
    await conversation.settleCard({ cardId: card.id, action: "dismissed" });
    expect(log.of("email_card").at(-1)).toEqual({ state: "declined" });
  });

  it("is filled in when the visitor says an address while it is open, whatever the model does", async () => {
    const { conversation, log } = await conversationUnderTest([calls("ask_email", {}, "Please.")]);
    await conversation.hear("Can you write to me?");
    await conversation.hear("It is ada at example dot com.");
    expect(log.of("card").at(-1)).toMatchObject({ kind: "email", prefill: "ada@example.com" });
    expect(log.of("email_card")).toEqual([{ state: "open" }]);
  });

  it("opens again for an address that the visitor corrects, and not for the one they confirmed", async () => {
    const { conversation, log } = await conversationUnderTest([
      calls("ask_email", {}, "Is this right?"),
      calls("ask_email", {}, "Thank you."),
      calls("ask_email", {}, "That is right."),
      calls("ask_email", {}, "Then please correct it."),
    ]);
    const card = () =>
      log.of("card").at(-1) as { id: string; kind: string; prefill: string } | null;
    await conversation.hear("Write to aida@example.com");
    const first = card()!;
    const address = "aida@example.com";
    await conversation.settleCard({ cardId: first.id, action: "confirmed", address });
    expect(card()).toBeNull();
    await conversation.hear("You write to aida@example.com, right?");
    expect(card()?.kind).not.toBe("email");
    await conversation.hear("That was wrong, it is ada@example.com");
    expect(card()).toMatchObject({ kind: "email", prefill: "ada@example.com" });
    expect(card()!.id).not.toBe(first.id);
  });

  it("opens again in silence for an address whose domain accepts no mail", async () => {
    const { conversation, log, card, requests } = await opened();
    const doubt = { domain: "gmial.con", suggestion: "ada@gmail.com" };
    conversation.doubtEmail("ada@gmial.con", doubt);
    const again = { kind: "email", id: card.id, prefill: "ada@gmial.con", doubt };
    expect(log.of("card").at(-1)).toEqual(again);
    expect(requests).toHaveLength(1);
    await conversation.settleCard({ cardId: card.id, action: "dismissed" });
    expect(log.of("email_card").at(-1)).toEqual({ state: "kept" });
    expect(requests[1]?.messages.at(-1)?.content).toContain('"email":"confirmed","mail":"none"');
  });

  it("opens again without the doubt when the visitor says another address", async () => {
    const { conversation, log } = await opened();
    conversation.doubtEmail("ada@gmial.con", { domain: "gmial.con" });
    await conversation.hear("It is ada@gmail.com.");
    const card = log.of("card").at(-1);
    expect(card).toEqual({ kind: "email", id: expect.any(String), prefill: "ada@gmail.com" });
  });

  it("is not settled by a result for another one, nor twice", async () => {
    const { conversation, log, card, requests } = await opened();
    await conversation.settleCard({ cardId: "another", action: "dismissed" });
    expect(requests).toHaveLength(1);
    await conversation.settleCard({ cardId: card.id, action: "dismissed" });
    await conversation.settleCard({ cardId: card.id, action: "dismissed" });
    expect(requests).toHaveLength(2);
    expect(log.of("email_card")).toHaveLength(2);
  });
});

describe("the end", () => {
  it("comes after the goodbye, where a tool asked for it", async () => {
    const { conversation, log } = await conversationUnderTest([
      says("Welcome."),
      calls("end_session", {}, "Goodbye."),
    ]);
    await conversation.hear("Hello");
    await conversation.hear("That is all, bye!");
    const last = log.told.filter(([kind]) => kind === "turn" || kind === "ended").slice(-2);
    expect(last).toEqual([
      ["turn", "assistant"],
      ["ended", "agent_ended"],
    ]);
  });

  it("comes with a phrase where the model ends without a word", async () => {
    const ends = Array.from({ length: 9 }, () => calls("end_session", {}));
    const { conversation, log } = await conversationUnderTest([says("Welcome."), ...ends]);
    await conversation.hear("Hello");
    await conversation.hear("That is all, bye!");
    expect(log.lines.at(-1)).toBe(`assistant: ${goodbye}`);
    expect(log.of("ended")).toEqual(["agent_ended"]);
  });

  it("does not come with an excuse", async () => {
    const away = fails(new ModelAway("answered 503"));
    const { conversation, log } = await conversationUnderTest([says("Welcome."), away]);
    await conversation.hear("Hello");
    await conversation.hear("That is all, bye!");
    expect(log.lines.at(-1)).toBe(`assistant: ${oneMoment}`);
    expect(log.of("ended")).toEqual([]);
  });

  it("does not come when the visitor cuts into the goodbye", async () => {
    const { conversation, log } = await conversationUnderTest([
      says("Welcome."),
      async (request) => {
        await calls("end_session", {}, "Goodbye.")(request);
        await hangsAfter()(request);
      },
    ]);
    await conversation.hear("Hello");
    const cut = conversation.hear("That is all, bye!");
    await expect.poll(() => log.of("partial").at(-1)).toBe("Goodbye.");
    await conversation.hear("Wait, one more question: is it signed?");
    await cut;
    expect(log.of("ended")).toEqual([]);
    expect(log.lines.at(-1)).toBe("assistant: Yes.");
  });

  // L9
  it("is said when time is up, and then there is silence", async () => {
    const { conversation, log, requests } = await conversationUnderTest([hangsAfter("One.")]);
    const reply = conversation.hear("First?");
    await expect.poll(() => log.of("partial").length).toBe(1);
    await conversation.wrapUp("time");
    await reply;
    await conversation.hear("But…");
    expect(log.lines).toEqual([
      "user: First?",
      "assistant: One.…",
      `assistant: ${wrapUpTime}`,
      "user: But…",
    ]);
    expect(requests).toHaveLength(1);
    expect(log.of("ended")).toEqual([]);
  });

  it("leaves nothing running", async () => {
    const { conversation, log } = await conversationUnderTest([hangsAfter("One.")]);
    const reply = conversation.hear("First?");
    await expect.poll(() => log.of("partial").length).toBe(1);
    await conversation.close();
    await reply;
    expect(log.lines).toEqual(["user: First?", "assistant: One.…"]);
    const told = log.told.length;
    await conversation.hear("Anyone?");
    expect(log.told.slice(told)).toEqual([["turn", "user"]]);
  });
});

describe("a conversation that goes on in another process", () => {
  const turn = { interrupted: false, at: new Date(Date.now() + 3_600_000) };
  const greeted = { ...turn, id: "1", role: "assistant" as const, content: "Hello." };
  const asked = { ...turn, id: "2", role: "user" as const, content: "What is it?" };

  it("answers what is owed, knowing what was said", async () => {
    const { conversation, log, requests } = await conversationUnderTest([], {
      history: [greeted, asked],
    });
    await conversation.begin();
    expect(log.lines).toEqual(["assistant: Yes."]);
    expect(requests[0]?.messages.slice(1, -1)).toEqual([
      { role: "assistant", content: "Hello." },
      { role: "user", content: "What is it?" },
    ]);
  });

  it("waits where it is the visitor's turn", async () => {
    const { conversation, log, requests } = await conversationUnderTest([], { history: [greeted] });
    await conversation.begin();
    expect(log.lines).toEqual([]);
    await conversation.hear("What is it?");
    expect(requests[0]?.messages).toHaveLength(4);
  });
});

it("keeps forty conversations of one process apart", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `${"AEIOU"[at % 5]}${"bdfglmnr"[at % 8]}a`);
  const started = await Promise.all(
    names.map((name) => conversationUnderTest([says(`Hello ${name}.`), says(`Yes ${name}.`)])),
  );
  await Promise.all(
    started.map(async ({ conversation }, at) => {
      await conversation.hear(`I am ${names[at]}.`);
      await conversation.hear(`Really ${names[at]}.`);
    }),
  );
  expect(started.map(({ log }) => log.lines)).toEqual(
    names.map((name) => [
      `user: I am ${name}.`,
      `assistant: Hello ${name}.`,
      `user: Really ${name}.`,
      `assistant: Yes ${name}.`,
    ]),
  );
});
