import { join } from "node:path";
import { answerConversation } from "../conversation/answer-conversation.ts";
import { checkSentence } from "../conversation/check-sentence.ts";
import { readConversationScripts } from "../conversation/scripts/conversation-scripts.ts";
import type { ConversationScripts } from "../conversation/scripts/conversation-scripts.ts";
import { evaluationAnswerer, evaluationScript } from "../evaluation/answer-evaluation.ts";
import type { EvaluationAnswer } from "../evaluation/answer.ts";
import { byCriteria } from "../evaluation/by-criteria.ts";
import { checkClaims } from "../evaluation/check-claims.ts";
import { findDocument } from "../evaluation/document.ts";
import type { EvaluationDocument } from "../evaluation/document.ts";
import { readScripts } from "../read-scripts.ts";
import { draftForOwner } from "../words/draft-for-owner.ts";
import { draftTexts, readTranslations } from "../words/draft-texts.ts";
import { playVisitor } from "../conversation/play-visitor.ts";
import type { Answer, ToolCall } from "./answer.ts";
import type { ChatRequest, Tool } from "./chat-request.ts";
import { smallestValue } from "./json-schema.ts";

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
  const translations = readTranslations(scriptsFolder);
  const conversations = readConversationScripts(join(scriptsFolder, "conversations"));
  const evaluate = evaluationAnswerer(evaluations, (question) =>
    Object.values(conversations?.wordingOf(question)?.ask ?? {}).flat(),
  );
  return {
    scripts: { evaluations: evaluations.length, conversations: conversations?.count ?? 0 },
    think(request) {
      const { format } = request;
      const verdict = checkSentence(request.messages);
      if (verdict !== undefined) return { answer: spoken(verdict) };
      const words = checkClaims(request.messages);
      if (words !== undefined) return { answer: written(words, "verifier") };
      if (format === undefined) return { answer: speak(request, conversations) };
      const document = format.name === "evaluation" ? documentOf(request) : undefined;
      if (document === undefined) {
        const { messages } = request;
        const value =
          draftTexts(messages, translations) ??
          playVisitor(messages) ??
          draftForOwner(request) ??
          smallestValue(format.schema);
        return { answer: written(value, "rules") };
      }
      const { answer, by } = evaluate(document);
      return { answer: written(answer, by, document), evaluation: { document, answer } };
    },
  };
}

/** An answer that is JSON and nothing else. */
export function written(value: unknown, by: string, document?: EvaluationDocument): Answer {
  const text = JSON.stringify(byCriteria(value, document?.criteria));
  return { text, toolCalls: [], finish: "stop", by };
}

function documentOf(request: ChatRequest): EvaluationDocument | undefined {
  for (const { role, text } of request.messages) {
    const document = role === "user" ? findDocument(text) : undefined;
    if (document !== undefined) return document;
  }
  return undefined;
}

function speak(request: ChatRequest, scripts: ConversationScripts | undefined): Answer {
  return scripts === undefined ? spoken(SPEECHLESS) : answerConversation(request, scripts);
}

const SPEECHLESS = "I have no script to speak from, and no rules without one.";

function spoken(text: string): Answer {
  return { text, toolCalls: [], finish: "stop", by: "rules" };
}

/** A call with no more arguments than the tool demands. */
export function smallestCall({ name, parameters }: Tool): ToolCall {
  return { name, arguments: Object.fromEntries(Object.entries(smallestValue(parameters) ?? {})) };
}
