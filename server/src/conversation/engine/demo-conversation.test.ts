import { setTimeout as delay } from "node:timers/promises";
import { fillWords, wordsOf } from "#language";
import { ModelAway, ModelRefused } from "#models";
import { describe, expect, it } from "vitest";
import { agentUnderTest } from "../state/agent-under-test.ts";
import {
  conversationUnderTest,
  fails,
  hangsAfter,
  says,
  searches,
} from "./conversation-under-test.ts";

const { spoken } = wordsOf([], "en");
const GREETING = fillWords(spoken.greeting, { name: "Linden", brand: "Svc" });

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
    const dialogue = log.told.filter(
      ([kind, what]) => ["turn", "partial", "state"].includes(kind) && typeof what === "string",
    );
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

  it("asks with the same instructions first and the state last, which nobody keeps", async () => {
    const { conversation, requests } = await conversationUnderTest([], {
      metadata: { plan: "trial", timeline: "May" },
      leftMs: 600_000,
    });
    await conversation.begin();
    await conversation.hear("Hello");
    await conversation.hear("Good");
    const [first, second] = requests.map(({ messages }) => messages);
    expect(first?.[0]).toEqual(second?.[0]);
    expect(second?.map(({ role }) => role).join(" ")).toBe(
      "system user assistant user assistant user",
    );
    const told = second?.map(({ content }) => content).join("\n") ?? "";
    expect(told.match(/\[state [\da-f]{6}\]/g)).toHaveLength(1);
    const [, state = "{}"] = /\[state [\da-f]{6}\]\n(.*)\n\[\/state [\da-f]{6}\]$/.exec(told) ?? [];
    expect(JSON.parse(state)).toMatchObject({
      date: new Date().toISOString().slice(0, 10),
      language: "en",
      mode: "text",
      words: 90,
      minutes_left: 9,
      open: ["use_case", "monthly_visitors"],
      answered: { timeline: "May" },
      page: { plan: "trial", timeline: "May" },
    });
  });

  it("tells the operator the state, what was directed, and how long it took", async () => {
    const { conversation, log } = await conversationUnderTest([
      says("⟦got use_case: our pumps⟧⟦show nothing⟧Here it is."),
    ]);
    await conversation.hear("We want to explain our pumps.");
    expect(log.of("state")).toHaveLength(3 + 1);
    expect(log.of("direction")).toEqual([
      { name: "got", value: "use_case", done: true },
      { name: "show", value: "nothing", done: false, why: "no such content" },
    ]);
    expect(log.of("reply")).toEqual([
      expect.objectContaining({ first_text_ms: expect.any(Number), steps: 1, searches: 0 }),
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
    expect(requests.at(-1)?.messages.at(-1)?.content).toContain("Take up where you stopped.");
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
    const { conversation, log } = await conversationUnderTest([says("What do you sell?")]);
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

  it("follow the visitor into another language, where their titles have a translation", async () => {
    const [snippet, results] = agentUnderTest().config.content;
    const content = [{ ...snippet!, languages: [{ code: "it", title: "Lo snippet" }] }, results!];
    const { conversation, log } = await conversationUnderTest(
      [says("Of course."), says("⟦language it⟧Certo, parliamo italiano.")],
      { agent: agentUnderTest({ content }) },
    );
    await conversation.hear("Hello");
    const replies = [snippet!.title, results!.title];
    expect(cardsOf(log).at(-1)).toMatchObject({ kind: "replies", replies });
    await conversation.hear("Possiamo parlare italiano?");
    expect(log.of("language")).toEqual(["it"]);
    expect(cardsOf(log).at(-1)).toMatchObject({ kind: "replies", replies: ["Lo snippet"] });
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
    expect(requests[1]?.messages.slice(1).map(({ role }) => role)).toEqual(["user"]);
    expect(requests[1]?.messages[1]?.content).toMatch(/^What is it\?\n\nStop\.\n\n\[state/);
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
    const { conversation, log, requests } = await conversationUnderTest([searches("a")], {
      agent,
      searchKnowledge: () => new Promise(() => {}),
    });
    void conversation.hear("Tell me.");
    await expect.poll(() => requests.length).toBe(1);
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

describe("a search", () => {
  const largeAgent = () => {
    const agent = agentUnderTest();
    agent.knowledge = [{ name: "a.md#A", text: "word ".repeat(6_000) }];
    return agent;
  };

  it("brings knowledge before the answer", async () => {
    const { conversation, log, requests } = await conversationUnderTest(
      [searches("a", "Let me look."), says("It says so.")],
      { agent: largeAgent(), searchKnowledge: async () => [{ name: "a.md#A", text: "So it is." }] },
    );
    await conversation.hear("What does it say?");
    expect(requests).toHaveLength(2);
    expect(log.lines).toEqual([
      "user: What does it say?",
      "assistant: Let me look.",
      "assistant: It says so.",
    ]);
    expect(log.of("search")).toEqual([{ sections: ["a.md#A"] }]);
  });

  // L8
  it("comes to an end when a model searches in every step", async () => {
    const loops = Array.from({ length: 20 }, () => searches("a"));
    const { conversation, log, requests } = await conversationUnderTest(loops, {
      agent: largeAgent(),
    });
    await conversation.hear("Show me.");
    expect(log.lines.at(-1)).toBe(`assistant: ${spoken.not_understood}`);
    expect(requests.length).toBeLessThanOrEqual(6);
    expect(requests.at(-1)?.toolChoice).toBe("none");
  });

  // P1
  it("that the database is away for leaves the answer to the model", async () => {
    const { conversation, log, requests } = await conversationUnderTest(
      [searches("a"), says("I cannot look it up right now.")],
      { agent: largeAgent(), searchKnowledge: () => Promise.reject(new Error("away")) },
    );
    await conversation.hear("Look it up.");
    expect(requests[1]?.messages.at(-1)?.content).toBe(
      "The knowledge cannot be searched right now.",
    );
    expect(log.lines.at(-1)).toBe("assistant: I cannot look it up right now.");
  });

  it("is refused with arguments that do not fit", async () => {
    const { conversation, log, requests } = await conversationUnderTest(
      [searches(7), says("It says nothing.")],
      { agent: largeAgent() },
    );
    await conversation.hear("Look it up.");
    expect(requests[1]?.messages.at(-1)?.content).toBe("The arguments do not fit.");
    expect(log.lines.at(-1)).toBe("assistant: It says nothing.");
  });
});

describe("every turn of the visitor's gets words", () => {
  // L2
  it("when no model is there; after three such turns the agent takes its leave", async () => {
    const away = fails(new ModelAway("answered 503"));
    const { conversation, log, requests } = await conversationUnderTest([away, away, away]);
    for (const text of ["One", "Two", "Three"]) await conversation.hear(text);
    expect(log.lines.filter((line) => line.startsWith("assistant"))).toEqual([
      `assistant: ${spoken.one_moment}`,
      `assistant: ${spoken.one_moment}`,
      `assistant: ${spoken.technical_goodbye}`,
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

  // L7
  it("when every model refuses", async () => {
    const refuses = fails(new ModelRefused("had nothing to say"));
    const { conversation, log } = await conversationUnderTest([refuses, refuses]);
    await conversation.hear("Say something bad.");
    expect(log.lines.at(-1)).toBe(`assistant: ${spoken.one_moment}`);
  });

  it("when we made a mistake, which whoever called is told of", async () => {
    const mistake = fails(new TypeError("ours"));
    const { conversation, log } = await conversationUnderTest([mistake]);
    await expect(conversation.hear("Hello")).rejects.toThrow("ours");
    expect(log.lines.at(-1)).toBe(`assistant: ${spoken.one_moment}`);
    await conversation.hear("Again");
    expect(log.lines.at(-1)).toBe("assistant: Yes.");
  });
});

describe("the email card", () => {
  const opened = async () => {
    const started = await conversationUnderTest([says("⟦email ada@example.com⟧Is this right?")]);
    await started.conversation.hear("Write to ada@example.com");
    const [card] = started.log.of("card") as [{ id: string }];
    return { ...started, card };
  };

  it("opens with what the visitor said, and is answered when it is settled", async () => {
    const { conversation, log, card, requests } = await opened();
    expect(card).toEqual({ kind: "email", id: expect.any(String), prefill: "ada@example.com" });
    const address = "ada@example.com";
    await conversation.settleCard({ cardId: card.id, action: "confirmed", address });
    expect(log.of("card")).toContain(null);
    expect(requests[1]?.messages.at(-1)?.content).toMatch(
      /The visitor confirmed ada@example\.com on the card\.[^]*"email":"confirmed"/,
    );
    expect(log.lines.at(-1)).toBe("assistant: Yes.");
  });

  it("is the same card when it is opened again", async () => {
    const { conversation, log, card } = await conversationUnderTest([
      says("⟦email⟧Please."),
      says("⟦email ada@example.com⟧Is it this one?"),
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
    const { conversation, log } = await conversationUnderTest([says("⟦email⟧Please.")]);
    await conversation.hear("Can you write to me?");
    await conversation.hear("It is ada@example.com.");
    expect(log.of("card").at(-1)).toMatchObject({ kind: "email", prefill: "ada@example.com" });
    expect(log.of("email_card")).toEqual([{ state: "open" }]);
  });

  it("opens again for an address that the visitor corrects, and not for the one they confirmed", async () => {
    const { conversation, log } = await conversationUnderTest([
      says("⟦email⟧Is this right?"),
      says("⟦email⟧Thank you."),
      says("⟦email⟧That is right."),
      says("⟦email⟧Then please correct it."),
    ]);
    const card = () =>
      log.of("card").at(-1) as { id: string; kind: string; prefill: string } | null;
    await conversation.hear("Write to aida@example.com");
    const first = card()!;
    const address = "aida@example.com";
    await conversation.settleCard({ cardId: first.id, action: "confirmed", address });
    expect(card()?.kind).not.toBe("email");
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
  const BYE = says("⟦bye⟧Thank you, and goodbye.");
  const ends = async (
    script: Parameters<typeof conversationUnderTest>[0],
    after: (started: Awaited<ReturnType<typeof conversationUnderTest>>) => void | Promise<void>,
  ): Promise<unknown[]> => {
    const started = await conversationUnderTest(script, { goodbyeMs: 150 });
    await started.conversation.hear("That is all.");
    await after(started);
    await delay(300);
    return started.log.of("ended");
  };

  it("comes a moment after a goodbye was heard", async () => {
    const { conversation, log } = await conversationUnderTest([BYE], { goodbyeMs: 100 });
    await conversation.hear("That is all, bye!");
    expect(log.of("ended")).toEqual([]);
    await expect.poll(() => log.of("ended")).toEqual(["agent_ended"]);
  });

  it("does not come when the visitor goes on, writes or uses a card", async () => {
    expect(await ends([BYE], ({ conversation }) => conversation.hear("One more thing."))).toEqual(
      [],
    );
    expect(await ends([BYE], ({ conversation }) => conversation.stirred())).toEqual([]);
    const asks = says("⟦email⟧Here is the card. ⟦bye⟧Goodbye.");
    const settled = await ends([asks], ({ conversation, log }) => {
      const [{ id: cardId }] = log.of("card") as [{ id: string }];
      return conversation.settleCard({ cardId, action: "dismissed" });
    });
    expect(settled).toEqual([]);
    expect(await ends([BYE], () => {})).toEqual(["agent_ended"]);
  });

  it("does not come with a question, whatever the model directs", async () => {
    expect(await ends([says("⟦bye⟧Goodbye. Is there anything else?")], () => {})).toEqual([]);
    expect(await ends([says("Does that help? ⟦bye⟧")], () => {})).toEqual([]);
  });

  it("does not come without a direction, whatever the visitor says", async () => {
    expect(await ends([says("Goodbye.")], () => {})).toEqual([]);
  });

  it("comes once, however many goodbyes there are, and already in the first turn", async () => {
    const again = ({ conversation }: Awaited<ReturnType<typeof conversationUnderTest>>) =>
      conversation.hear("Bye, really.");
    expect(await ends([BYE, BYE], again)).toEqual(["agent_ended"]);
  });

  it("does not come while the visitor writes an address in the time that is left", async () => {
    const writes = async ({ conversation }: Awaited<ReturnType<typeof conversationUnderTest>>) => {
      conversation.stirred();
      await conversation.hear("Write to ada@example.com");
    };
    expect(await ends([BYE, says("⟦email⟧Is that right?")], writes)).toEqual([]);
  });

  it("of the session's time comes though a card is being confirmed", async () => {
    const { conversation, log } = await conversationUnderTest([says("⟦email⟧Here is the card.")]);
    await conversation.hear("Write to ada@example.com");
    const [{ id: cardId }] = log.of("card") as [{ id: string }];
    const over = conversation.wrapUp("time");
    await conversation.settleCard({ cardId, action: "confirmed", address: "ada@example.com" });
    await over;
    expect(log.of("email_card").at(-1)).toEqual({ state: "confirmed" });
    expect(log.lines.at(-1)).toBe(`assistant: ${spoken.wrap_up_time}`);
  });

  it("does not come with an excuse", async () => {
    const away = fails(new ModelAway("answered 503"));
    expect(await ends([away], () => {})).toEqual([]);
  });

  it("does not come when the visitor cuts into the goodbye", async () => {
    const { conversation, log } = await conversationUnderTest(
      [hangsAfter("⟦bye⟧Goodbye.", "See you.")],
      { goodbyeMs: 50 },
    );
    const cut = conversation.hear("That is all, bye!");
    await expect.poll(() => log.of("partial").at(-1)).toMatch(/^Goodbye\./);
    await conversation.hear("Wait, one more question: is it signed?");
    await cut;
    await delay(150);
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
      `assistant: ${spoken.wrap_up_time}`,
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
    expect(requests[0]?.messages.slice(2).map(({ content }) => content)).toEqual([
      "Hello.",
      expect.stringMatching(/^What is it\?\n\n\[state/),
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
