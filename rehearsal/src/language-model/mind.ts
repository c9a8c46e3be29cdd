import { join } from "node:path";
import { conversationAnswerer } from "../conversation/answer-conversation.ts";
import { conversationScript } from "../conversation/script.ts";
import { evaluationAnswerer } from "../evaluation/answer-evaluation.ts";
import type { EvaluationAnswer } from "../evaluation/answer.ts";
import { findDocument } from "../evaluation/document.ts";
import type { EvaluationDocument } from "../evaluation/document.ts";
import { evaluationScript } from "../evaluation/script.ts";
import { readScripts } from "../read-scripts.ts";
import type { Answer, ToolCall } from "./answer.ts";
import type { ChatRequest, Tool } from "./chat-request.ts";
import { smallestValue } from "./smallest-value.ts";

/** What a request turned out to be, and the honest answer to it. */
export interface Thought {
  answer: Answer;
  /** Set where the request was for an evaluation. */
  evaluation?: { document: EvaluationDocument; answer: EvaluationAnswer };
}

export interface Mind {
  think(request: ChatRequest): Thought;
  /** How many scripts it knows. */
  scripts: { evaluations: number; conversations: number };
}

/** Scripts first, rules for the rest. */
export function createMind(scriptsFolder: string): Mind {
  const evaluations = readScripts(join(scriptsFolder, "evaluations"), evaluationScript);
  const conversations = readScripts(join(scriptsFolder, "conversations"), conversationScript);
  const evaluate = evaluationAnswerer(evaluations);
  const converse = conversationAnswerer(conversations);
  return {
    scripts: { evaluations: evaluations.length, conversations: conversations.length },
    think(request) {
      const { format } = request;
      if (format === undefined) return { answer: speak(request, converse) };
      const document = format.name === "evaluation" ? documentOf(request) : undefined;
      if (document === undefined) return { answer: written(smallestValue(format.schema), "rules") };
      const { answer, by } = evaluate(document);
      return { answer: written(answer, by), evaluation: { document, answer } };
    },
  };
}

/** An answer that is JSON and nothing else. */
export function written(value: unknown, by: string): Answer {
  return { text: JSON.stringify(value), toolCalls: [], finish: "stop", by };
}

function documentOf(request: ChatRequest): EvaluationDocument | undefined {
  for (const { role, text } of request.messages) {
    const document = role === "user" ? findDocument(text) : undefined;
    if (document !== undefined) return document;
  }
  return undefined;
}

function speak(request: ChatRequest, converse: ReturnType<typeof conversationAnswerer>): Answer {
  const { messages, tools, toolChoice } = request;
  const afterTool = messages.at(-1)?.role === "tool";
  const { text, call, by } = converse({
    lastUserText: messages.findLast((message) => message.role === "user")?.text,
    afterTool,
    tools: toolChoice === "none" ? [] : tools.map((tool) => tool.name),
  });
  const isAllowed = typeof toolChoice === "string" || toolChoice.name === call?.tool;
  const toolCalls =
    call && isAllowed
      ? [{ name: call.tool, arguments: call.arguments }]
      : forcedCall(tools, toolChoice);
  return { text, toolCalls, finish: toolCalls.length > 0 ? "tool_calls" : "stop", by };
}

/** `tool_choice` can demand a call that no script foresees. */
function forcedCall(tools: Tool[], choice: ChatRequest["toolChoice"]): ToolCall[] {
  if (choice === "none" || choice === "auto") return [];
  return tools
    .filter((tool) => choice === "required" || tool.name === choice.name)
    .slice(0, 1)
    .map(smallestCall);
}

/** A call with no more arguments than the tool demands. */
export function smallestCall({ name, parameters }: Tool): ToolCall {
  return { name, arguments: Object.fromEntries(Object.entries(smallestValue(parameters) ?? {})) };
}
