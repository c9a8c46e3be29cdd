import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { startEmbeddings } from "@svc/rehearsal";
import {
  EmbeddingClient,
  KnowledgeSearch,
  knowledgeSections,
  KnowledgeVectors,
  plainConfig,
  sourcesOf,
  systemClock,
} from "@svc/server/testing";
import type { KnowledgeSection, SearchKnowledge, TestDatabase } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { BODY_NAMES, readBody } from "./knowledge/bodies.ts";
import type { KnowledgeFile } from "./knowledge/bodies.ts";
import { gapsAreFound } from "./knowledge/gaps-are-found.ts";
import {
  answersFrom,
  namesIn,
  sentencesWithNumbers,
  standsIn,
} from "./knowledge/manual-answers.ts";
import type { ManualSentence } from "./knowledge/manual-answers.ts";
import { siteBecomesAgent } from "./knowledge/site-becomes-agent.ts";
import { defineProof } from "./runner/proof.ts";
import type { Outcome, Tools } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

/** One line of the file of questions. */
interface Question {
  language: string;
  body: string;
  kind: "paraphrased" | "misspelt" | "unknown";
  question: string;
  /** Words that a section must have to answer it. */
  answer: string;
  /** The queries that a model makes of it, in the language of the body. */
  queries: string[];
}

/** What the word search of PostgreSQL reached that was there before, measured once with the same questions. */
const BEFORE = "before: 33 % English, 50 % others, 10 % unanswerable, p95 above 500 ms";
/** The least shares found. Questions that share no rare word with their section need a search by meaning. */
const LEAST = {
  English: 0.75,
  others: 0.55,
  unanswerable: 0.9,
  "English by meaning too": 0.75,
  "unanswerable by meaning too": 0.85,
};
const MOST_MS = 30;

export default defineProof({
  covers: ["server/src/agents/knowledge/", "server/src/agents/site/", "server/src/sessions/gaps/"],
  claims: {
    "finds-the-section": {
      promise:
        "In manuals of up to 5 MB, questions in other words, with typing mistakes and in six languages find the section that answers them, and a question that nothing answers finds nothing.",
      bound: `found among four: English ≥ 75 %, others ≥ 55 %; nothing for ≥ 90 % of the unanswerable; by meaning too English ≥ 75 %, nothing for ≥ 85 %; p95 ≤ ${MOST_MS} ms of CPU in 5 MB`,
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: proveFinds,
    },
    "gaps-are-found": gapsAreFound,
    "site-becomes-agent": siteBecomesAgent,
    "source-holds-the-fact": {
      promise:
        "A section is the source of an answer, whose page visitors can open, only if the answer's facts stand in it.",
      bound: "0 sections named that lack the fact, ≥ 95 % of true answers have theirs",
      tier: "gate",
      prove: proveSources,
    },
  },
});

/** What the embedding model reads: at the usual size what takes it about a minute. */
const BY_MEANING = { quick: ["handbook", "svc"], full: ["handbook", "svc", "git"] };

async function proveFinds({ say, onEnd, sized }: Tools): Promise<Outcome> {
  const stage = await openStage();
  onEnd(() => stage.close());
  const embeddings = await startEmbeddings();
  onEnd(() => embeddings.close());
  const vectors = new KnowledgeVectors(
    stage.database.db,
    new EmbeddingClient(
      { url: embeddings.baseUrl, key: undefined, name: "bge", price: { input: 0, output: 0 } },
      systemClock,
    ),
  );
  const embedded = sized({ gate: BY_MEANING.quick, ...BY_MEANING });
  const questions = await readQuestions();
  const search = new KnowledgeSearch(stage.database.db);
  const tally = new Map<string, { passed: number; of: number }>();
  const count = (kind: string, isPassed: boolean): void => {
    const { passed, of } = tally.get(kind) ?? { passed: 0, of: 0 };
    tally.set(kind, { passed: passed + Number(isPassed), of: of + 1 });
  };
  // A busy machine makes anything wait, so the bound is on the work; the wait is printed beside it.
  const times: number[] = [];
  const waits: number[] = [];
  let [stale, foreign] = [0, 0];
  for (const [index, name] of BODY_NAMES.entries()) {
    const body = await readBody(name);
    if (body === undefined)
      return {
        ok: false,
        figure: `The documents of ${name} are missing; .ci/nightly installs them.`,
      };
    const knowledge = knowledgeSections(body);
    const whole = plain(knowledge.map(({ text }) => text).join("\n"));
    const agent = { config: { ...plainConfig(name), knowledge: storedFiles(body) }, knowledge };
    const find = search.in(agent);
    await find("warm");
    const byMeaning = embedded.includes(name)
      ? await findByMeaning(stage.database, body, agent, vectors)
      : undefined;
    for (const one of questions.filter((question) => question.body === name)) {
      // Our own documents change: what no longer stands there is asked no more.
      if (!whole.includes(one.answer)) {
        stale += 1;
        continue;
      }
      const group =
        one.kind === "unknown" ? "unanswerable" : one.language === "en" ? "English" : "others";
      const startedAt = performance.now();
      const before = process.cpuUsage();
      const isFound = await finds(find, one.queries, one);
      const { user, system } = process.cpuUsage(before);
      if (knowledge.length > 4_000) times.push((user + system) / 1_000);
      waits.push(performance.now() - startedAt);
      count(group, isFound);
      if (one.kind !== "unknown") count(`${name}, ${one.kind}`, isFound);
      count(`${group}, as asked`, await finds(find, [one.question], one));
      if (byMeaning === undefined) continue;
      count(`${group} by meaning too`, await finds(byMeaning, one.queries, one));
      count(`${group} by meaning too, as asked`, await finds(byMeaning, [one.question], one));
    }
    // The control: the same questions, answered from another manual.
    const others = questions.filter(
      ({ body: of, kind }) =>
        kind !== "unknown" && of === BODY_NAMES[(index + 1) % BODY_NAMES.length],
    );
    for (const one of others) if (await finds(find, one.queries, one)) foreign += 1;
  }
  const share = (kind: string): number => {
    const { passed, of } = tally.get(kind) ?? { passed: 0, of: 1 };
    return passed / of;
  };
  const percent = (kind: string): string => `${Math.round(share(kind) * 100)} % ${kind}`;
  for (const kind of tally.keys()) say(`${percent(kind)} (of ${tally.get(kind)!.of})`);
  say(`control, another manual: ${foreign} found; no longer in our documents: ${stale}`);
  say(BEFORE);
  const p95 = percentile(times, 0.95);
  say(
    `with waiting: p50 ${percentile(waits, 0.5).toFixed(1)}, p95 ${percentile(waits, 0.95).toFixed(1)} ms`,
  );
  return {
    figure: `${Object.keys(LEAST).map(percent).join(", ")}; p95 ${p95.toFixed(1)} ms of CPU`,
    ok:
      Object.entries(LEAST).every(([kind, least]) => share(kind) >= least) &&
      p95 <= MOST_MS &&
      foreign <= questions.length / 50 &&
      stale <= questions.length / 10,
    size: `${questions.length} questions`,
  };
}

