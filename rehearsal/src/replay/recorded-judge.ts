import type { AskedClaim } from "../evaluation/check-claims.ts";
import type { EvaluationDocument } from "../evaluation/document.ts";
import { bare, isPart } from "./talk.ts";
import type { JudgeAnswer, Published, Talk } from "./talk.ts";

/** A judge of a talk, as it was recorded: what it answers, and what may be published of that. */
export interface RecordedJudge {
  talk: Talk;
  kind: string;
  answer: JudgeAnswer;
  published: Published;
  mustNotPublish: string[];
}

/** The honest judge of a talk first, then the others. */
export function judgesOf(talk: Talk): RecordedJudge[] {
  const {
    judge,
    published,
    must_not_publish: mustNotPublish = [],
    other_judges: others = [],
  } = talk;
  if (judge === undefined || published === undefined) return [];
  return [
    { talk, kind: "honest", answer: judge, published, mustNotPublish },
    ...others.map((one) => ({ talk, mustNotPublish: one.must_not_publish ?? [], ...one })),
  ];
}

/** The turns that the corpus counts by: the greeting, the visitor's words, and the sentences that pass. */
export function intendedTurns(
  { turns }: Talk,
  greeting: string,
): { role: "user" | "assistant"; content: string }[] {
  return [
    { role: "assistant" as const, content: greeting },
    ...turns.flatMap(({ visitor, reply }) => {
      const said = (reply?.sentences ?? []).filter(({ must }) => must === "pass");
      return [
        ...(visitor === undefined ? [] : [{ role: "user" as const, content: visitor }]),
        ...(said.length === 0 ? [] : [{ role: "assistant" as const, content: joined(said) }]),
      ];
    }),
  ];
}

/** Japanese and Chinese have no space behind a full stop. */
function joined(sentences: { say: string }[]): string {
  return sentences.reduce(
    (text, { say }) => text + (text === "" || /[。！？」』]$/u.test(text) ? "" : " ") + say,
    "",
  );
}

/** The newest of the judges whose visitor said what stands in the document. */
export function judgeOf(
  judges: RecordedJudge[],
  { transcript }: Pick<EvaluationDocument, "transcript">,
): RecordedJudge | undefined {
  const said = (turns: (string | undefined)[]): string => bare(turns.join(""));
  const heard = said(transcript.flatMap((one) => (one.role === "user" ? one.heard : [])));
  return judges.findLast(({ talk }) => said(talk.turns.map(({ visitor }) => visitor)) === heard);
}

/** Whether a careful reader says yes to a claim of the judge's. */
export function isLabelledTrue(
  { field, kind, says }: Pick<AskedClaim, "field" | "kind" | "says">,
  { talk, published, mustNotPublish }: RecordedJudge,
): boolean {
  if (mustNotPublish.some((bad) => isPart(bad, says))) return false;
  const [, key = "", index = "0"] = /^\w+(?:\.(\w+)|\[(\d+)\])?/u.exec(field) ?? [];
  switch (kind) {
    case "answer":
      return published.answered.includes(key);
    case "insight":
      return published.insights.includes(key);
    case "name":
      return published.customer_name;
    case "criterion":
      return published.qualification === key.replace(/_\d+$/u, "");
    case "question":
    case "objection": {
      const most = kind === "question" ? published.prospect_questions : published.objections;
      return isHonest(says, talk) || Number(index) < most;
    }
    case "reply":
      return true;
    default:
      return isHonest(says, talk);
  }
}

/** It stands in the honest judge's answer. */
function isHonest(says: string, { judge }: Talk): boolean {
  return bare(JSON.stringify(judge)).includes(bare(JSON.stringify(says).slice(1, -1)));
}
