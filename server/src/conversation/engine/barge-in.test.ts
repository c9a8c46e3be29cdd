import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { conversationUnderTest } from "./conversation-under-test.ts";
import type { ScriptedReply } from "./conversation-under-test.ts";

const SENTENCES = ["It is fine.", "It runs well.", "People like it.", "That is all."];

/** Says its sentences with pauses between them, as far as it gets. */
const talks =
  (pausesMs: number[]): ScriptedReply =>
  async ({ onSentence, signal }) => {
    for (const [index, pauseMs] of pausesMs.entries()) {
      if (pauseMs > 0) await delay(pauseMs);
      if (signal.aborted) return;
      onSentence({ text: SENTENCES[index % SENTENCES.length]!, directions: [] });
    }
  };

// V8 K2
it("holds what was heard and nothing else, wherever a visitor cuts in", async () => {
  const pause = fc.integer({ min: 0, max: 4 });
  const reply = fc.array(pause, { minLength: 1, maxLength: SENTENCES.length });
  const turn = fc.record({ reply, waitMs: fc.integer({ min: 0, max: 12 }), cuts: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 6 }), async (turns) => {
      const asked: string[] = [];
      const { conversation, log } = await conversationUnderTest([], {
        models: {
          answers: true,
          async reply(request) {
            const said = request.messages.findLast(({ role }) => role === "user")?.content ?? "";
            asked.push(said);
            const [, index] = /.*I am at (\d+)\./s.exec(said) ?? [];
            await talks(turns[Number(index)]!.reply)(request);
          },
        },
      });
      const replies: Promise<void>[] = [];
      for (const [index, { waitMs, cuts }] of turns.entries()) {
        const heard = conversation.hear(`I am at ${index}.`);
        replies.push(heard);
        await (cuts ? delay(waitMs) : heard);
      }
      await Promise.all(replies);

      const said = log.turns.filter(({ role }) => role === "user").map(({ content }) => content);
      expect(said).toEqual(turns.map((_, index) => `I am at ${index}.`));
      for (const [index, { role, content, interrupted }] of log.turns.entries()) {
        if (role === "user") continue;
        const before = log.turns[index - 1]!;
        expect(before.role).toBe("user");
        const { reply: pauses } = turns[said.indexOf(before.content)]!;
        const whole = SENTENCES.slice(0, pauses.length).join(" ");
        expect(interrupted ? whole.slice(0, content.length) : whole).toBe(content);
        expect(log.of("partial")).toContain(content);
      }
      const seen = log.of("partial").map(String);
      const kept = log.turns.map(({ content }) => content);
      expect(seen.filter((text) => !kept.some((content) => content.startsWith(text)))).toEqual([]);
      expect(log.turns.at(-1)?.role).toBe("assistant");
      expect(new Set(asked).size).toBe(asked.length);
      expect(new Set(log.turns.map(({ id }) => id)).size).toBe(log.turns.length);
    }),
    { numRuns: 40 },
  );
});
