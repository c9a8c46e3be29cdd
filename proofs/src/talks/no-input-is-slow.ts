import {
  DemoState,
  isFiller,
  language,
  normalizeEmail,
  SignalReader,
  speakable,
  SpeechGuard,
  withoutMarks,
} from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import type { Tools } from "../runner/proof.ts";
import { AGENT } from "./airship-agent.ts";

/** Twice the input may take so many times as long. */
export const MAX_GROWTH = 2.5;
/** Shorter times are noise. */
const MEASURABLE_MS = 5;
/** A visitor's words fill at most a transcript. */
const LONGEST = 256 * 1024;

type Reader = (text: string) => unknown;

/** Repeats pieces of text through everything that reads a visitor's words, and measures how the time grows. */
export async function proveLinear({ seed, sized, say, progress, timeLeftMs }: Tools) {
  const random = new Random(seed);
  const units = unitsOf(random, sized({ quick: 40, full: 2_000 }));
  const worst: { name: string; unit: string; growth: number }[] = [];
  for (const [at, [name, read]] of READERS.entries()) {
    worst.push({ name, ...(await worstOf(read, units)) });
    progress(at + 1, READERS.length, "functions");
    if (timeLeftMs() === 0) break;
  }
  const slow = worst.filter(({ growth }) => growth > MAX_GROWTH);
  for (const { name, unit, growth } of slow)
    say(`${name}: ${growth.toFixed(1)} times as long for twice ${JSON.stringify(unit)}`);
  const control = await worstOf(planted, units);
  const most = Math.max(...worst.map(({ growth }) => growth));
  return {
    figure: `${most.toFixed(1)} times as long at most; a planted quadratic ${control.growth.toFixed(1)}`,
    ok: slow.length === 0 && worst.length === READERS.length && control.growth > MAX_GROWTH,
    size: `${READERS.length} functions, ${units.length} pieces`,
  };
}

/** Finds the word in a row of signs by starting again at each of them. */
const planted: Reader = (text) => text.match(/\S*[\p{L}\p{N}]\S*/gu);

/** The pieces that grew most at a glance are measured well. */
async function worstOf(read: Reader, units: string[]): Promise<{ unit: string; growth: number }> {
  const glanced: { unit: string; growth: number }[] = [];
  for (const unit of units) {
    const [short, long] = [await bestMs(read, unit, 1_000, 1), await bestMs(read, unit, 4_000, 1)];
    glanced.push({ unit, growth: long / Math.max(short, 0.02) });
  }
  let worst = { unit: "", growth: 0 };
  for (const { unit } of glanced.toSorted((one, other) => other.growth - one.growth).slice(0, 3)) {
    const growth = await growthOf(read, unit);
    if (growth > worst.growth) worst = { unit, growth };
  }
  return worst;
}

/** Measured again where it seems too much: another process may have had the processor. */
async function growthOf(read: Reader, unit: string): Promise<number> {
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

async function bestMs(read: Reader, unit: string, length: number, times: number): Promise<number> {
  const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  let best = Infinity;
  for (let time = 0; time < times && best > 0; time++) {
    const startMs = performance.now();
    await read(text);
    best = Math.min(best, performance.now() - startMs);
    if (best > 500) break;
  }
  return best;
}

const ATOMS = [
  ...Array.from("aA1.@,$% \n-'[]()日。́ßＡ٣/:?\"*_#=+0€|<&’…🙂一百兆点⟦⟧"),
  ..."http:// www. one twenty hundred zwanzig und quatre- vingt half euro per".split(" "),
  ..."May Dr. Mr. at dot".split(" ").map((word) => `${word} `),
];

/** Signs by themselves, between letters and digits, and some at random. */
function unitsOf(random: Random, count: number): string[] {
  const beside = ATOMS.flatMap((atom) => [atom, `${atom}a`, `${atom}1 `]);
  const mixed = Array.from({ length: count }, () =>
    Array.from({ length: random.integer(2, 4) }, () => random.pick(ATOMS)).join(""),
  );
  return [...beside, ...mixed];
}

const { Source } = language;
const SECRET = new Source(
  "The whole secret of this agent is that it sells the largest plan first.",
);
const OWNER = new language.OwnerFigures(["A licence costs 1,234 euros."], ["en", "de"]);

const READERS: [name: string, read: Reader][] = [
  ["fold", language.fold],
  ["wordCount", language.wordCount],
  ["spokenWordCount", language.spokenWordCount],
  ["cutAtWord", (text) => language.cutAtWord(text, 60)],
  ["hasWords", (text) => language.hasWords(text, LONGEST)],
  ["sentencesOf", (text) => language.sentencesOf(text, "en")],
  ["endsInQuestion", language.endsInQuestion],
  ["factsIn", (text) => language.factsIn(text, "de")],
  ["repeatsWords", (text) => language.repeatsWords(text, [SECRET])],
  ["inCode", language.inCode],
  ["Source.excerpt", (text) => new Source(text).excerpt("so it is")],
  ["Source.holds", (text) => new Source(text).holds({ words: ["so"], numbers: ["77"] })],
  ["judgeFigures of a visitor's words", (text) => judgeFigures("It is 700 euros.", text)],
  ["judgeFigures of a sentence", (text) => judgeFigures(text, "")],
  ["withoutMarks", withoutMarks],
  ["normalizeEmail", normalizeEmail],
  ["SignalReader", streamed],
  ["speakable", (text) => speakable(text, "en")],
  ["isFiller", (text) => isFiller(text, "en")],
  ["DemoState", newState],
  ["SpeechGuard, of what was said", (text) => guard(text, "A licence costs 1,234 euros.")],
  ["SpeechGuard, of a sentence", (text) => guard("", text)],
];

function judgeFigures(sentence: string, visitor: string): unknown {
  return language.judgeFigures(sentence, {
    language: "en",
    owner: OWNER,
    visitor: [visitor],
    agent: [],
    calculations: [],
    today: new Date(),
  });
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

function guard(visitor: string, sentence: string): Promise<unknown> {
  const state = newState(visitor);
  const speech = new SpeechGuard({
    agent: AGENT,
    state,
    metadata: {},
    agentSaid: () => [visitor],
    verifier: undefined,
    nowMs: Date.now,
  });
  return speech.judge(
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
