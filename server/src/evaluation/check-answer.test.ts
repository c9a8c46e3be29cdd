import { readFile } from "node:fs/promises";
import { Evaluation as EvaluationSchema } from "@svc/contract/schemas";
import type { Evaluation, Session } from "@svc/contract/types";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONVERSATION, HONEST, published, RUBRIC, withClaim } from "./check/check-under-test.ts";

const need = HONEST.insights.main_need;

describe("an honest answer", () => {
  it("is published whole", () => {
    expect(published(HONEST)).toEqual({
      summary: HONEST.conversation_summary,
      evaluation: {
        language: "en",
        customer_name: "Ada",
        qualification: { status: "qualified", reasoning: HONEST.qualification.reasoning },
        questions: {
          team_size: { was_asked: true, was_answered: true, answer: "25 people" },
          tool: { was_asked: true, was_answered: true, answer: "ZenQueue" },
          timeline: { was_asked: false, was_answered: false },
        },
        insights: {
          main_need: { value: "Faster answers", evidence: "honestly it’s slow." },
          site: { value: "an office in Gdańsk", evidence: "Our office in Gdańsk asked" },
        },
        prospect_questions: [
          { question: "What does it cost?", answer: "Tidepool costs 40 euros per seat." },
        ],
        objections: [
          { objection: "It is too expensive.", response: "They may start with 10 seats." },
        ],
        prospect_summary: HONEST.prospect_summary,
        summary: HONEST.summary,
      },
      dropped: [],
    });
  });

  it("gives the golden session again, word for word", async () => {
    const file = new URL("../../../contract/fixtures/sessions/full.json", import.meta.url);
    const session = JSON.parse(await readFile(file, "utf8")) as Required<Session>;
    const { questions, insights, prospect_questions, objections, qualification, ...texts } =
      session.evaluation as Required<Evaluation>;
    const keyed = (map: object): { key: string; text: string }[] =>
      Object.keys(map).map((key) => ({ key, text: `Tell us about ${key}.` }));
    const [routing, cost] = prospect_questions;
    const answer = {
      ...texts,
      customer_name: { turn: 0, quote: "Ada.Okafor@Example.com", value: texts.customer_name },
      questions: {
        team_size: {
          asked: null,
          answered: { turn: 2, quote: "we have 25 people", answer: questions["team_size"]?.answer },
        },
        budget: {
          asked: null,
          answered: {
            turn: 4,
            quote: "our budget is about 500",
            answer: questions["budget"]?.answer,
          },
        },
        timeline: { asked: null, answered: null },
      },
      insights: {
        main_need: {
          turn: 2,
          quote: "can it route tickets by language",
          value: insights["main_need"]?.value,
        },
      },
      prospect_questions: [
        {
          turn: 2,
          quote: "can it route tickets",
          question: routing?.question,
          answer: { turn: 3, quote: "every ticket gets a language", text: routing?.answer },
        },
        {
          turn: 4,
          quote: "what does it cost",
          question: cost?.question,
          answer: { turn: 5, quote: "it is 450 a month", text: cost?.answer },
        },
      ],
      objections: [
        {
          turn: 6,
          quote: "I worry about moving",
          objection: objections[0]?.objection,
          response: { turn: 7, quote: "the import keeps ids", text: objections[0]?.response },
        },
      ],
      qualification: {
        reasoning: qualification.reasoning,
        items: {
          [qualification.status]: {
            because: [{ turn: 2, quote: "we have 25 people" }],
            verdict: "met",
          },
        },
      },
      conversation_summary: session.summary,
    };
    const { summary, evaluation, dropped } = published(
      answer,
      { ...RUBRIC, questions: keyed(questions), insights: keyed(insights), knowledge: [] },
      {
        metadata: session.metadata,
        turns: session.transcript.map((turn) => ({ interrupted: false, ...turn })),
      },
    );
    expect(dropped).toEqual([]);
    expect(summary).toBe(session.summary);
    expect(evaluation).toEqual(session.evaluation);
  });
});

describe("the language", () => {
  it.each([
    ["de", "de"],
    ["DE-at", "de"],
    ["fr", "en"],
    [null, "en"],
    [7, "en"],
    ["__proto__", "en"],
  ])("%j is published as %s", (language, code) => {
    expect(withClaim({ language }).evaluation.language).toBe(code);
  });
});

// L5
it("publishes every configured question, and no key that is not configured", () => {
  const { evaluation } = withClaim({
    questions: { mood: { asked: null, answered: null }, constructor: null },
    insights: { mood: need, ["__proto__"]: need },
  });
  const unasked = { was_asked: false, was_answered: false };
  expect(evaluation.questions).toEqual({ team_size: unasked, tool: unasked, timeline: unasked });
  expect(evaluation).not.toHaveProperty("insights");
});

it("takes a question called constructor for a question", () => {
  const rubric = { ...RUBRIC, questions: [{ key: "constructor", text: "Who built it?" }] };
  expect(published({ ...HONEST, questions: {} }, rubric).evaluation.questions).toEqual({
    constructor: { was_asked: false, was_answered: false },
  });
});

describe("whatever a model answers", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    ...[...CONVERSATION.turns.map(({ content }) => content), "", "25", "Ada", "Tom Baker"].map(
      (known) => fc.constant(known),
    ),
  );
  const quote = { turn: fc.integer({ min: -1, max: 13 }), quote: text };
  const odd = fc.oneof(fc.constant(null), fc.jsonValue(), text);
  const claim = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 4, arbitrary: fc.record({ ...quote, ...fields }) }, odd);
  const reply = claim({ text });
  const keyed = (keys: string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
    fc.dictionary(fc.constantFrom(...keys, "mood", "__proto__"), value, { noNullPrototype: true });
  const anyAnswer = fc.record({
    language: fc.oneof(fc.constantFrom("en", "de-AT", "xx"), odd),
    customer_name: claim({ value: text }),
    questions: keyed(
      ["team_size", "tool", "timeline"],
      fc.record({ asked: claim({}), answered: claim({ answer: text }) }),
    ),
    insights: keyed(["main_need", "site"], claim({ value: text })),
    prospect_questions: fc.array(claim({ question: text, answer: reply }), { maxLength: 4 }),
    objections: fc.array(claim({ objection: text, response: reply }), { maxLength: 4 }),
    qualification: fc.record({
      status: fc.oneof(fc.constantFrom("qualified", "disqualified", "not_enough_data"), text),
      reasoning: text,
      because: fc.array(fc.record(quote), { maxLength: 3 }),
    }),
    conversation_summary: text.map((words) => `${words}.`),
    summary: text.map((words) => `${words}.`),
    prospect_summary: text.map((words) => `${words}.`),
  });

  it("what is published fits the contract, without null or emptiness anywhere", () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        const { evaluation, summary, dropped } = published(answer);
        const stored: unknown = JSON.parse(JSON.stringify(evaluation));
        expect(EvaluationSchema.parse(stored)).toEqual(evaluation);
        expect(summary).not.toBe("");
        expect(Object.keys(evaluation.questions ?? {})).toEqual(["team_size", "tool", "timeline"]);
        expect(JSON.stringify(dropped)).not.toMatch(/Ada|Tom|ZenQueue/);
      }),
      { numRuns: 500 },
    );
  });

  it("evidence is always the visitor's own words, as they stand", () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        const said = CONVERSATION.turns.filter(({ role }) => role === "user");
        for (const { evidence } of Object.values(published(answer).evaluation.insights ?? {}))
          expect(said.some(({ content }) => content.includes(evidence))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
