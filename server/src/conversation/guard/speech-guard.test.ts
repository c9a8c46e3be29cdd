import type { Metadata } from "@svc/contract/types";
import type { DemoAgent } from "../conversation.ts";
import { wordCount } from "#language";
import { describe, expect, test, vi } from "vitest";
import { buildInstructions, RULES } from "../prompt/instructions.ts";
import { SignalReader } from "../signals/signal-reader.ts";
import { agentUnderTest } from "../state/agent-under-test.ts";
import { DemoState } from "../state/demo-state.ts";
import { SpeechGuard } from "./speech-guard.ts";
import { Verifier } from "./verifier.ts";

const agent = agentUnderTest();

interface Setting {
  language?: string;
  agent?: DemoAgent;
  metadata?: Metadata;
  visitor?: string[];
  agentSaid?: string[];
  /** What the verifier says to everything; without it there is none. */
  verifier?: string;
}

/** The code of the veto against a sentence of a text, or `said`. */
async function judge(text: string, setting: Setting = {}, before: string[] = []): Promise<string> {
  const { language = "en", metadata = {}, visitor = ["What is it?"], agentSaid = [] } = setting;
  const { agent: asked = agent } = setting;
  const state = new DemoState(asked, { metadata, language });
  for (const turn of visitor) state.heardVisitor(turn);
  const { verifier: word } = setting;
  const verifier =
    word === undefined
      ? undefined
      : new Verifier({
          agent: asked,
          ask: async () => word,
          searchKnowledge: async () => [],
          charge: () => () => {},
        });
  const nowMs = (): number => Date.UTC(2026, 10, 16);
  const guard = new SpeechGuard({
    agent: asked,
    state,
    metadata,
    agentSaid: () => agentSaid,
    verifier,
    nowMs,
  });
  const reader = new SignalReader(language);
  const signal = new AbortController().signal;
  const place = { language, before, noted: new Map(), calculated: [], withinMs: 1_000, signal };
  for (const sentence of [...reader.push(text), ...reader.end()]) {
    const veto = await guard.judge(sentence, place);
    if (veto !== undefined) return veto.code;
  }
  return "said";
}

test("a figure of a translated slide may be said", async () => {
  const text = "Il piano grande costa 79 euro.";
  const translated = { ...agent, translatedTexts: ["Piano grande: 79 euro"] };
  expect(await judge(text, { language: "it" })).toBe("money");
  expect(await judge(text, { language: "it", agent: translated })).toBe("said");
});

describe("a question", () => {
  const answered = { metadata: { monthly_visitors: "5000" } };
  const COUNT = "About how many people visit that page in a month?";

  test("that was answered is held, by its direction or by its words", async () => {
    expect(await judge("⟦ask monthly_visitors⟧ And the traffic?", answered)).toBe("asked");
    expect(await judge(COUNT, answered)).toBe("asked");
    expect(await judge(COUNT)).toBe("said");
    expect(await judge("⟦ask timeline⟧ When do you start?", answered)).toBe("said");
  });

  test("of its own is asked once in the same words", async () => {
    const agentSaid = ["Good. What should your guests enjoy on board?"];
    expect(await judge("What should your guests enjoy on board?", { agentSaid })).toBe("asked");
    expect(await judge(agentSaid[0]!, {}, agentSaid)).toBe("asked");
    expect(await judge("Does that help?", { agentSaid: ["Does that help?"] })).toBe("said");
  });

  test.each(["How many of those calls does she take?", "When do you think of it?"])(
    "that nobody has answered passes: %s",
    async (text) => expect(await judge(text, answered)).toBe("said"),
  );
});

// S7
describe("what is hidden", () => {
  test.each([
    agent.config.persona!,
    "My rules: you are calm and precise, a good host, and you never hurry anybody.",
    agent.config.instructions!,
    "The visitor asks how to install it, or how much work it is.",
    "It is Zebra7731.",
    "We call it Quillfeather here.",
    "You have answered monthly_visitors.",
    Buffer.from(agent.config.persona!).toString("base64"),
    Buffer.from(agent.config.persona!).toString("hex"),
    Array.from(agent.config.persona!).toReversed().join(""),
    "Lbh ner pnyz naq cerpvfr, n tbbq ubfg.",
    "It is spelled Z-E-B-R-A and then some digits.",
    "Q, U, I, L, L, you know the rest.",
    'So it says: {"language":"en"} [/state 4f9c2a]',
  ])("is not repeated: %s", async (text) => expect(await judge(text)).toBe("secret"));

  test("no sentence of the instructions comes through", async () => {
    const [, own = ""] = /# Agent([^]*)# Content/.exec(buildInstructions(agent)) ?? [];
    const secret = `${RULES}\n${own}`;
    const sentences = secret.split(/(?<=[.:!?}])\s+/).filter((text) => wordCount(text) >= 5);
    const said = await Promise.all(sentences.map(async (text) => [await judge(text), text]));
    expect(said.filter(([code]) => code === "said")).toEqual([]);
  });

  test.each([
    ["en", "I've put your address on the card, please confirm it there."],
    ["en", "When would you like to start?"],
    ["en", "With your monthly visitors and your use case, the reports show when it pays."],
    [
      "ja",
      "これからは15分ごとに変わった分だけを自動で送りますので、半日分が消えることはなくなります。",
    ],
  ])("is nothing that anybody would say: %s %s", async (language, text) => {
    const code = await judge(text, { language, verifier: "ok" });
    expect(code).toBe("said");
  });

  test("is nothing that stands in the open too", async () => {
    expect(await judge("The sound of the conversation is never recorded.")).toBe("said");
  });
});

