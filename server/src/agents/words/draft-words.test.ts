import it from "@svc/contract/words/es.json" with { type: "json" };
import type { LanguageModel, ModelRequest } from "#models";
import { ModelAway, NO_USAGE } from "#models";
import { expect, test } from "vitest";
import { ENGLISH_TEXTS, textsIn } from "./check-words.ts";
import { draftGroups, draftWords } from "./draft-words.ts";

const SPANISH = new Map(textsIn(it));

/** A model that gives these texts, one map after the other, and the right ones at the end. */
function translator(
  ...spoilt: Record<string, unknown>[]
): LanguageModel & { asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    name: "translator",
    asked,
    isThere: async () => true,
    async ask(request) {
      const texts = JSON.parse(request.messages[1]!.content).texts as Record<string, string>;
      const right = Object.keys(texts).map((path) => [path, SPANISH.get(path)]);
      const answer = { ...Object.fromEntries(right), ...spoilt[asked.length] };
      asked.push(structuredClone({ ...request, signal: undefined }) as unknown as ModelRequest);
      return { text: `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``, usage: NO_USAGE };
    },
  };
}

const agent = { name: "Ada", brand: "Acme", persona: "Calm." };
const request = (first: LanguageModel, fallback?: LanguageModel) => ({
  models: { first, fallback },
  code: "gl",
  agent,
  texts: new Map([["call.talk", SPANISH.get("call.talk")!]]),
  signal: new AbortController().signal,
});

test("every text that is missing is asked for once, buttons before the texts that name them", () => {
  const groups = draftGroups(new Map());
  expect(groups.flat().toSorted()).toEqual([...ENGLISH_TEXTS.keys()].toSorted());
  expect(groups[0]).toContain("call.talk");
  expect(draftGroups(new Map(ENGLISH_TEXTS))).toEqual([]);
  const newer = new Map(ENGLISH_TEXTS);
  newer.delete("spoken.nudge");
  expect(draftGroups(newer)).toEqual([["spoken.nudge"]]);
});

test("the model is told whose agent it is, and asked for these keys", async () => {
  const model = translator();
  const [call = []] = draftGroups(new Map());
  const { texts, faults } = await draftWords(request(model), call);
  expect([...texts]).toEqual(call.map((path) => [path, SPANISH.get(path)]));
  expect(faults.size).toBe(0);
  const [asked] = model.asked;
  expect(JSON.parse(asked!.messages[1]!.content)).toMatchObject({
    language: "gl",
    name: "Galician",
    agent,
    talk: "Hablar",
  });
  expect(asked!.schema).toMatchObject({ required: call, additionalProperties: false });
});

const PATHS = ["spoken.greeting", "spoken.nudge", "microphone.allowed.text", "page.about"];
const SPOILT = {
  "spoken.greeting": "Hola, soy {name}.",
  "spoken.nudge": " ",
  "microphone.allowed.text": "Pulse el botón.",
  "page.about": ENGLISH_TEXTS.get("page.about"),
};

test("what does not fit is told once, each with its reason", async () => {
  const model = translator(SPOILT);
  expect((await draftWords(request(model), PATHS)).faults.size).toBe(0);
  const told = model.asked[1]!.messages.at(-1)!.content;
  expect(told).toContain("- spoken.greeting: {brand} is missing here.");
  expect(told).toContain("- spoken.nudge: There is no text here.");
  expect(told).toContain(
    '- microphone.allowed.text: This must name the button as call.talk does: "Hablar".',
  );
  expect(told).toContain("- page.about: This is still English.");
});

test("what was right the first time stays right, and what stays wrong is named", async () => {
  const model = translator({ "spoken.nudge": "" }, { ...SPOILT, "page.about": 3 });
  const { texts, faults } = await draftWords(request(model), PATHS);
  expect([...texts.keys()].toSorted()).toEqual(
    PATHS.filter((path) => path !== "spoken.nudge").toSorted(),
  );
  expect([...faults.keys()]).toEqual(["spoken.nudge"]);
  expect(model.asked).toHaveLength(2);
});

test("the fallback drafts where the first is away", async () => {
  const away: LanguageModel = {
    ...translator(),
    ask: () => Promise.reject(new ModelAway("it is away")),
  };
  expect((await draftWords(request(away, translator()), PATHS)).texts.size).toBe(PATHS.length);
});
