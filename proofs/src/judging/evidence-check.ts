import { Evaluation as EvaluationSchema } from "@svc/contract/schemas";
import { JudgeError, judgeConversation } from "@svc/server/testing";
import type { Conversation, Judgement, LanguageModel, Rubric } from "@svc/server/testing";
import { loose } from "./claim-maker.ts";
import type { EvidenceCase } from "./evidence-case.ts";
import type { Talk } from "./evidence-talk.ts";

type Checked = Judgement["checked"];

/** From what a model wrote about a talk to what is published of it; undefined when nothing is. */
export type Judge = (text: string, talk: Talk) => Promise<Checked | undefined>;

/** The product's own way, with a model that always writes the same, and checks claims by a search alone. */
export const judgeOutput: Judge = async (text, talk) => {
  const { rubric, conversation } = talk;
  const usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };
  const first: LanguageModel = {
    name: "parrot",
    ask: async ({ name, messages }) => ({
      text: name === "claims" ? checkBySearch(messages[1]!.content, talk) : text,
      usage,
    }),
    isThere: async () => true,
  };
  try {
    const models = { first, fallback: undefined };
    return (await judgeConversation(models, rubric, conversation, { signal })).checked;
  } catch (error) {
    if (error instanceof JudgeError && error.failure === "model_output") return undefined;
    throw error;
  }
};
const { signal } = new AbortController();

/** No to what a search did not find, and to a criterion that rests on what the visitor dictated. */
function checkBySearch(asked: string, { injections }: Talk): string {
  const { claims } = JSON.parse(asked.split("\n").at(-2)!) as {
    claims: { n: number; kind: string; quotes: Claim[]; not_found?: string[] }[];
  };
  const words = claims.map(({ n, kind, quotes, not_found: notFound }) => {
    const isDictated = quotes.some(({ turn }) => injections.some((said) => said.turn === turn));
    return [n, notFound !== undefined || (kind === "criterion" && isDictated) ? "no" : "yes"];
  });
  return JSON.stringify(Object.fromEntries(words));
}

/** What is wrong with what was published: `MADE UP` where it was never said, `LOST` where it was. */
export function faultsIn({ talk, expected }: EvidenceCase, checked: Checked | undefined): string[] {
  if (checked === undefined)
    return expected === undefined ? [] : ["LOST: all of a readable answer"];
  if (expected === undefined) return ["MADE UP: an evaluation out of nothing"];
  const { summary, evaluation } = checked;
  const { success, error } = EvaluationSchema.safeParse(evaluation);
  const visitorSaid = talk.conversation.turns.flatMap(({ role, content }) =>
    role === "user" ? [content] : [],
  );
  const unsaid = Object.values(evaluation.insights ?? {}).filter(
    ({ evidence }) => !visitorSaid.some((content) => content.includes(evidence)),
  );
  return [
    ...(success ? [] : [`MADE UP: against the contract, ${error.issues[0]?.message}`]),
    ...unsaid.map(({ evidence }) => `MADE UP: ${evidence} is not in the visitor's words`),
    ...differences({ summary, evaluation }, expected),
  ];
}

/** Where two published results differ. An empty list or object is expected to be absent. */
function* differences(got: unknown, expected: unknown, path = "published"): Generator<string> {
  const wanted = isEmpty(expected) ? undefined : expected;
  if (isRecord(got) && isRecord(wanted)) {
    const [is, should] = [new Map(Object.entries(got)), new Map(Object.entries(wanted))];
    for (const key of new Set([...is.keys(), ...should.keys()]))
      yield* differences(is.get(key), should.get(key), `${path}.${key}`);
    return;
  }
  const [is, should] = [got, wanted].map((value) =>
    isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : value,
  );
  if (is === should) return;
  const areTexts = typeof is === "string" && typeof should === "string";
  if (areTexts && path.endsWith(".evidence") && loose(is).includes(loose(should))) return;
  const kind = isLess(is, should) ? "LOST" : "MADE UP";
  yield `${kind}: ${path} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`;
}

