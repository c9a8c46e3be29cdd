import type { QualificationStatus } from "@svc/contract/types";
import type { Random } from "@svc/tools/random";
import { ClaimMaker } from "./claims.ts";
import { phrasebooks } from "./phrases/phrasebooks.ts";
import type { Language } from "./phrases/phrasebooks.ts";
import { makeTalk } from "./talk.ts";
import type { Said, Talk } from "./talk.ts";
import { wrap } from "./wrapping.ts";

/** What may be published of one output. */
export interface Expected {
  language: string;
  customerName: string | undefined;
  status: QualificationStatus;
  reasoning: string | undefined;
  questions: Map<string, { asked: boolean; answer: string | undefined }>;
  insights: Map<string, { value: string; quoted: string }>;
  prospectQuestions: { value: string; reply: string | undefined }[];
  objections: { value: string; reply: string | undefined }[];
  conversationSummary: string | undefined;
  summary: string | undefined;
  prospectSummary: string | undefined;
}

export interface Case {
  talk: Talk;
  /** The output of a model, as it comes. */
  text: string;
  /** Undefined where nothing can be read in it. */
  expected: Expected | undefined;
}

export function makeCase(random: Random): Case {
  const talk = makeTalk(random);
  const { raw, expected } = makeAnswer(talk, random);
  const { text, isReadable } = wrap(raw, random);
  return { talk, text, expected: isReadable ? expected : undefined };
}

function makeAnswer(talk: Talk, random: Random): { raw: object; expected: Expected } {
  const maker = new ClaimMaker(talk, random);
  const { rubric, exchanges, slots } = talk;
  const record = rubric.recordLanguage as Language;
  const expected: Expected = {
    language: talk.language,
    customerName: undefined,
    status: "not_enough_data",
    reasoning: undefined,
    questions: new Map(
      rubric.questions.map(({ key }) => [key, { asked: false, answer: undefined }]),
    ),
    insights: new Map(),
    prospectQuestions: [],
    objections: [],
    conversationSummary: undefined,
    summary: undefined,
    prospectSummary: undefined,
  };
  const questions: [string, unknown][] = [];
  const insights: [string, unknown][] = [];

  for (const { key, agent, visitor, value } of exchanges.filter(({ kind }) => kind === "topic")) {
    const isShort = visitor.words.split(" ").length < 3;
    if (talk.insightKeys.includes(key)) {
      const { claim, isTrue, quoted } = maker.claim(visitor, agent, { value });
      insights.push([key, claim]);
      if (isTrue && !isShort) expected.insights.set(key, { value, quoted });
      continue;
    }
    const asked = maker.claim(agent, visitor, {});
    const isLie = maker.isLie();
    const answered =
      isShort && !isLie
        ? { ...maker.short(visitor, { answer: value }), isTrue: asked.isTrue }
        : maker.claim(visitor, agent, { answer: value }, { mayBeShort: true });
    questions.push([key, { asked: asked.claim, answered: answered.claim }]);
    expected.questions.set(key, {
      asked: asked.isTrue,
      answer: answered.isTrue && (!isShort || asked.isTrue) ? value : undefined,
    });
  }

  const listed = (kind: "question" | "objection", field: string, replyField: string): unknown[] =>
    exchanges
      .filter((exchange) => exchange.kind === kind)
      .map(({ agent, visitor, value, reply }) => {
        const noted = maker.claim(visitor, agent, { [field]: value });
        const answer = maker.claim(agent, visitor, { text: reply });
        if (noted.isTrue) {
          const list = kind === "question" ? expected.prospectQuestions : expected.objections;
          list.push({ value, reply: answer.isTrue ? reply : undefined });
        }
        const { claim } = noted;
        const isObject = typeof claim === "object" && claim !== null && !Array.isArray(claim);
        return isObject ? { ...claim, [replyField]: answer.claim } : claim;
      });

  const prose = (
    language: Language,
    fewest: number,
  ): { text: string; kept: string | undefined } => {
    const book = phrasebooks[language];
    const sentences = Array.from({ length: random.integer(fewest, 4) }, () => {
      const isLie = maker.isLie();
      const template = random.pick([...book.plain, ...book.summary]);
      const [number, name, month] = [slots.heardNumbers, slots.heardNames, slots.heardMonths];
      if (number.length === 0 || name.length === 0 || month.length === 0)
        return [book.plain[0]!, true];
      const sentence = template
        .replace("{n}", random.pick([...number, slots.knownNumber]))
        .replace("{name}", random.pick([...name, slots.known]))
        .replace("{month}", book.months[random.pick(month)]!);
      if (!isLie) return [sentence, true];
      return [sentence.replace(/\.$/, `, ${maker.madeUp(language)}.`), false];
    }) as [string, boolean][];
    const kept = sentences.filter(([, isTrue]) => isTrue).map(([sentence]) => sentence);
    return {
      text: sentences.map(([sentence]) => sentence).join(" "),
      kept: kept.length === 0 ? undefined : kept.join(" "),
    };
  };

  const summary = prose(record, 1);
  const conversationSummary = prose(record, 1);
  const toProspect = prose(talk.language, 1);
  const hasLeak = rubric.qualification !== undefined && maker.isLie();
  expected.summary = summary.kept;
  expected.conversationSummary = conversationSummary.kept;
  expected.prospectSummary = toProspect.kept;

  const raw = {
    language: random.pick([
      talk.language,
      `${talk.language}-XX`,
      talk.language.toUpperCase(),
      "tlh",
      7,
      null,
    ]),
    customer_name: makeName(talk, random, maker, expected),
    questions: Object.fromEntries([...questions, ["mood", questions[0]?.[1]], ["__proto__", 1]]),
    insights: Object.fromEntries([...insights, ["constructor", insights[0]?.[1] ?? null]]),
    prospect_questions: listed("question", "question", "answer"),
    objections: listed("objection", "objection", "response"),
    qualification: makeQualification(talk, random, maker, expected, prose(record, 0)),
    conversation_summary: conversationSummary.text,
    summary: summary.text,
    prospect_summary: toProspect.text + (hasLeak ? ` ${phrasebooks[talk.language].leak}` : ""),
    mood: null,
  };
  return { raw, expected };
}

