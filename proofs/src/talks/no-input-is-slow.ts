import {
  DemoState,
  isFiller,
  language,
  judgeConversation,
  normalizeEmail,
  pageNameOf,
  SignalReader,
  speakable,
  SpeechGuard,
  storable,
  withoutMarks,
} from "@svc/server/testing";
import type { LanguageModel } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import type { Tools } from "../runner/proof.ts";
import { RUBRIC } from "../judging/orders.ts";
import { AGENT } from "./airship-agent.ts";

/** Twice the input may take so many times as long. */
export const MAX_GROWTH = 2.5;
/** Shorter times are noise. */
const MEASURABLE_MS = 5;
/** A visitor's words fill at most a transcript. */
const LONGEST = 256 * 1024;

type Reader = (text: string) => unknown;

interface Slowest {
  unit: Unit;
  growth: number;
}

/** Repeats pieces of text through everything that reads a visitor's words, and measures how the time grows. */
export async function proveLinear({ seed, sized, say, progress, timeLeftMs }: Tools) {
  const random = new Random(seed);
  const units = unitsOf(random, sized({ quick: 40, full: 2_000 }));
  const worst: (Slowest & { name: string })[] = [];
  for (const [at, [name, read]] of READERS.entries()) {
    worst.push({ name, ...(await worstOf(read, units)) });
    progress(at + 1, READERS.length, "functions");
    if (timeLeftMs() === 0) break;
  }
  const slow = worst.filter(({ growth }) => growth > MAX_GROWTH);
  for (const { name, unit, growth } of slow)
    say(
      `${name}: ${growth.toFixed(1)} times as long for twice ${JSON.stringify(unit.text)} before ${JSON.stringify(unit.end)}`,
    );
  const unread = unreadExports();
  for (const name of unread) say(`${name} of the language module is not measured: add it`);
  const control = await worstOf(planted, units);
  const most = Math.max(...worst.map(({ growth }) => growth));
  return {
    figure: `${most.toFixed(1)} times as long at most; a planted quadratic ${control.growth.toFixed(1)}`,
    ok:
      slow.length + unread.length === 0 &&
      worst.length === READERS.length &&
      control.growth > MAX_GROWTH,
    size: `${READERS.length} functions, ${units.length} pieces`,
  };
}

/** Finds the word in a row of signs by starting again at each of them. */
const planted: Reader = (text) => text.match(/\S*[\p{L}\p{N}]\S*/gu);

/** The pieces that grew most at a glance, and those that took longest, are measured well. */
async function worstOf(read: Reader, units: Unit[]): Promise<Slowest> {
  const glanced: (Slowest & { ms: number })[] = [];
  for (const unit of units) {
    const [short, ms] = [await bestMs(read, unit, 250, 2), await bestMs(read, unit, 2_000, 1)];
    glanced.push({ unit, ms, growth: ms / Math.max(short, 0.02) });
  }
  const grown = glanced.toSorted((one, other) => other.growth - one.growth).slice(0, 3);
  const long = glanced.toSorted((one, other) => other.ms - one.ms).slice(0, 2);
  let worst: Slowest = { unit: { text: "", end: "" }, growth: 0 };
  for (const { unit } of new Set([...grown, ...long])) {
    const growth = await growthOf(read, unit);
    if (growth > worst.growth) worst = { unit, growth };
    // One is enough to tell, and the next would take as long.
    if (growth > MAX_GROWTH) break;
  }
  return worst;
}

/** Measured again where it seems too much: another process may have had the processor's caches. */
async function growthOf(read: Reader, unit: Unit): Promise<number> {
  let length = 2_000;
  while (length < LONGEST / 2 && (await bestMs(read, unit, length, 5)) < MEASURABLE_MS) length *= 2;
  let growth = Infinity;
  for (let attempt = 0; attempt < 4 && growth > MAX_GROWTH; attempt++)
    growth = Math.min(
      growth,
      (await bestMs(read, unit, 2 * length, 5)) / (await bestMs(read, unit, length, 5)),
    );
  return growth;
}

