import { endsInQuestion, fold, saysUnknown, sentencesOf } from "#language";
import * as z from "zod";

/** Why an agent had no answer: nothing was found, it said so, or what it wanted to say stands nowhere. */
export type GapReason = "not_found" | "said_unknown" | "held";

/** Something that a visitor asked and the agent could not answer. */
export interface Unanswered {
  sessionId: string;
  agentVersion: number;
  at: Date;
  language: string;
  /** What the visitor was heard to ask, and all that they said with it. */
  question: string;
  heard: string;
  /** The same in the language of the knowledge, in the model's words. */
  phrasings: string[];
  reasons: GapReason[];
  /** Why sentences of the answer were held back. */
  held: string[];
}

/** A session as it is recorded, in order. */
export interface TalkRecord {
  id: string;
  agentVersion: number;
  language: string;
  turns: { role: "user" | "assistant"; content: string; at: Date }[];
  events: { kind: string; detail: Record<string, unknown>; at: Date }[];
}

/** A reply begins with the state that the model was told, and ends before the next. */
export function unansweredIn(talk: TalkRecord): Unanswered[] {
  const starts = [...talk.events.entries()].filter(([, { kind }]) => kind === "state");
  return starts.flatMap(([at, { at: from, detail }], index) => {
    const [end, next] = starts[index + 1] ?? [talk.events.length];
    const turns = talk.turns.filter((turn) => next === undefined || turn.at < next.at);
    const said = turns.filter((turn) => turn.role === "assistant" && turn.at >= from);
    const asked = lastAsked(turns.filter((turn) => turn.at <= from));
    if (asked === undefined) return [];
    const language = z.string().catch(talk.language).parse(detail["language"]);
    const events = talk.events.slice(at + 1, end);
    return gapsOf(asked.text, language, said, events).map((gap) => ({
      sessionId: talk.id,
      agentVersion: talk.agentVersion,
      at: asked.at,
      language,
      ...gap,
    }));
  });
}

/** What the visitor has said since the agent spoke. */
function lastAsked(turns: TalkRecord["turns"]): { text: string; at: Date } | undefined {
  const heard = turns.slice(turns.findLastIndex(({ role }) => role === "assistant") + 1);
  const last = heard.at(-1);
  return last && { text: heard.map(({ content }) => content).join(" "), at: last.at };
}

function gapsOf(
  heard: string,
  language: string,
  said: TalkRecord["turns"],
  events: TalkRecord["events"],
): Pick<Unanswered, "question" | "heard" | "phrasings" | "reasons" | "held">[] {
  const of = <Detail>(kind: string, schema: z.ZodType<Detail>): Detail[] =>
    events.flatMap((event) =>
      event.kind === kind ? (schema.safeParse(event.detail).data ?? []) : [],
    );
  const noted = of("direction", Noted).map(({ value }) => value);
  const searches = of("search", Search);
  const isFound = searches.some(({ sections }) => sections.length > 0);
  const isSourced = events.some(({ kind }) => kind === "sources");
  const held = isSourced ? [] : of("held", Held).map(({ code }) => code);
  const questions = sentencesOf(heard, language).filter((one) => endsInQuestion(one));
  // Nothing is missing where nothing was asked: a model also searches for what a visitor tells.
  const isAsked = questions.length > 0;
  const isAdmitted = isAsked && said.some(({ content }) => saysUnknown(content));
  const reasons = new Set<GapReason>();
  if (noted.length > 0 || isAdmitted) reasons.add("said_unknown");
  if (isAsked && searches.length > 0 && !isFound && !isSourced) reasons.add("not_found");
  if (isAsked && held.length > 0) reasons.add("held");
  if (reasons.size === 0) return [];
  const queries = isFound ? [] : searches.flatMap((one) => one.queries);
  const about = noted.length > 1 ? noted.map((one) => [one]) : [[...noted, ...queries]];
  return about.map((phrasings) => ({
    question: questionAbout(phrasings, questions, heard),
    heard,
    phrasings,
    reasons: [...reasons],
    held,
  }));
}

const Noted = z.object({ name: z.literal("unknown"), done: z.literal(true), value: z.string() });
/** A search that failed says nothing about what is known. */
const Search = z.object({
  sections: z.array(z.string()),
  queries: z.array(z.string()).catch([]),
  why: z.undefined().optional(),
});
/** The others say nothing about the knowledge: what was answered before, what is confidential, what only a person may say. */
const Held = z.object({ code: z.string().refine((code) => !OTHER_VETOES.has(code)) });
const OTHER_VETOES = new Set(["asked", "secret", "human"]);

const MAX_QUOTED = 300;

/** Of several questions the one that shares most words with what the model made of it; all of them where that does not tell. */
function questionAbout(phrasings: string[], questions: string[], heard: string): string {
  const words = new Set(phrasings.flatMap((one) => fold(one).split(" ")));
  const shared = questions.map(
    (one) =>
      fold(one)
        .split(" ")
        .filter((word) => words.has(word)).length,
  );
  const most = Math.max(...shared);
  const best = questions.filter((_, index) => shared[index] === most);
  const quoted = best.length === 0 ? heard : best.join(" ");
  return quoted.replaceAll(/\s+/g, " ").trim().slice(0, MAX_QUOTED).toWellFormed();
}
