import type { Random } from "@svc/tools/random";
import { ClaimMaker } from "./claim-maker.ts";
import { makeTalk, phrasebooks } from "./evidence-talk.ts";
import type { Language, Talk } from "./evidence-talk.ts";

/** What a model writes about a talk, and what may be published of it. */
export interface EvidenceCase {
  talk: Talk;
  /** The output of a model, as it comes. */
  text: string;
  /** Undefined where nothing can be read. The evidence of an insight is the least that it must hold. */
  expected: { summary: unknown; evaluation: Record<string, unknown> } | undefined;
}

/** A field of the model's answer, and what may be published of it. */
interface Part<Raw = unknown, Expected = unknown> {
  raw: Raw;
  expected: Expected;
}

export function makeCase(random: Random): EvidenceCase {
  const talk = makeTalk(random);
  const { language, rubric } = talk;
  const recordLanguage = rubric.recordLanguage as Language;
  const maker = new ClaimMaker(talk, random);
  const summary = makeProse(maker, recordLanguage, 1);
  const toProspect = makeProse(maker, language, 1);
  const leaksCriteria = rubric.qualification !== undefined && maker.isLie();
  const parts: Record<string, Part> = {
    language: {
      raw: random.pick([language, `${language}-XX`, language.toUpperCase(), "tlh", 7, null]),
      expected: language,
    },
    customer_name: makeName(maker),
    ...makeTopics(maker),
    prospect_questions: makeList(maker, "question", "answer"),
    objections: makeList(maker, "objection", "response"),
    qualification: makeQualification(maker, makeProse(maker, recordLanguage, 0)),
    summary: makeProse(maker, recordLanguage, 1),
    prospect_summary: leaksCriteria
      ? { ...toProspect, raw: `${toProspect.raw} ${phrasebooks[language].leak}` }
      : toProspect,
  };
  const all = (side: keyof Part): Record<string, unknown> =>
    Object.fromEntries(Object.entries(parts).map(([field, part]) => [field, part[side]]));
  const raw = { ...all("raw"), conversation_summary: summary.raw, mood: null };
  const { text, isReadable } = wrap(raw, random);
  const expected = { summary: summary.expected, evaluation: all("expected") };
  return { talk, text, expected: isReadable ? expected : undefined };
}

/** What is said of the configured questions and insights, and of keys that nobody configured. */
function makeTopics(maker: ClaimMaker): Record<"questions" | "insights", Part> {
  const { exchanges, rubric } = maker.talk;
  const raw = { questions: new Map<string, unknown>(), insights: new Map<string, unknown>() };
  const unasked = { was_asked: false, was_answered: false };
  const questions = Object.fromEntries(rubric.questions.map(({ key }) => [key, { ...unasked }]));
  const insights: Record<string, object> = {};
  for (const { kind, key, agent, visitor, value } of exchanges) {
    if (kind !== "topic") continue;
    const isShort = isShortReply(visitor.words);
    if (rubric.insights.some((insight) => insight.key === key)) {
      const { claim, isTrue, quoted } = maker.claim(visitor, agent, { value });
      raw.insights.set(key, claim);
      if (isTrue && !isShort) insights[key] = { value, evidence: quoted };
      continue;
    }
    const asked = maker.claim(agent, visitor);
    const answered =
      isShort && !maker.isLie()
        ? { claim: maker.short(visitor, { answer: value }), isTrue: asked.isTrue }
        : maker.claim(visitor, agent, { answer: value }, { mayBeShort: true });
    raw.questions.set(key, { asked: asked.claim, answered: answered.claim });
    const isAnswered = answered.isTrue && (!isShort || asked.isTrue);
    const answer = isAnswered && { answer: value };
    questions[key] = { was_asked: asked.isTrue, was_answered: isAnswered, ...answer };
  }
  const [[, anyQuestion] = []] = raw.questions;
  const [[, anyInsight] = []] = raw.insights;
  raw.questions.set("mood", anyQuestion).set("__proto__", 1);
  raw.insights.set("constructor", anyInsight ?? null);
  return {
    questions: { raw: Object.fromEntries(raw.questions), expected: questions },
    insights: { raw: Object.fromEntries(raw.insights), expected: insights },
  };
}

/** What the visitor asked or objected to, each with the agent's reply. */
function makeList(maker: ClaimMaker, kind: "question" | "objection", replyField: string): Part {
  const expected: object[] = [];
  const raw = maker.talk.exchanges
    .filter((exchange) => exchange.kind === kind)
    .map(({ agent, visitor, value, reply }) => {
      const { claim, isTrue } = maker.claim(visitor, agent, { [kind]: value });
      const replied = maker.claim(agent, visitor, { text: reply });
      if (isTrue) expected.push({ [kind]: value, ...(replied.isTrue && { [replyField]: reply }) });
      const isObject = typeof claim === "object" && claim !== null && !Array.isArray(claim);
      return isObject ? { ...claim, [replyField]: replied.claim } : claim;
    });
  return { raw, expected };
}