function makeName(talk: Talk, random: Random, maker: ClaimMaker, expected: Expected): unknown {
  const { name, rubric } = talk;
  const [visitor] = talk.exchanges.map((exchange) => exchange.visitor);
  if (name === undefined || maker.isLie()) {
    const words = name?.words ?? visitor?.words ?? "";
    const turn = name?.turn ?? visitor?.turn ?? 1;
    return random.pick([
      null,
      { turn, quote: words, value: `${name?.value ?? ""} Fabricius`.trim() },
      { turn, quote: words, value: rubric.names[0] },
      { turn: 1, quote: words, value: name?.value ?? "Fabricius" },
      { turn: 0, quote: "Fabricius", value: "Fabricius" },
      "Fabricius",
    ]);
  }
  expected.customerName = name.value;
  return { turn: name.turn, quote: name.words, value: name.value };
}

function makeQualification(
  talk: Talk,
  random: Random,
  maker: ClaimMaker,
  expected: Expected,
  reasoning: { text: string; kept: string | undefined },
): unknown {
  const status = random.pick(["qualified", "disqualified", "not_enough_data"] as const);
  const reasons = talk.exchanges
    .filter(({ visitor }) => visitor.words.split(" ").length >= 3)
    .slice(0, random.integer(0, 3))
    .map(({ visitor, agent }) => maker.claim(visitor, agent, {}, { mayBeShort: true }));
  const begging: Said[] = talk.injections.filter(() => random.chance(0.3));
  const isProven = reasons.length > 0 && begging.length === 0 && reasons.every((one) => one.isTrue);
  const isLost = reasoning.text !== "" && reasoning.kept === undefined;
  const claim = {
    status: random.chance(0.05) ? random.pick(["QUALIFIED", "yes", null, 1]) : status,
    reasoning: reasoning.text,
    because: [
      ...reasons.map((one) => one.claim),
      ...begging.map(({ turn, words }) => ({ turn, quote: words })),
    ],
  };
  const isReadable = claim.status === status && claim.because.every(isEvidence);
  if (talk.rubric.qualification === undefined || !isReadable) return claim;
  const isOrdered = status === "qualified" && talk.ordersVerdict;
  if (status === "not_enough_data" || (isProven && !isLost && !isOrdered)) {
    expected.status = status;
    expected.reasoning = reasoning.kept;
  }
  return claim;
}

/** A reason that is not of the form makes the whole verdict unreadable, where an untrue one only undoes it. */
function isEvidence(claim: unknown): boolean {
  if (typeof claim !== "object" || claim === null || !("quote" in claim && "turn" in claim))
    return false;
  const { turn, quote } = claim;
  const isTurn = Number.isSafeInteger(turn) && Number(turn) >= 0;
  return isTurn && typeof quote === "string" && quote.trim() !== "" && quote.length <= 2_000;
}
