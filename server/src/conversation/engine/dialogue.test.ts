import { describe, expect, it } from "vitest";
import { Dialogue } from "./dialogue.ts";

const call = { id: "a", name: "show_content", args: '{"id":"x"}' };

describe("what the models are told of a dialogue", () => {
  it("is what was said and done, step by step, each call with its outcome", () => {
    const dialogue = new Dialogue();
    dialogue.heardVisitor("How do I install it?");
    const step = dialogue.beginStep();
    step.calls.push({ call, output: "It is on the screen." });
    step.heard = "Like this.";
    dialogue.heardVisitor("Thanks.");
    expect(dialogue.messages()).toEqual([
      { role: "user", content: "How do I install it?" },
      { role: "assistant", content: "Like this.", toolCalls: [call] },
      { role: "tool", callId: "a", content: "It is on the screen." },
      { role: "user", content: "Thanks." },
    ]);
    expect(dialogue.said()).toEqual(["How do I install it?", "Like this.", "Thanks."]);
  });

  it("has nothing of a step of which nothing was heard", () => {
    const dialogue = new Dialogue();
    dialogue.heardVisitor("Hello?");
    dialogue.beginStep();
    expect(dialogue.messages()).toEqual([{ role: "user", content: "Hello?" }]);
  });

  it("begins with an earlier part of the conversation, in its order whatever its times", () => {
    const turn = { id: "1", interrupted: false };
    const dialogue = new Dialogue([
      { ...turn, role: "assistant", content: "Hello.", at: new Date(2_000) },
      { ...turn, role: "user", content: "Hi.", at: new Date(1_000) },
    ]);
    expect(dialogue.said()).toEqual(["Hello.", "Hi."]);
  });

  it("is bounded, and begins at the same place for several turns", () => {
    const dialogue = new Dialogue();
    const firsts: unknown[] = [];
    for (let turn = 0; turn < 100; turn += 1) {
      dialogue.heardVisitor(`Turn ${turn}.`);
      const messages = dialogue.messages();
      expect(messages.length).toBeLessThanOrEqual(40);
      expect(messages.at(-1)).toEqual({ role: "user", content: `Turn ${turn}.` });
      firsts.push(messages[0]);
    }
    expect(new Set(firsts.map((first) => JSON.stringify(first))).size).toBe(7);
  });
});
