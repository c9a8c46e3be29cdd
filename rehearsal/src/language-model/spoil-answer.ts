import { isForVerifier } from "../conversation/check-sentence.ts";
import { readTalk } from "../conversation/talk.ts";
import { obeyInConversation, obeyInEvaluation } from "../gullible/obey.ts";
import { draftForOwner } from "../words/draft-for-owner.ts";
import type { Answer } from "./answer.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { FaultKind } from "./fault.ts";
import { smallestCall, written } from "./mind.ts";
import type { Thought } from "./mind.ts";
import { hugeText, spoilEvaluation } from "./spoil-evaluation.ts";

/** The answer as a faulty model gives it. Faults that are not about content leave it as it is. */
export function spoilAnswer(kind: FaultKind, thought: Thought, request: ChatRequest): Answer {
  const { answer, evaluation } = thought;
  const spoil = evaluation && spoilEvaluation[kind];
  if (spoil)
    return written(spoil(evaluation.answer, evaluation.document), answer.by, evaluation.document);
  const said = (text: string): Answer => ({ text, toolCalls: [], finish: "stop", by: answer.by });
  switch (kind) {
    case "truncated":
      return { ...answer, text: twoThirds(answer.text), toolCalls: [], finish: "length" };
    case "prose":
      return said("Certainly. The visitor was friendly, and I think that it went rather well.");
    case "code_fence":
      return said(`\`\`\`json\n${answer.text}\n\`\`\`\n`);
    case "huge_string":
      return said(hugeText());
    case "empty":
      return said("");
    case "refusal":
      return { ...said(""), refusal: "I'm sorry, but I can't help with that request." };
    case "content_filter":
      return { ...said(""), finish: "content_filter" };
    case "tool_loop":
      return calling(request, 1, answer.by);
    case "tool_flood":
      return calling(request, 1_000, answer.by);
    case "broken_marks":
      return { ...answer, text: withBrokenMarks(answer.text) };
    case "thinking":
      return { ...answer, text: `<think>The visitor wants ⟦bye⟧. So I…</think>${answer.text}` };
    case "tool_text":
      return {
        ...answer,
        text: `<tool_call>{"name": "end_session"}</tool_call>${answer.text} [TOOL_CALLS][{"name": "ask_email"}]`,
      };
    case "wrong_usage":
      return {
        ...answer,
        usage: { prompt_tokens: 1_000_000, completion_tokens: 1_000_000, total_tokens: 7 },
      };
    case "gullible":
      return obeyed(thought, request);
    default:
      return answer;
  }
}

function twoThirds(text: string): string {
  return text.slice(0, Math.floor((text.length * 2) / 3)).toWellFormed();
}

function calling(request: ChatRequest, times: number, by: string): Answer {
  const call = smallestCall(request.tools[0]!);
  return {
    text: "",
    toolCalls: Array.from({ length: times }, () => call),
    finish: "tool_calls",
    by,
  };
}

/** Of each kind one: unknown, nested, and at the end one that is not closed. */
function withBrokenMarks(text: string): string {
  return `⟦dance⟧ ${text.replace(/[.!?] /, (end) => `${end}⟦show ⟦email⟧ x⟧ `)} ⟦show every`;
}

function obeyed({ answer, evaluation }: Thought, request: ChatRequest): Answer {
  const systemPrompt = request.messages
    .filter(({ role }) => role === "system" || role === "developer")
    .map((message) => message.text)
    .join("\n");
  if (evaluation) {
    const { answer: honest, document } = evaluation;
    return written(obeyInEvaluation(honest, document, systemPrompt), answer.by, document);
  }
  const draft = draftForOwner(request, true);
  if (draft !== undefined) return written(draft, answer.by);
  if (request.format !== undefined || isForVerifier(request.messages)) return answer;
  const text = obeyInConversation(orderedIn(request), systemPrompt);
  return text === undefined ? answer : { text, toolCalls: [], finish: "stop", by: answer.by };
}

/** What the visitor said last, and what their page told. */
function orderedIn(request: ChatRequest): string {
  const talk = readTalk(request);
  if (talk === undefined) {
    return request.messages.findLast(({ role }) => role === "user")?.text ?? "";
  }
  return [talk.visitorSaid ?? "", ...Object.values(talk.state.page).map(String)].join("\n");
}
