import { expect, it } from "vitest";
import { ModelAway } from "#models";
import type { LanguageModel } from "#models";
import { judgeAll } from "./judge-all.ts";
import { loadFixtures } from "./fixture.ts";
import { scoreFixtures } from "./score-fixtures.ts";

const fixtures = await loadFixtures();

const usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };

/** Claims nothing, unless what it is asked holds one of these words. */
function modelThat({ isAwayFor = [] as string[], onAsk = () => {} } = {}): LanguageModel {
  return {
    name: "silent",
    isThere: async () => true,
    ask: async ({ name, messages, schema }) => {
      if (name === "claims") return { text: allYes(schema), usage };
      onAsk();
      await new Promise((resolve) => setTimeout(resolve, 1));
      const question = messages[1]!.content;
      if (isAwayFor.some((word) => question.includes(word))) throw new ModelAway("gone");
      return { text: JSON.stringify(NOTHING), usage };
    },
  };
}

function allYes({ required }: Record<string, unknown>): string {
  return JSON.stringify(Object.fromEntries((required as string[]).map((n) => [n, "yes"])));
}

const NOTHING = {
  language: "en",
  customer_name: null,
  questions: {},
  insights: {},
  prospect_questions: [],
  objections: [],
  qualification: { items: {}, reasoning: "" },
  conversation_summary: "They talked.",
  summary: "They talked.",
  prospect_summary: "Thanks.",
};

it("asks for each conversation once, at most eight at a time, and keeps their order", async () => {
  let asked = 0;
  let maxAtOnce = 0;
  const done: number[] = [];
  const model = modelThat({
    isAwayFor: [fixtures[3]!.rubric.names[0]!],
    onAsk: () => void (maxAtOnce = Math.max(maxAtOnce, (asked += 1) - done.length)),
  });
  const judged = await judgeAll({ first: model, fallback: undefined }, fixtures, (count) =>
    done.push(count),
  );
  expect(judged.map((one) => "failure" in one)).toEqual(fixtures.map((_, index) => index === 3));
  expect([asked, maxAtOnce]).toEqual([20, 8]);
  expect(done).toEqual(fixtures.map((_, index) => index + 1));
});

// L2
it("says so when no conversation could be judged", async () => {
  const models = { first: modelThat({ isAwayFor: [""] }), fallback: undefined };
  await expect(judgeAll(models, fixtures, () => {})).rejects.toThrow("silent judged no");
  expect(await judgeAll(models, [], () => {})).toEqual([]);
});

it("scores a model that claims nothing by what it misses", async () => {
  const model = modelThat({ isAwayFor: [fixtures[0]!.rubric.names[0]!] });
  const score = await scoreFixtures({ first: model, fallback: undefined }, fixtures);
  expect(score.unjudged).toEqual([{ fixture: fixtures[0]!.name, failure: "model_away" }]);
  const shares = new Map(score.fields.map((field) => [field.field, field]));
  const wrong = score.disagreements.filter(({ field }) => field === "was_asked").length;
  const { agreed, compared } = shares.get("was_asked")!;
  expect(compared - agreed).toBe(wrong);
  expect(shares.get("language")).toMatchObject({ compared: 19 });
  expect(shares.get("qualification.status")!.agreed).toBeGreaterThan(0);
  expect(score.disagreements.every(({ fixture }) => fixture !== fixtures[0]!.name)).toBe(true);
});
