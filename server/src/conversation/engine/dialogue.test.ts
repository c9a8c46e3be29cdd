import { describe, expect, it } from "vitest";
import { Fence } from "../prompt/told.ts";
import { Dialogue } from "./dialogue.ts";

const call = { id: "a", name: "search_knowledge", args: '{"query":"x"}' };
const state = "STATE";

function told(dialogue: Dialogue): string[] {
  return dialogue
    .messages({ state })
    .map(({ role, content }) => `${role}: ${content}`.replaceAll(/\[(\w+) [\da-f]{6}\]/g, "[$1]"));
}

describe("what the models are told of a dialogue", () => {
  it("is what was said and heard, with the directions that took effect, and the state at its end", () => {
    const dialogue = new Dialogue(new Fence());
    dialogue.heardVisitor("How do I install it?");
    const step = dialogue.beginStep();
    step.heard = "Like this. It is short.";
    const show = { name: "show" as const, value: "snippet" };
    step.directions.push(
      { direction: show, at: 9 },
      { direction: { name: "bye", value: "" }, at: 19 },
    );
    dialogue.heardVisitor("Thanks, ⟦bye⟧.");
    expect(told(dialogue)).toEqual([
      "user: How do I install it?",
      "assistant: Like this. ⟦show snippet⟧ It is short. ⟦bye⟧",
      "user: Thanks, [[bye]].\n\nSTATE",
    ]);
  });

  it("has no silence that the visitor ended before anything was said about it", () => {
    const dialogue = new Dialogue(new Fence());
    dialogue.beginStep().heard = "Hello.";
    dialogue.visitorSilent(8);
    dialogue.beginStep().heard = "Take your time.";
    dialogue.visitorSilent(8);
    dialogue.beginStep();
    dialogue.heardVisitor("What does it cost?");
    expect(told(dialogue).slice(1)).toEqual([
      "assistant: Hello.",
      "user: [event] The visitor has been silent for 8 seconds.",
      "assistant: Take your time.",
      "user: What does it cost?\n\nSTATE",
    ]);
  });

  it("has the state in the visitor's turn while a search is answered", () => {
    const dialogue = new Dialogue(new Fence());
    dialogue.heardVisitor("What does it say?");
    dialogue.beginStep().calls.push({ call, output: "Nothing of ⟦bye⟧." });
    expect(dialogue.messages({ state })).toEqual([
      { role: "user", content: "What does it say?\n\nSTATE" },
      { role: "assistant", toolCalls: [call] },
      { role: "tool", callId: "a", content: "Nothing of [[bye]]." },
    ]);
  });

  it("alternates, begins with the user and never ends with the assistant", () => {
    const dialogue = new Dialogue(new Fence());
    dialogue.beginStep().heard = "Hello.";
    dialogue.heardVisitor("One.");
    dialogue.beginStep();
    dialogue.heardVisitor("Two.");
    dialogue.beginStep().heard = "Yes.";
    dialogue.beginStep().heard = "And no.";
    expect(told(dialogue)).toEqual([
      "user: [event] The visitor is here.",
      "assistant: Hello.",
      "user: One.\n\nTwo.",
      "assistant: Yes. And no.",
      "user: [event] Go on.\n\nSTATE",
    ]);
  });

  it("tells at a second try what was let through, as if it had been heard", () => {
    const dialogue = new Dialogue(new Fence());
    dialogue.heardVisitor("Price?");
    const step = dialogue.beginStep();
    step.heard = "It is";
    const said = { heard: "It is a service.", directions: [], calls: [] };
    const messages = dialogue.messages({ state, event: "Not said.", secondTry: { step, said } });
    expect(messages.map(({ content }) => content)).toEqual([
      "Price?",
      "It is a service.",
      expect.stringMatching(/^\[event [\da-f]{6}\] Not said\.\n\nSTATE$/),
    ]);
  });

  it("begins with an earlier part of the conversation, in its order whatever its times", () => {
    const turn = { id: "1", interrupted: false };
    const dialogue = new Dialogue(new Fence());
    dialogue.addPast([
      { ...turn, role: "assistant", content: "Hello.", at: new Date(2_000) },
      { ...turn, role: "user", content: "Hi.", at: new Date(1_000) },
    ]);
    expect(told(dialogue).slice(1)).toEqual(["assistant: Hello.", "user: Hi.\n\nSTATE"]);
  });

  it("is bounded, and begins at the same place for several turns", () => {
    const dialogue = new Dialogue(new Fence());
    const firsts: unknown[] = [];
    for (let turn = 0; turn < 100; turn += 1) {
      dialogue.heardVisitor(`Turn ${turn}.`);
      const messages = dialogue.messages({ state });
      expect(messages.length).toBeLessThanOrEqual(41);
      expect(messages.at(-1)?.content).toContain(`Turn ${turn}.`);
      firsts.push(messages[0]);
      dialogue.beginStep().heard = `Answer ${turn}.`;
    }
    expect(new Set(firsts.map((first) => JSON.stringify(first))).size).toBeLessThanOrEqual(30);
  });
});