async function bestMs(read: Reader, unit: Unit, length: number, times: number): Promise<number> {
  const text = unit.text.repeat(Math.ceil(length / unit.text.length)).slice(0, length) + unit.end;
  let best = Infinity;
  for (let time = 0; time < times && best > 0; time++) {
    const startMs = threadMs();
    await read(text);
    best = Math.min(best, threadMs() - startMs);
    if (best > 500) break;
  }
  return best;
}

/** How long this thread has had the processor: others may use it too while the claim is checked. */
function threadMs(): number {
  // Linux counts a running thread up to the last tick, unless the whole process is asked for.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** What is repeated, and what stands once behind it: there a pattern that has matched so far fails. */
interface Unit {
  text: string;
  end: string;
}

const ATOMS = [
  ...Array.from("aA1.@,$% \n-'[]()日。́ßＡ٣/:?\"*_#=+0€|<&’…🙂一百兆点⟦⟧"),
  ..."http:// www. one twenty hundred zwanzig und quatre- vingt half euro per".split(" "),
  ..."May Dr. Mr. at dot".split(" ").map((word) => `${word} `),
];

/** Signs by themselves, between letters and digits, and some at random. */
function unitsOf(random: Random, count: number): Unit[] {
  const beside = ATOMS.flatMap((atom) => [atom, `${atom}a`, `${atom}1 `]);
  const mixed = Array.from({ length: count }, () =>
    Array.from({ length: random.integer(2, 4) }, () => random.pick(ATOMS)).join(""),
  );
  const texts = [...beside, ...mixed];
  return texts.map((text) => ({ text, end: random.pick(["", "", "a", "A b", ...ATOMS]) }));
}

const { Source } = language;
const OWNER = new language.OwnerFigures(["A licence costs 1,234 euros."], ["en", "de"]);
const SECRET = new Source(
  "The whole secret of this agent is that it sells the largest plan first.",
);

/** Functions of the language module that a visitor's words never reach. */
const OF_THE_OWNER = new Set([
  "builtInWords",
  "calendarFrom",
  "directionOf",
  "fillWords",
  "longDate",
  "OwnerFigures",
  "wordsOf",
]);

/** Those that a claim by hand would forget. */
function unreadExports(): string[] {
  const read = READERS.map(([name]) => name).join(" ");
  return Object.entries(language)
    .filter(([name, one]) => typeof one === "function" && !OF_THE_OWNER.has(name))
    .flatMap(([name]) => (read.includes(name) ? [] : [name]));
}

const READERS: [name: string, read: Reader][] = [
  ["fold", language.fold],
  ["wordCount", language.wordCount],
  ["spokenWordCount", language.spokenWordCount],
  ["cutAtWord", (text) => language.cutAtWord(text, 60)],
  ["hasWords", (text) => language.hasWords(text, LONGEST)],
  ["sentencesOf", (text) => language.sentencesOf(text, "en")],
  ["endsInQuestion", language.endsInQuestion],
  ["factsIn", (text) => language.factsIn(text, "de")],
  ["figuresIn", (text) => language.figuresIn(text, "fr")],
  ["namesIn", (text) => [language.namesIn(text, "en"), language.namesIn(text, "ja")]],
  ["gapBehind", language.gapBehind],
  ["joinSentences", (text) => language.joinSentences(text, text)],
  ["SentenceCutter", cut],
  ["repeatsWords", (text) => language.repeatsWords(text, [SECRET])],
  ["inCode", language.inCode],
  ["KeptSources", (text) => new language.KeptSources().of([text]).map(({ letters }) => letters)],
  ["Source.excerpt", (text) => new Source(text).excerpt("so it is")],
  ["Source.holds", (text) => new Source(text).holds({ words: ["so"], numbers: ["77"] })],
  ["judgeFigures of a visitor's words", (text) => judgeFigures("It is 700 euros.", text)],
  ["judgeFigures of a sentence", (text) => judgeFigures(text, "")],
  ["judgeConversation", judged],
  ["storable", storable],
  ["pageNameOf", (text) => pageNameOf(`https://example.com/${text}`)],
  ["withoutMarks", withoutMarks],
  ["normalizeEmail", normalizeEmail],
  ["SignalReader", streamed],
  ["speakable", (text) => speakable(text, "en")],
  ["isFiller", (text) => isFiller(text, "en")],
  ["DemoState", newState],
  ["SpeechGuard, of what was said", (text) => guard(text, "A licence costs 1,234 euros.")],
  ["SpeechGuard, of a sentence", (text) => guard("", text)],
  ["SpeechGuard.speakable", (text) => newGuard("").speakable(text)],
];

function judgeFigures(sentence: string, visitor: string): unknown {
  return language.judgeFigures(sentence, {
    language: "en",
    owner: OWNER,
    visitor: [new Source(visitor)],
    agent: [],
    calculations: [],
    today: new Date(),
  });
}

function cut(text: string): void {
  const cutter = new language.SentenceCutter("en");
  for (let at = 0; at < text.length; at += 40) cutter.push(text.slice(at, at + 40));
  cutter.end();
}

/** An evaluation by a model that quotes the visitor. */
function judged(text: string): Promise<unknown> {
  const quote = text.slice(0, 60);
  const answer = {
    to_the_judge: [{ turn: 1, quote }],
    language: "en",
    customer_name: { turn: 1, quote, value: quote },
    questions: Object.fromEntries(
      RUBRIC.questions.map(({ key }) => [
        key,
        { asked: null, answered: { turn: 1, quote, answer: quote } },
      ]),
    ),
    insights: Object.fromEntries(
      RUBRIC.insights.map(({ key }) => [key, { turn: 1, quote, value: quote }]),
    ),
    prospect_questions: [{ turn: 1, quote, question: quote, answer: null }],
    objections: [{ turn: 1, quote, objection: quote, response: null }],
    qualification: { items: {}, reasoning: `So: ${quote}` },
    conversation_summary: `So: ${quote}`,
    summary: `So: ${quote}`,
    prospect_summary: `So: ${quote}`,
  };
  const usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };
  const opinions = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [at + 1, "yes"]));
  const ask = async ({ name }: { name?: string }) => ({
    text: JSON.stringify(name === "claims" ? opinions : answer),
    usage,
  });
  const first: LanguageModel = { name: "parrot", ask, isThere: async () => true };
  return judgeConversation(
    { first, fallback: undefined },
    RUBRIC,
    { turns: [{ role: "user", content: text, interrupted: false }], metadata: { note: text } },
    { signal: new AbortController().signal },
  );
}

function streamed(text: string): void {
  const reader = new SignalReader("en");
  for (let at = 0; at < text.length; at += 40) reader.push(text.slice(at, at + 40));
  reader.end();
}

function newState(visitor: string): DemoState {
  const state = new DemoState(AGENT, { metadata: { note: visitor }, language: "en" });
  state.heardVisitor(visitor);
  state.wasAddressSaid("ada@example.com");
  state.noteAnswer("ships", "about forty of them");
  return state;
}

function newGuard(visitor: string): SpeechGuard {
  return new SpeechGuard({
    agent: AGENT,
    state: newState(visitor),
    metadata: {},
    agentSaid: () => [visitor],
    verifier: undefined,
    nowMs: Date.now,
  });
}

function guard(visitor: string, sentence: string): Promise<unknown> {
  return newGuard(visitor).judge(
    { text: sentence, directions: [] },
    {
      language: "en",
      before: [],
      noted: new Map(),
      calculated: [],
      withinMs: 0,
      signal: AbortSignal.timeout(60_000),
    },
  );
}
