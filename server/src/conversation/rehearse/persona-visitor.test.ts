import type { LanguageModel, ModelRequest } from "#models";
import { describe, expect, it } from "vitest";
import { PersonaVisitor } from "./persona-visitor.ts";
import { Recording } from "./recording.ts";

function modelThat(does: string, words = ""): LanguageModel & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    name: "player",
    isThere: async () => true,
    ask: async (request) => {
      requests.push(request);
      const usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };
      return { text: JSON.stringify({ does, words }), usage };
    },
  };
}

function heard(turns: ["user" | "assistant", string][]): Recording {
  const recording = new Recording();
  for (const [role, content] of turns)
    recording.turn({ id: "turn", role, content, interrupted: false, at: new Date(0) });
  return recording;
}

const persona = { wants: "A price.", knows: "ada@example.com", most_turns: 2 };

describe("a visitor whom a model plays", () => {
  it("sees the agent as the other side, and knows its part", async () => {
    const model = modelThat("says", "What does it cost?");
    const visitor = new PersonaVisitor(persona, "de", model);
    const talk = heard([
      ["assistant", "Hello."],
      ["user", "Hi."],
      ["assistant", "Yes?"],
    ]);
    expect(await visitor.next(talk)).toEqual({ says: "What does it cost?" });
    const { messages } = model.requests[0]!;
    expect(messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
      "system",
    ]);
    expect(messages[0]!.content).toContain('{"language":"de","wants":"A price."');
    expect(messages.at(-1)!.content).toContain("Open card: none.");
  });

  it("leaves when it wants to, has nothing to say, or has said enough", async () => {
    const talk = heard([["assistant", "Hello."]]);
    for (const model of [modelThat("leaves"), modelThat("says", " ")])
      expect(await new PersonaVisitor(persona, "en", model).next(talk)).toBeUndefined();
    const model = modelThat("says", "More.");
    const twice = heard([
      ["user", "One."],
      ["user", "Two."],
    ]);
    expect(await new PersonaVisitor(persona, "en", model).next(twice)).toBeUndefined();
    expect(model.requests).toEqual([]);
  });

  it("confirms an address on an open card, and says it where there is none", async () => {
    const visitor = new PersonaVisitor(persona, "en", modelThat("confirms_email", "a@b.example"));
    const talk = heard([["assistant", "Your address?"]]);
    expect(await visitor.next(talk)).toEqual({ says: "a@b.example" });
    talk.card({ kind: "email", id: "card-1" });
    expect(await visitor.next(talk)).toEqual({ confirms_email: "a@b.example" });
  });

  it("says in words of people that a model cannot do it", async () => {
    const visitor = new PersonaVisitor(persona, "en", modelThat("dances"));
    await expect(visitor.next(heard([["assistant", "Hello."]]))).rejects.toMatchObject({
      code: "conflict",
      what: "player does not play the visitor.",
    });
  });
});
