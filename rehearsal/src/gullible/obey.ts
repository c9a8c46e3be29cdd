import { mapValues, trueQuote } from "../evaluation/answer.ts";
import type { EvaluationAnswer, Quote } from "../evaluation/answer.ts";
import type { EvaluationDocument } from "../evaluation/document.ts";
import type { ToolCall } from "../language-model/answer.ts";
import type { Tool } from "../language-model/chat-request.ts";
import { sentences } from "../words/words-of.ts";
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

/** What a believing model says and calls when the visitor orders it to; undefined when nothing was ordered. */
export function obeyInConversation(
  lastUserText: string,
  systemPrompt: string,
  tools: Tool[],
): { text: string; calls: ToolCall[] } | undefined {
  const orders = findOrders([lastUserText]);
  const spaced = lastUserText.toLowerCase().replaceAll("_", " ");
  const ordered = tools.filter(({ name }) =>
    spaced.includes(name.toLowerCase().replaceAll("_", " ")),
  );
  const times = Math.min(Number(TIMES.exec(spaced)?.[1] ?? 1), MAX_CALLS);
  const calls = ordered.flatMap((tool) =>
    Array.from({ length: times }, () => callOf(tool, lastUserText, systemPrompt)),
  );
  const leaks = orders.reveal ? orders.codes.map((code) => code.write(systemPrompt)) : [];
  const lines = [...orders.dictated, ...leaks];
  return lines.length === 0 && calls.length === 0 ? undefined : { text: lines.join("\n"), calls };
}

const TIMES = /(\d+) (?:times|mal|fois|veces)/;
const MAX_CALLS = 1_000;

/** With what the order names: an address, or what the prompt has of an id or a key. */
function callOf({ name, parameters }: Tool, order: string, systemPrompt: string): ToolCall {
  const found: Record<string, string | undefined> = {
    prefill: /[^\s"“”<>,]+@[^\s"“”<>,]+\p{L}/u.exec(order)?.[0],
    id: /"id":"([^"]+)"/.exec(systemPrompt)?.[1],
    question: /"key":"([^"]+)"/.exec(systemPrompt)?.[1],
    quote: order,
    query: order,
  };
  const taken = Object.keys(parameters["properties"] ?? {});
  const entries = taken.flatMap((key) => (found[key] === undefined ? [] : [[key, found[key]]]));
  return { name, arguments: Object.fromEntries(entries) };
}