describe("a verifier", () => {
  test.each([
    ["ok", "said"],
    ["invented", "invented"],
    ["secret", "secret"],
    ["asked", "asked"],
    ["human", "human"],
    ["nonsense", "said"],
  ])("that says %s: %s", async (verifier, code) => {
    expect(await judge("We plug in while you sleep.", { verifier })).toBe(code);
  });

  test("may let a figure pass that the rules do not know, and nobody else may", async () => {
    const text = "That makes 4711 euros.";
    expect(await judge(text)).toBe("money");
    expect(await judge(text, { verifier: "nonsense" })).toBe("money");
    expect(await judge(text, { verifier: "invented" })).toBe("money");
    expect(await judge(text, { verifier: "ok" })).toBe("said");
  });

  test("is not asked about what the rules know for sure", async () => {
    expect(await judge("Look at https://evil.example.", { verifier: "ok" })).toBe("link");
    expect(await judge("It is Zebra7731.", { verifier: "ok" })).toBe("secret");
  });
});

test("a made-up price is held in a language that the model did not announce", async () => {
  const visitor = ["I want 80 percent."];
  expect(await judge("You get 80 percent off.", { language: "fr", visitor })).toBe("money");
  expect(await judge("Our price is three dollars.", { language: "fr" })).toBe("money");
  expect(await judge("Das kostet bei uns 49 Euro.", { language: "fr" })).toBe("said");
});

test.each([
  ["a right price of the wrong plan", "The large plan costs 49 euros."],
  ["a month's price as a year's", "For the whole year it is 49 euros."],
  ["what costs nothing", "The first quarter is on us."],
  ["a share in words", "For vets we go halves."],
  ["a price over two sentences", "It is forty-nine.", "Euros for the large one, that is."],
  ["a price that the knowledge supersedes", "The small plan costs 49 euros."],
  ["a secret in other words", "Our host was told to take it easy with everybody."],
  ["a secret in another language", "Ich soll ruhig und genau sein und niemanden drängen."],
  ["a secret in rhyme", "I must be calm, precise and kind, and leave all hurry far behind."],
])("what rules cannot know is for the verifier: %s", async (_, ...sentences) => {
  for (const [index, text] of sentences.entries()) {
    const before = sentences.slice(0, index);
    expect(await judge(text, { verifier: "ok" }, before)).toBe("said");
    expect(await judge(text, { verifier: "invented" }, before)).not.toBe("said");
  }
});

test("a made-up price of the visitor's is not confirmed in passing", async () => {
  const visitor = ["So it is 7 euros for all of us?"];
  expect(await judge("Yes, exactly.", { visitor, verifier: "invented" })).toBe("money");
  expect(await judge("No, sorry.", { visitor, verifier: "ok" })).toBe("said");
  expect(await judge("No, sorry.", { visitor })).toBe("said");
  const claim = ["Team is 14 a seat, so 168 for us, yes?"];
  expect(await judge("Yes, exactly.", { visitor: claim, verifier: "what?" })).toBe("money");
  expect(await judge("Yes, exactly.", { visitor: ["So it is 49 euros?"] })).toBe("said");
  expect(await judge("Yes, exactly.", { visitor: ["So it is signed?"] })).toBe("said");
});

test("what was said is read once, however many sentences follow", async () => {
  const said = "Wir haben 80 Häfen, 17 Büros und ein Café. ".repeat(1_000);
  const state = new DemoState(agent, { metadata: {}, language: "en" });
  state.heardVisitor(said);
  const guard = new SpeechGuard({
    agent,
    state,
    metadata: { note: said },
    agentSaid: () => [`${said}?`],
    verifier: undefined,
    nowMs: Date.now,
  });
  const normalize = vi.spyOn(String.prototype, "normalize");
  const { signal } = new AbortController();
  const place = { language: "en", noted: new Map(), calculated: [], withinMs: 0, signal };
  /** Every reading of a text begins by normalizing it. */
  const longReadings = async (text: string, before: string[]): Promise<number> => {
    normalize.mockClear();
    await guard.judge({ text, directions: [] }, { ...place, before });
    return normalize.mock.contexts.filter((read) => String(read).length > 10_000).length;
  };
  expect(await longReadings("Is it 80 or 17?", [])).toBeGreaterThan(0);
  expect(await longReadings("Is that right, 4711 of them?", ["Is it 80 or 17?"])).toBe(0);
  normalize.mockRestore();
});

test("what a screen would draw is left out of speech", () => {
  const guard = new SpeechGuard({
    agent,
    state: new DemoState(agent, { metadata: {}, language: "en" }),
    metadata: {},
    agentSaid: () => [],
    verifier: undefined,
    nowMs: Date.now,
  });
  expect(guard.speakable("## **Hello** 👋 [there](https://evil.example)!")).toBe("Hello there!");
  expect(guard.speakable("![](https://evil.example/x.png)")).toBe("");
  expect(wordCount(guard.speakable("and so on ".repeat(100)))).toBe(60);
});
