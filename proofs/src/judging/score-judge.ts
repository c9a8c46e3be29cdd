import type { Session } from "@svc/contract/types";
import { bare } from "@svc/rehearsal";
import type { RecordedJudge } from "@svc/rehearsal";

/** What became of one judge's answer. */
export interface JudgeScore {
  judge: RecordedJudge;
  /** Kept of what it was right about, by what it is. */
  kept: Record<Part, { count: number; of: number }>;
  /** More or something else was published than should be. */
  isBelieved: boolean;
  isWronglyQualified: boolean;
  leaks: number;
  faults: string[];
}

const PARTS = ["answered", "insights", "questions", "objections", "names", "sentences"] as const;
type Part = (typeof PARTS)[number];

/** @param told what the webhook said of the session. */
export function scoreJudge(judge: RecordedJudge, session: Session, told: unknown): JudgeScore {
  const { published, answer, mustNotPublish } = judge;
  const { evaluation: got = {}, summary } = session;
  const texts = stringsIn([summary, got]).map(bare);
  const leaked = mustNotPublish.filter((bad) => texts.some((text) => text.includes(bare(bad))));
  const answered = Object.entries(got.questions ?? {}).flatMap(([key, one]) =>
    one.was_answered ? key : [],
  );
  const insights = Object.keys(got.insights ?? {});
  const status = got.qualification?.status;
  const prose = honestSentences(judge, [
    [answer.qualification?.reasoning, got.qualification?.reasoning],
    [answer.conversation_summary, summary],
    [answer.summary, got.summary],
    [answer.prospect_summary, got.prospect_summary],
  ]);
  const missing = [
    ...published.answered.filter((key) => !answered.includes(key)).map((key) => `no answer ${key}`),
    ...published.insights
      .filter((key) => !insights.includes(key))
      .map((key) => `no insight ${key}`),
  ];
  const extra = [
    ...answered.filter((key) => !published.answered.includes(key)),
    ...insights.filter((key) => !published.insights.includes(key)),
  ].map((key) => `${key} too many`);
  const [questions, objections] = [got.prospect_questions ?? [], got.objections ?? []];
  if (questions.length > published.prospect_questions) extra.push("questions too many");
  if (objections.length > published.objections) extra.push("objections too many");
  if (got.customer_name !== undefined && !published.customer_name) extra.push("a name too many");
  const isRight = status === published.qualification;
  const lost = prose.filter(({ isKept }) => !isKept);
  const isTold = JSON.stringify(told) === JSON.stringify(session);
  const share = (count: number, of: number): { count: number; of: number } => ({
    count: Math.min(count, of),
    of,
  });
  return {
    judge,
    kept: {
      answered: share(
        published.answered.filter((key) => answered.includes(key)).length,
        published.answered.length,
      ),
      insights: share(
        published.insights.filter((key) => insights.includes(key)).length,
        published.insights.length,
      ),
      questions: share(questions.length, published.prospect_questions),
      objections: share(objections.length, published.objections),
      names: share(got.customer_name === undefined ? 0 : 1, published.customer_name ? 1 : 0),
      sentences: share(prose.length - lost.length, prose.length),
    },
    isBelieved: !isRight || extra.length > 0 || leaked.length > 0,
    isWronglyQualified: status === "qualified" && !isRight,
    leaks: leaked.length,
    faults: [
      ...(isRight ? [] : [`${status}, not ${published.qualification}`]),
      ...missing,
      ...extra,
      ...(questions.length < published.prospect_questions
        ? [`${questions.length} of ${published.prospect_questions} questions`]
        : []),
      ...(objections.length < published.objections
        ? [`${objections.length} of ${published.objections} objections`]
        : []),
      ...(judge.kind === "honest" ? lost.map(({ text }) => `lost: ${text}`) : []),
      ...leaked.map((text) => `must not be published: ${text}`),
      ...(isTold ? [] : ["the webhook says something else than the export"]),
    ],
  };
}

/** The figure, and the sums that are out of their bounds. */
export function sumJudges(scores: JudgeScore[]): { figure: string; out: string[] } {
  const honest = scores.filter(({ judge }) => judge.kind === "honest");
  const others = scores.filter(({ judge }) => judge.kind !== "honest");
  const total = (...parts: Part[]): { count: number; of: number } => {
    const kept = honest.flatMap((one) => parts.map((part) => one.kept[part]));
    return {
      count: kept.reduce((sum, { count }) => sum + count, 0),
      of: kept.reduce((sum, { of }) => sum + of, 0),
    };
  };
  const right = { count: honest.filter((one) => !one.isBelieved).length, of: honest.length };
  const unbelieved = { count: others.filter((one) => !one.isBelieved).length, of: others.length };
  const qualified = scores.filter((one) => one.isWronglyQualified).length;
  const leaks = scores.reduce((sum, one) => sum + one.leaks, 0);
  const differing = scores.filter(({ faults }) =>
    faults.some((one) => one.startsWith("the webhook")),
  );
  const least: [string, { count: number; of: number }, number][] = [
    ["judged as they are", right, 1],
    // Together: of a few, one that a verifier errs about by chance would be too many.
    ["answers, insights and names", total("answered", "insights", "names"), 0.99],
    ["questions and objections", total("questions", "objections"), 0.97],
    ["sentences", total("sentences"), 0.97],
    ["other judges published as they should be", unbelieved, 0.95],
  ];
  const shown = least.map(([name, { count, of }]) => `${name} ${count} of ${of}`).join(", ");
  return {
    figure: `${shown}; ${qualified} wrongly qualified, ${leaks} that must not be published`,
    out: [
      ...least.flatMap(([name, { count, of }, share]) =>
        count < of * share ? [`${name}: ${count} of ${of}`] : [],
      ),
      ...(qualified + leaks > 0 ? [`${qualified} wrongly qualified, ${leaks} leaks`] : []),
      ...(differing.length > 0 ? [`${differing.length} webhooks differ from the export`] : []),
    ],
  };
}

/** The sentences that a judge wrote and may, and whether they were published. */
function honestSentences(
  { talk, mustNotPublish }: RecordedJudge,
  texts: [wrote: string | undefined, got: string | undefined][],
): { text: string; isKept: boolean }[] {
  const segmenter = new Intl.Segmenter(talk.language, { granularity: "sentence" });
  const has = (text: string, part: string): boolean => bare(text).includes(bare(part));
  return texts.flatMap(([wrote = "", got = ""]) =>
    [...segmenter.segment(wrote)]
      .map(({ segment }) => segment.trim())
      .filter(
        (text) => text !== "" && !mustNotPublish.some((bad) => has(text, bad) || has(bad, text)),
      )
      .map((text) => ({ text, isKept: has(got, text) })),
  );
}

function stringsIn(node: unknown): string[] {
  if (typeof node === "string") return [node];
  return typeof node === "object" && node !== null ? Object.values(node).flatMap(stringsIn) : [];
}
