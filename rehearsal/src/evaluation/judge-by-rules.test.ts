import fc from "fast-check";
import { expect, test } from "vitest";
import type { Quote } from "./answer.ts";
import { documentUnderTest } from "./document-under-test.ts";
import type { Turn } from "./document.ts";
import { judgeByRules } from "./judge-by-rules.ts";

test("a conversation is judged by what was said in it", () => {
  expect(judgeByRules(documentUnderTest())).toEqual({
    language: "en",
    customer_name: { turn: 2, quote: "My name is Anna Berg", value: "Anna Berg" },
    questions: {
      use_case: {
        asked: { turn: 1, quote: "What would you like visitors of your site to understand?" },
        answered: {
          turn: 2,
          quote: "We want them to see how a heat pump works.",
          answer: "We want them to see how a heat pump works",
        },
      },
      timeline: {
        asked: { turn: 3, quote: "When would you like to have it running?" },
        answered: { turn: 4, quote: "In spring, I think.", answer: "In spring, I think" },
      },
    },
    insights: {
      current_tool: {
        turn: 4,
        quote: "For demos today we use videos.",
        value: "For demos today we use videos.",
      },
    },
    prospect_questions: [
      {
        turn: 2,
        quote: "What does it cost?",
        question: "What does it cost?",
        answer: {
          turn: 3,
          quote: "It costs ninety euros a month.",
          text: "It costs ninety euros a month.",
        },
      },
    ],
    objections: [
      {
        turn: 4,
        quote: "It is too expensive to hire people.",
        objection: "It is too expensive to hire people.",
        response: { turn: 5, quote: "That makes sense.", text: "That makes sense." },
      },
    ],
    qualification: {
      status: "qualified",
      reasoning: "Every question was answered.",
      because: [
        { turn: 2, quote: "We want them to see how a heat pump works." },
        { turn: 4, quote: "In spring, I think." },
      ],
    },
    conversation_summary:
      "The visitor said: “My name is Anna Berg.” The visitor asked: “What does it cost?” The visitor objected: “It is too expensive to hire people.”",
    summary:
      "Every question was answered. The visitor objected: “It is too expensive to hire people.”",
    prospect_summary:
      "Thank you for your time. You asked: “What does it cost?” You heard: “It costs ninety euros a month.”",
  });
});

test("a question that was cut off before its words counts as not asked", () => {
  const turns = transcript("When would you", "In spring.");
  const { questions } = judgeByRules(documentUnderTest({ transcript: turns }));
  expect(questions["timeline"]).toEqual({ asked: null, answered: null });
});

test.each(["What do you mean?", "I don't know.", "Da bin ich nicht sicher, keine Ahnung."])(
  "%s answers nothing, and not everything answered is not enough",
  (reply) => {
    const turns = transcript("When would you like to have it running?", reply);
    const { questions, qualification } = judgeByRules(documentUnderTest({ transcript: turns }));
    expect(questions["timeline"]!.answered).toBeNull();
    expect(qualification!.status).toBe("not_enough_data");
  },
);

test("the record is written in its language, the message in the visitor's", () => {
  const turns = transcript("Guten Tag.", "Wir sind ein kleines Team. Was kostet das im Monat?");
  const document = documentUnderTest({ transcript: turns, record_language: "fr" });
  const { language, conversation_summary, prospect_summary } = judgeByRules(document);
  expect(language).toBe("de");
  expect(conversation_summary).toMatch(/^La personne a dit : « Wir sind ein kleines Team. »/);
  expect(prospect_summary).toBe(
    "Danke, dass Sie da waren. Sie fragten: „Was kostet das im Monat?“",
  );
});

test("the page's name for the visitor is taken when they give none", () => {
  const turns = transcript("Hello.", "Hi there.");
  const document = documentUnderTest({ transcript: turns, metadata: { name: " Jo Lee " } });
  expect(judgeByRules(document).customer_name).toEqual({
    turn: 0,
    quote: "Jo Lee",
    value: "Jo Lee",
  });
});

test("no qualification is given where no criteria are", () => {
  const { qualification: _, ...document } = documentUnderTest();
  expect(judgeByRules(document)).not.toHaveProperty("qualification");
});

test("every quote stands word for word in a turn of the right speaker", () => {
  const words = fc.constantFrom(
    ...`we|use|videos|today|demos|when|running|have|it|visitors|site|understand|?|.|!|\n|é|😀
    |too expensive|My name is Ida|I don't know`.split("|"),
  );
  const turn = fc.record({
    role: fc.constantFrom<Turn["role"]>("user", "assistant"),
    heard: fc.oneof(
      fc.array(words, { maxLength: 25 }).map((some) => some.join(" ")),
      fc.string(),
    ),
  });
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 12 }), (spoken) => {
      const turns = spoken.map((one, index) => ({ ...one, turn: index + 1 }));
      const answer = judgeByRules(documentUnderTest({ transcript: turns }));
      const byUser = [
        answer.customer_name,
        ...Object.values(answer.questions).map((one) => one.answered),
        ...Object.values(answer.insights),
        ...answer.prospect_questions,
        ...answer.objections,
        ...answer.qualification!.because,
      ];
      const byAgent = [
        ...Object.values(answer.questions).map((one) => one.asked),
        ...answer.prospect_questions.map((one) => one.answer),
        ...answer.objections.map((one) => one.response),
      ];
      const isTrue = (role: Turn["role"], claim: Quote | null) => {
        if (claim === null) return true;
        const said = turns[claim.turn - 1];
        return said?.role === role && claim.quote !== "" && said.heard.includes(claim.quote);
      };
      expect(byUser.filter((claim) => !isTrue("user", claim))).toEqual([]);
      expect(byAgent.filter((claim) => !isTrue("assistant", claim))).toEqual([]);
    }),
  );
});

function transcript(asked: string, reply: string): Turn[] {
  return [
    { turn: 1, role: "assistant", heard: asked },
    { turn: 2, role: "user", heard: reply },
  ];
}