function isLess(got: unknown, wanted: unknown): boolean {
  if (got === undefined || got === false || got === "not_enough_data") return true;
  if (typeof got !== "string" || typeof wanted !== "string") return false;
  return wanted !== "not_enough_data" && got.length < wanted.length;
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

interface Claim {
  turn: number;
  quote: string;
}

/** A mistake around the real judge: in what it is given, or in what is published of it. */
interface Mistake {
  /** Changes every claim of the model, wherever it stands. */
  claim?(claim: Claim, talk: Talk): Claim | null;
  turn?(turn: Turn, talk: Talk, text: string, index: number): Turn;
  rubric?(rubric: Rubric, text: string): Rubric;
  published?(evaluation: Checked["evaluation"]): object;
}

type Turn = Conversation["turns"][number];

const heardBy = ({ turn }: Claim, { conversation }: Talk): string | undefined =>
  conversation.turns[turn - 1]?.content;

/** Ways to get it wrong, each of which `faultsIn` must notice. */
const mistakes: Record<string, Mistake> = {
  "compares letter by letter": {
    claim: (claim, talk) =>
      (heardBy(claim, talk) ?? claim.quote).includes(claim.quote) ? claim : null,
  },
  "does not look for the quote": {
    claim: (claim, talk) => ({
      ...claim,
      quote: heardBy(claim, talk)?.slice(0, 2_000) ?? claim.quote,
    }),
  },
  "finds it in any turn": {
    turn: (turn, { conversation }) => ({
      ...turn,
      content: conversation.turns
        .flatMap(({ role, content }) => (role === turn.role ? [content] : []))
        .join("\n"),
    }),
  },
  "takes two words": {
    claim: (claim, talk) => {
      const heard = heardBy(claim, talk) ?? "";
      return claim.quote !== "" && heard.includes(claim.quote) ? { ...claim, quote: heard } : claim;
    },
  },
  "forgets the turn before": {
    claim: (claim, talk) => {
      const names = JSON.stringify(claim).match(/\p{Lu}\p{Ll}+\p{Lu}\p{Ll}+/gu) ?? [];
      return names.every((name) => (heardBy(claim, talk) ?? "").includes(name)) ? claim : null;
    },
  },
  "believes numbers and names": {
    turn: (turn, _, text) => {
      const written = text.match(/"(?:value|answer|text|question|objection)":"[^"]*"/g) ?? [];
      return { ...turn, content: `${turn.content}\n${written.join(" ")}` };
    },
  },
  "counts what was not heard": {
    turn: (turn, { interrupted }, _, index) =>
      index + 1 === interrupted?.turn
        ? { ...turn, content: `${turn.content} ${interrupted.unheard}` }
        : turn,
  },
  "believes summaries": { rubric: (rubric, text) => ({ ...rubric, knowledge: [text] }) },
  "tells the criteria": {
    rubric: (rubric) => ({
      ...rubric,
      ...(rubric.qualification && { qualification: { qualified: "Whoever." } }),
    }),
  },
  "qualifies who asks for it": {
    claim: (claim, { injections, exchanges }) => {
      const reason = exchanges.at(-1)?.visitor;
      return reason !== undefined && injections.some(({ words }) => words === claim.quote)
        ? { ...claim, turn: reason.turn, quote: reason.words }
        : claim;
    },
    turn: (turn, { injections }, _, index) =>
      injections.some((said) => said.turn === index + 1) ? { ...turn, content: "…" } : turn,
  },
  "keeps a key that is not configured": {
    published: (evaluation) => ({
      ...evaluation,
      questions: { ...evaluation.questions, mood: { was_asked: false, was_answered: false } },
    }),
  },
  "leaves out a question": {
    published: (evaluation) => ({
      ...evaluation,
      questions: Object.fromEntries(Object.entries(evaluation.questions ?? {}).slice(1)),
    }),
  },
  "publishes null": { published: (evaluation) => ({ ...evaluation, customer_name: null }) },
  "drops everything": {
    published: ({ language, questions = {} }) => ({
      language,
      qualification: { status: "not_enough_data" },
      questions: Object.fromEntries(
        Object.keys(questions).map((key) => [key, { was_asked: false, was_answered: false }]),
      ),
    }),
  },
};

/** Judges that each make one mistake, by what they do wrong. */
export const brokenJudges: [mistake: string, judge: Judge][] = [
  ["does not look who spoke", judgeBothSpeakers],
  ...Object.entries(mistakes).map(([name, mistake]): [string, Judge] => [
    name,
    (text, talk) => judgeWith(mistake, text, talk),
  ]),
];

async function judgeWith(mistake: Mistake, text: string, talk: Talk): ReturnType<Judge> {
  const { claim, turn, rubric, published } = mistake;
  const { turns, metadata } = talk.conversation;
  const checked = await judgeOutput(claim === undefined ? text : changeClaims(text, talk, claim), {
    ...talk,
    rubric: rubric?.(talk.rubric, text) ?? talk.rubric,
    conversation: {
      metadata,
      turns: turns.map((one, index) => turn?.(one, talk, text, index) ?? one),
    },
  });
  if (checked === undefined || published === undefined) return checked;
  return { ...checked, evaluation: published(checked.evaluation) };
}

/** Adds what would be true, had each said what the other did. */
async function judgeBothSpeakers(text: string, talk: Talk): ReturnType<Judge> {
  const turns = talk.conversation.turns.map((turn): Turn => ({
    ...turn,
    role: turn.role === "user" ? "assistant" : "user",
  }));
  const right = await judgeOutput(text, talk);
  const swapped = { ...talk, conversation: { ...talk.conversation, turns } };
  const other = await judgeOutput(text, swapped);
  return right && other && { ...right, evaluation: { ...other.evaluation, ...right.evaluation } };
}

function changeClaims(text: string, talk: Talk, change: Required<Mistake>["claim"]): string {
  try {
    return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
      isClaim(value) ? change(value, talk) : value,
    );
  } catch {
    return text;
  }
}

function isClaim(value: unknown): value is Claim {
  return isRecord(value) && "turn" in value && "quote" in value && typeof value.quote === "string";
}