function storedFiles(body: KnowledgeFile[]) {
  return body.map(({ path, text }) => ({
    path,
    sha256: createHash("sha256").update(text).digest("hex"),
    size: Buffer.byteLength(text),
    mediaType: "text/markdown",
  }));
}

/** The search of an agent whose sections are embedded, as the job that follows `svc agents apply` does it. */
async function findByMeaning(
  { db, pool }: TestDatabase,
  body: KnowledgeFile[],
  agent: Parameters<KnowledgeSearch["in"]>[0],
  vectors: KnowledgeVectors,
): Promise<SearchKnowledge> {
  for (const { text } of body)
    await pool.query(
      "INSERT INTO agent_files (sha256, bytes) VALUES (sha256($1), $1) ON CONFLICT DO NOTHING",
      [Buffer.from(text)],
    );
  const files = body.map((file, at) => ({
    sha256: agent.config.knowledge[at]!.sha256,
    sections: knowledgeSections([file]),
  }));
  const signal = new AbortController().signal;
  await vectors.write(files, { signal, charge: () => () => {} });
  return new KnowledgeSearch(db, { vectors, clock: systemClock }).in(agent);
}

async function finds(find: SearchKnowledge, queries: string[], one: Question): Promise<boolean> {
  const sections = await find(queries, { onlyKnown: true });
  if (one.kind === "unknown") return sections.length === 0;
  return sections.some(({ text }) => plain(text).includes(one.answer));
}

function percentile(times: number[], part: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? 0;
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** `SVC_QUESTIONS` names another file in the same form. */
async function readQuestions(): Promise<Question[]> {
  const own = join(import.meta.dirname, "knowledge/questions.tsv");
  const text = await readFile(process.env["SVC_QUESTIONS"] ?? own, "utf8");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [language = "", body = "", kind, question = "", , answer = "", query = ""] =
      line.split("\t");
    const made = query === "" ? [] : query.split(" | ");
    const queries = language === "en" || query === "" ? [question, ...made] : made;
    return { language, body, kind: kind as Question["kind"], question, answer, queries };
  });
}

const PLANS = ["Team", "Business", "Club", "School", "Harbour", "Studio"];
const THINGS = [
  "berths",
  "invoices",
  "recordings",
  "visitors",
  "reports",
  "receivers",
  "languages",
];

