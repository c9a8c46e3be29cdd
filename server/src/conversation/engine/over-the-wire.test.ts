import { describe, expect, it, onTestFinished } from "vitest";
import { startRehearsedModels } from "#testing";
import type { RehearsedModels } from "#testing";
import { systemClock } from "#platform";
import { ChatModels } from "../model/chat-models.ts";
import { wordsOf } from "#language";
import { agentUnderTest } from "../state/agent-under-test.ts";
import { conversationUnderTest } from "./conversation-under-test.ts";
import type { ConversationUnderTest } from "./conversation-under-test.ts";

type Rehearsal = RehearsedModels["rehearsal"];

/** A conversation whose one model is the stand-in, over the network. */
async function rehearsed(
  ...faults: Parameters<Rehearsal["setFaults"]>[0]
): Promise<ConversationUnderTest & { rehearsal: Rehearsal }> {
  const { rehearsal } = await startRehearsedModels();
  onTestFinished(() => rehearsal.close());
  await rehearsal.setFaults(faults);
  const models = new ChatModels({
    first: {
      url: rehearsal.baseUrl,
      key: undefined,
      name: "first",
      timeoutMs: 60_000,
      price: { input: 0, output: 0 },
    },
    clock: systemClock,
    limits: { firstTokenMs: 1_500, idleMs: 1_000, wholeMs: 4_000 },
  });
  const agent = agentUnderTest();
  // Too much for the prompt, so that it is searched.
  agent.knowledge.push({ name: "more.md", text: "word ".repeat(6_000) });
  return { rehearsal, ...(await conversationUnderTest([], { models, agent })) };
}

describe("a demo with a provider that fails", () => {
  // L1 L2 L3 L7
  it.each(["rate_limit", "error_503", "reset", "stall", "empty", "refusal"] as const)(
    "goes on with a phrase, and then with the model: %s",
    async (kind) => {
      const { conversation, log, rehearsal } = await rehearsed({ kind });
      await conversation.hear("What is Svc?");
      expect(log.lines.at(-1)).toBe(`assistant: ${wordsOf([], "en").spoken.one_moment}`);
      await rehearsal.setFaults([]);
      await conversation.hear("What is Svc?");
      expect(log.turns.at(-1)).toMatchObject({ role: "assistant", interrupted: false });
      expect(log.lines.at(-1)).not.toContain(wordsOf([], "en").spoken.one_moment);
      expect(log.of("ended")).toEqual([]);
    },
  );

  // L3
  it.each(["stall_midway", "cut_midway"] as const)(
    "keeps whole sentences of an answer that breaks off: %s",
    async (kind) => {
      const { conversation, log } = await rehearsed({ kind });
      await conversation.hear("What is Svc, and how do I install it?");
      expect(log.lines).toHaveLength(2);
      expect(log.turns[1]?.content).toMatch(/[.!?]$/);
    },
  );

  // L8
  it.each(["tool_flood", "tool_loop"] as const)(
    "searches at most eight times: %s",
    async (kind) => {
      const { conversation, log } = await rehearsed({ kind });
      await conversation.hear("What is Svc?");
      expect(log.of("reply")).toEqual([
        expect.objectContaining({ searches: expect.toSatisfy((count: number) => count <= 8) }),
      ]);
      expect(log.turns.at(-1)?.role).toBe("assistant");
    },
  );
});
