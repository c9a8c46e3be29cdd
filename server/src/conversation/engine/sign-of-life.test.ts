import { setTimeout as delay } from "node:timers/promises";
import { wordsOf } from "#language";
import { ModelAway } from "#models";
import { systemClock } from "#platform";
import { describe, expect, it } from "vitest";
import { ChatModels } from "../model/chat-models.ts";
import { finish, modelUnderTest, text } from "../model/model-under-test.ts";
import { conversationUnderTest, fails, says, thinks } from "./conversation-under-test.ts";
import type { ScriptedReply } from "./conversation-under-test.ts";

const { sign_of_life: signOfLife, one_moment: oneMoment } = wordsOf([], "en").spoken;
const WAIT_MS = 100;

const THINKS_MS = 4 * WAIT_MS;

describe("while a model thinks", () => {
  it("the visitor is asked for a moment, once, and then hears the answer", async () => {
    const slow = thinks(THINKS_MS, says("⟦show snippet⟧It is a service.", "It runs on your site."));
    const { conversation, log, requests } = await conversationUnderTest([slow, says("Yes.")], {
      signOfLifeMs: WAIT_MS,
    });
    await conversation.hear("What is it?");
    expect(log.of("partial")[0]).toBe(signOfLife);
    expect(log.lines.at(-1)).toBe(
      `assistant: ${signOfLife} It is a service. It runs on your site.`,
    );
    expect(log.of("reply")).toEqual([expect.objectContaining({ sign_of_life: true })]);
    await conversation.hear("Good.");
    // A model that read the phrase as its own would begin every reply with it.
    expect(requests[1]?.messages[2]).toEqual({
      role: "assistant",
      content: "⟦show snippet⟧ It is a service. It runs on your site.",
    });
  });

  it("twelve seconds lose nothing, with the default settings of a reasoning preset", async () => {
    const { url } = await modelUnderTest([12_000, text("It is a service."), finish()]);
    const price = { input: 0, output: 0 };
    const first = { url, key: undefined, name: "m", timeoutMs: 60_000, price };
    const models = new ChatModels({
      first: { ...first, preset: "openai-reasoning" },
      fallback: first,
      clock: systemClock,
    });
    const { conversation, log } = await conversationUnderTest([], { models });
    const askedMs = systemClock.monotonicMs();
    const heard = conversation.hear("What is it?");
    await expect.poll(() => log.of("partial"), { timeout: 8_000 }).toEqual([signOfLife]);
    expect(log.states.at(-1)).toBe("thinking");
    expect(systemClock.monotonicMs() - askedMs).toBeGreaterThan(3_900);
    await heard;
    expect(log.lines).toEqual(["user: What is it?", `assistant: ${signOfLife} It is a service.`]);
    expect(log.of("model_failed")).toEqual([]);
    const twice = ["thinking", "speaking", "thinking", "speaking"];
    expect(log.states).toEqual([...twice, "listening"]);
  }, 30_000);

  it("directions wait for their own word, not for one of the phrase", async () => {
    const thought = Promise.withResolvers<void>();
    const slow: ScriptedReply = async (request) => {
      await thought.promise;
      await says("Look ⟦show snippet⟧here.")(request);
    };
    const { conversation, log } = await conversationUnderTest([slow], { signOfLifeMs: WAIT_MS });
    const heard = conversation.hear("Show me.");
    await expect.poll(() => log.of("partial")).toEqual([signOfLife]);
    expect(log.of("content")).toEqual([]);
    thought.resolve();
    await heard;
    expect(log.of("content")).toEqual(["snippet"]);
  });

  it("the phrase is no answer: where none follows, the visitor is told so", async () => {
    const { conversation, log } = await conversationUnderTest(
      [thinks(THINKS_MS, fails(new ModelAway("fell silent")))],
      { signOfLifeMs: WAIT_MS },
    );
    await conversation.hear("What is it?");
    expect(log.lines.slice(1)).toEqual([`assistant: ${signOfLife}`, `assistant: ${oneMoment}`]);
  });

  it("the phrase stays where it was heard, though the first sentence behind it is held", async () => {
    const slow = thinks(THINKS_MS, says("It costs 4711 euros."));
    const { conversation, log } = await conversationUnderTest(
      [slow, thinks(THINKS_MS, says("A person will tell you."))],
      { signOfLifeMs: WAIT_MS },
    );
    await conversation.hear("What does it cost?");
    expect(log.lines.at(-1)).toBe(`assistant: ${signOfLife} A person will tell you.`);
  });

  it("a visitor who cuts in is answered, and not asked for a moment any more", async () => {
    const { conversation, log } = await conversationUnderTest(
      [thinks(THINKS_MS, says("Late.")), says("Yes.")],
      { signOfLifeMs: WAIT_MS },
    );
    const first = conversation.hear("What is it?");
    await delay(WAIT_MS / 2);
    await conversation.hear("Never mind.");
    await first;
    await delay(WAIT_MS * 2);
    expect(log.lines).toEqual(["user: What is it?", "user: Never mind.", "assistant: Yes."]);
  });

  it("nothing is said where a model answers in time, or is none that thinks first", async () => {
    const quick = await conversationUnderTest([says("Yes.")], { signOfLifeMs: WAIT_MS });
    const plain = await conversationUnderTest([thinks(THINKS_MS, says("Yes."))]);
    for (const { conversation, log } of [quick, plain]) {
      await conversation.hear("What is it?");
      expect(log.lines.at(-1)).toBe("assistant: Yes.");
    }
  });
});
