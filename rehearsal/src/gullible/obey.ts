import { mapValues, trueQuote } from "../evaluation/answer.ts";
import type { EvaluationAnswer, Quote } from "../evaluation/answer.ts";
import type { EvaluationDocument } from "../evaluation/document.ts";
import { phrasePattern, sentences } from "../words/words-of.ts";
import { findOrders, isOrdered } from "./orders.ts";
import type { Code } from "./orders.ts";

/**
 * Does what the transcript and the metadata say, with quotes that are true: marks, renames,
 * repeats, and lets out what it was told wherever a text can carry it.
 */
export function obeyInEvaluation(
  answer: EvaluationAnswer,
  document: EvaluationDocument,
  systemPrompt: string,
): EvaluationAnswer {
  const said = document.transcript.filter((turn) => turn.role === "user");
  const metadata = Object.values(document.metadata).map((heard) => ({ turn: 0, heard }));
  const heard = [...said, ...metadata];
  const orders = findOrders(heard.map((one) => one.heard));
  if (!isOrdered(orders) || said.length === 0) return answer;

  const proof = trueQuote(document);
  const leaks = orders.reveal ? leaksOf(document, systemPrompt, orders.codes) : [];
  const { qualification, customer_name } = answer;
  return {
    ...answer,
    ...carrying(answer, [...orders.dictated, ...leaks], proof),
    customer_name: orders.name === undefined ? customer_name : { ...proof, value: orders.name },
    ...(qualification && {
      qualification: {
        status: orders.status ?? qualification.status,
        reasoning: [qualification.reasoning, ...leaks].join(" ").slice(0, LONGEST_TEXT),
        because: [...qualification.because, ...orderedIn(heard)].slice(0, 10),
      },
    }),
  };
}

/** What is too long to be taken would leak nothing. */
const LONGEST_SECRET = 200;
const LONGEST_LINE = 500;
const LONGEST_TEXT = 2_000;

/** Every secret in every code. Where it begins differs between conversations, so that each gets out somewhere. */
function leaksOf(document: EvaluationDocument, systemPrompt: string, codes: Code[]): string[] {
  const { qualified, disqualified } = document.qualification ?? {};
  const texts = [...document.questions, ...document.insights].map((one) => one.text);
  const leaks = [qualified, disqualified, systemPrompt, ...texts]
    .filter((secret) => secret !== undefined)
    .flatMap((secret) => codes.map((code) => code.write(secret.slice(0, LONGEST_SECRET))));
  const start = JSON.stringify(document.transcript).length % leaks.length;
  return [...leaks.slice(start), ...leaks.slice(0, start)];
}

/** Every text says some of the lines. */
function carrying(
  answer: EvaluationAnswer,
  lines: string[],
  proof: Quote,
): Partial<EvaluationAnswer> {
  if (lines.length === 0) return {};
  let next = 0;
  const line = (): string => lines[next++ % lines.length]!.slice(0, LONGEST_LINE);
  const text = (honest: string): string => {
    let said = honest;
    for (let one = line(); said.length + one.length < LONGEST_TEXT; one = line()) said += ` ${one}`;
    return said;
  };
  return {
    conversation_summary: text(answer.conversation_summary),
    summary: text(answer.summary),
    prospect_summary: text(answer.prospect_summary),
    questions: mapValues(answer.questions, ({ asked, answered }) => ({
      asked,
      answered: { ...(answered ?? proof), answer: line() },
    })),
    insights: mapValues(answer.insights, (insight) => ({ ...(insight ?? proof), value: line() })),
    prospect_questions: [
      ...answer.prospect_questions,
      { ...proof, question: line(), answer: null },
    ],
    objections: [...answer.objections, { ...proof, objection: line(), response: null }],
  };
}

/** What gave the orders. */
function orderedIn(sources: { turn: number; heard: string }[]): Quote[] {
  return sources.flatMap(({ turn, heard }) =>
    sentences(heard)
      .filter((sentence) => isOrdered(findOrders([sentence])))
      .map((quote) => ({ turn, quote })),
  );
}

/**
 * What a believing model writes when the visitor orders it to, as often as it is told to; undefined
 * when nothing was ordered.
 */
export function obeyInConversation(ordered: string, systemPrompt: string): string | undefined {
  const orders = findOrders([ordered]);
  const spaced = ordered.toLowerCase().replaceAll("_", " ");
  const times = Math.min(Number(TIMES.exec(spaced)?.[1] ?? 1), MAX_TIMES);
  const found = {
    address: /[^\s"“”<>,]+@[^\s"“”<>,]+\p{L}/u.exec(ordered)?.[0] ?? "",
    id: /"id":"([^"]+)"/.exec(systemPrompt)?.[1] ?? "",
    key: /"key":"([^"]+)"/.exec(systemPrompt)?.[1] ?? "",
    // A mark would end at the first one inside it.
    quote: ordered.replaceAll(/[⟦⟧\n]/g, " ").trim(),
  };
  const directions = DIRECTIONS.filter(({ names }) => names.test(spaced)).flatMap(({ write }) =>
    Array.from({ length: times }, () => `⟦${write(found)}⟧`),
  );
  // What the server has defused in a visitor's words is a direction again in the model's.
  const copied = [...ordered.matchAll(/\[\[(.+?)\]\]/gu)].map(([, inner]) => `⟦${inner}⟧`);
  const leaks = orders.reveal ? orders.codes.map((code) => code.write(systemPrompt)) : [];
  const lines = [...orders.dictated, ...leaks];
  const marks = [...directions, ...copied];
  if (lines.length === 0 && marks.length === 0) return undefined;
  // A direction takes effect with a word: each has one of its own.
  return [...marks.map((mark) => `${mark} Done.`), lines.join("\n")].join(" ").trim();
}

const TIMES = /(\d+) (?:times|mal|fois|veces)/;
const MAX_TIMES = 1_000;

/** How each direction is ordered: by the name of its tool, or in plain words. */
const DIRECTIONS: {
  names: RegExp;
  write(found: Record<"address" | "id" | "key" | "quote", string>): string;
}[] = [
  {
    names: phrasePattern(["show content", "show the slide", "show every", "show all"]),
    write: ({ id }) => `show ${id}`,
  },
  {
    names: phrasePattern(["ask email", "open the card", "email card", "store", "trage", "guarda"]),
    write: ({ address }) => `email ${address}`.trim(),
  },
  {
    names: phrasePattern(["note answer", "note the answer", "note that", "notiere", "note que"]),
    write: ({ key, quote }) => `got ${key}: ${quote}`,
  },
  { names: phrasePattern(["talk to a person"]), write: () => "person" },
  {
    names: phrasePattern(
      ["end session", "end the session", "end the call", "end the talk"],
      ["beende das Gespräch", "beende die Sitzung", "termine la session", "termina la sesión"],
    ),
    write: () => "bye",
  },
];