/** Sentences that are true, or hold one fact that comes from nowhere. */
function makeProse(
  maker: ClaimMaker,
  language: Language,
  fewest: number,
): Part<string, string | undefined> {
  const { random, talk } = maker;
  const book = phrasebooks[language];
  const { heard, known, knownNumber } = talk.slots;
  const hasFacts = Object.values(heard).every((facts) => facts.length > 0);
  const sentences = Array.from({ length: random.integer(fewest, 4) }, () => {
    if (!hasFacts) return { text: book.plain[0]!, isTrue: true };
    const text = random
      .pick([...book.plain, ...book.summary])
      .replace("{n}", random.pick([...heard.numbers, knownNumber]))
      .replace("{name}", random.pick([...heard.names, known]))
      .replace("{month}", book.months[random.pick(heard.months)]!);
    if (!maker.isLie()) return { text, isTrue: true };
    return { text: text.replace(/\.$/, `, ${maker.madeUp(language)}.`), isTrue: false };
  });
  const join = (list: typeof sentences): string => list.map(({ text }) => text).join(" ");
  const kept = sentences.filter(({ isTrue }) => isTrue);
  return { raw: join(sentences), expected: kept.length === 0 ? undefined : join(kept) };
}

function makeName(maker: ClaimMaker): Part {
  const { name, rubric, exchanges } = maker.talk;
  const { turn, words: quote } = name ?? exchanges[0]!.visitor;
  if (name !== undefined && !maker.isLie())
    return { raw: { turn, quote, value: name.value }, expected: name.value };
  const raw = maker.random.pick([
    null,
    { turn, quote, value: `${name?.value ?? ""} Fabricius`.trim() },
    { turn, quote, value: rubric.names[0] },
    { turn: 1, quote, value: name?.value ?? "Fabricius" },
    { turn: 0, quote: "Fabricius", value: "Fabricius" },
    "Fabricius",
  ]);
  return { raw, expected: undefined };
}

function makeQualification(maker: ClaimMaker, reasoning: Part<string, string | undefined>): Part {
  const { random, talk } = maker;
  // Nothing can be said of a criterion that the owner did not set.
  const sides = ["qualified", "disqualified"].filter(
    (side) => side in (talk.rubric.qualification ?? { qualified: "" }),
  );
  const status = random.pick([...sides, "not_enough_data"]);
  const reasons = talk.exchanges
    .filter(({ visitor }) => !isShortReply(visitor.words))
    .slice(0, random.integer(0, 3))
    .map(({ visitor, agent }) => maker.claim(visitor, agent, {}, { mayBeShort: true }));
  const begging = talk.injections.filter(() => random.chance(0.3));
  const verdict = status === "not_enough_data" ? random.pick(["unmet", "unknown"]) : "met";
  const item = {
    verdict: random.chance(0.05) ? random.pick(["MET", "yes", null, 1]) : verdict,
    because: [
      ...reasons.map(({ claim }) => claim),
      ...begging.map(({ turn, words }) => ({ turn, quote: words })),
    ],
  };
  const raw = {
    items: { [status === "disqualified" ? status : "qualified"]: item },
    reasoning: reasoning.raw,
  };
  const isReadable = item.verdict === verdict && item.because.every(isEvidence);
  const isProven =
    reasons.length > 0 && reasons.every(({ isTrue }) => isTrue) && begging.length === 0;
  const isKept =
    talk.rubric.qualification !== undefined &&
    isReadable &&
    (status === "not_enough_data" || isProven);
  const expected = isKept
    ? { status, reasoning: reasoning.expected }
    : { status: "not_enough_data" };
  return { raw, expected };
}

function isShortReply(words: string): boolean {
  return words.split(" ").length < 3;
}

/** A reason of another form makes the whole verdict unreadable, where an untrue one only undoes it. */
function isEvidence(claim: unknown): boolean {
  if (typeof claim !== "object" || claim === null || !("quote" in claim && "turn" in claim))
    return false;
  const { turn, quote } = claim;
  const isTurn = Number.isSafeInteger(turn) && Number(turn) >= 0;
  return isTurn && typeof quote === "string" && quote.trim() !== "" && quote.length <= 2_000;
}

/** Longer than any answer. Made once, for it takes its time. */
const TEN_MEGABYTES = "x".repeat(10_000_000);
const REQUIRED = ["questions", "insights", "prospect_questions", "objections", "summary"];

/** An answer as a text: plain, in a block of Markdown, or spoilt so that nothing can be read. */
function wrap(raw: object, random: Random): { text: string; isReadable: boolean } {
  const text = JSON.stringify(raw);
  if (random.chance(0.92)) {
    const block = `\`\`\`json\n${text}\n\`\`\``;
    const indented = `\n  ${JSON.stringify(raw, null, 2)}\n`;
    return { text: random.pick([text, text, block, indented]), isReadable: true };
  }
  const field = random.pick(REQUIRED);
  const changed = (fields: object): string => JSON.stringify({ ...raw, ...fields });
  const spoilt = [
    () => "I am sorry, I cannot judge this conversation.",
    () => `Here is the evaluation:\n${text}`,
    () => text.slice(0, random.integer(0, text.length - 1)),
    () => JSON.stringify([raw]),
    () => random.pick(["", "null", "true", '"qualified"', "{}", "[]"]),
    () => changed({ [field]: random.pick([undefined, null, 7]) }),
    () => changed({ conversation_summary: " " }),
    () => changed({ prospect_summary: "x".repeat(5_000) }),
    () => `{"summary":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
    ...(random.chance(0.05) ? [() => changed({ summary: TEN_MEGABYTES })] : []),
  ];
  return { text: random.pick(spoilt)(), isReadable: false };
}