/** Sections that state some limits, and answers that repeat one in other words, mix two, or invent one. */
async function proveSources({ seed, sized, say }: Tools): Promise<Outcome> {
  const talks = sized({ gate: 300, quick: 600, full: 1_000 });
  const counts = { true: 0, sourced: 0, other: 0, wrong: 0, careless: 0 };
  for (let talk = 0; talk < talks; talk++) {
    const random = new Random(seed, talk);
    const number = (): number => random.integer(2, 999);
    const limits = PLANS.map((plan) => ({ plan, thing: random.pick(THINGS), most: number() }));
    const knowledge = knowledgeSections(
      limits.map(({ plan, thing, most }) => ({
        path: `knowledge/${plan.toLowerCase()}.md`,
        text: `# ${plan}\n\nIt is made for teams that grow.\n\n## Limits\n\n- The ${plan} plan includes ${most} ${thing} a month.\n- It can be cancelled at any time.\n`,
      })),
    );
    const one = random.pick(limits);
    const other = random.pick(limits.filter((limit) => limit !== one));
    const said = (plan: string, most: number, thing: string): string =>
      random.pick([
        `With the ${plan} plan you get ${most} ${thing} a month.`,
        `${most} ${thing} are included every month in the ${plan} plan.`,
        `The ${plan} plan includes up to ${most} ${thing}.`,
      ]);
    const named = (sentence: string): string[] =>
      sourcesOf(sentence, "en", knowledge).map(({ name }) => name);
    const own = `${one.plan.toLowerCase()}.md#${one.plan} > Limits`;
    counts.true += 1;
    const found = named(said(one.plan, one.most, one.thing));
    if (found.includes(own)) counts.sourced += 1;
    if (found.some((name) => name !== own)) counts.wrong += 1;
    const untrue = [
      ...(other.most === one.most ? [] : [said(one.plan, other.most, one.thing)]),
      ...(other.thing === one.thing ? [] : [said(one.plan, one.most, other.thing)]),
      said(one.plan, one.most + 1_000, one.thing),
      `The ${one.plan} plan does not include ${one.most} ${one.thing} a month.`,
      `Our ${random.pick(["stable", "kitchen"])} has room for ${one.most} horses and ponies.`,
    ];
    for (const sentence of untrue) {
      counts.other += 1;
      if (named(sentence).length > 0) counts.wrong += 1;
      // The control: whoever takes any section with the number as the source.
      const numbers = sentence.match(/\d+/g) ?? [];
      if (knowledge.some(({ text }) => numbers.every((figure) => text.includes(` ${figure} `))))
        counts.careless += 1;
    }
  }
  await judgeManuals({ seed, sized, say }, counts);
  say(`control, any section that has the number: ${counts.careless} of ${counts.other} wrong`);
  const part = counts.sourced / counts.true;
  return {
    figure: `${counts.wrong} wrong of ${counts.true + counts.other}, ${(part * 100).toFixed(1)} % of true answers sourced`,
    ok: counts.wrong === 0 && part >= 0.95 && counts.careless > 0,
    size: `${counts.true + counts.other} answers`,
  };
}

/** As many sections as a conversation has found at a time. */
const KNOWN = 24;

/** Answers out of manuals that others wrote: their sentences in other words, with one fact changed, and those of another manual. */
async function judgeManuals(
  { seed, sized, say }: Pick<Tools, "seed" | "sized" | "say">,
  counts: { true: number; sourced: number; other: number; wrong: number; careless: number },
): Promise<void> {
  // Only our own documents are on every machine.
  const wanted = sized({ gate: ["svc"], quick: ["handbook", "git", "svc"], full: BODY_NAMES });
  const bodies: { sections: KnowledgeSection[]; sentences: ManualSentence[]; names: string[] }[] =
    [];
  for (const name of wanted) {
    const sections = knowledgeSections((await readBody(name)) ?? []);
    const sentences = sentencesWithNumbers(sections);
    if (sentences.length > 0) bodies.push({ sections, sentences, names: namesIn(sentences) });
    else say(`The documents of ${name} are missing; .ci/nightly installs them.`);
  }
  for (let pick = 0; pick < sized({ gate: 60, quick: 600, full: 3_000 }); pick++) {
    const random = new Random(seed, 1_000_000 + pick);
    const body = random.pick(bodies);
    const { sections, sentences, names } = body;
    const sentence = random.pick(sentences);
    const others = bodies.filter((one) => one !== body);
    const foreign = others.length > 0 ? random.pick(random.pick(others).sentences) : undefined;
    const own = sections.find(({ name }) => name === sentence.section)!;
    const more = Array.from({ length: KNOWN - 1 }, () => random.pick(sections));
    const known = [...new Set([own, ...more])];
    for (const { kind, said, written } of answersFrom(sentence, foreign, names, random)) {
      // With another name it may be what another sentence says.
      const isSaid = ({ text }: KnowledgeSection): boolean =>
        text.split(/(?<=[.!?])\s/).some((line) => standsIn(written, line));
      if (kind === "half-true" && known.some(isSaid)) continue;
      const found = sourcesOf(said, "en", known);
      if (kind === "true") {
        counts.true += 1;
        if (found.includes(own)) counts.sourced += 1;
        const lacks = ({ name, text }: KnowledgeSection): boolean =>
          !standsIn(sentence.text, `${name} ${text}`);
        if (!found.some(lacks)) continue;
      } else {
        counts.other += 1;
        const numbers = said.match(/\d+/g) ?? [];
        if (known.some(({ text }) => numbers.every((one) => text.includes(one))))
          counts.careless += 1;
        if (found.length === 0) continue;
      }
      counts.wrong += 1;
      say(`${kind}: "${said}" from ${found.map(({ name }) => name).join(", ")}`);
    }
  }
}
