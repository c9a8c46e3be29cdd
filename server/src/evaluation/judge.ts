import { ModelAway, ModelRefused, NO_USAGE } from "#models";
import type { ModelUsage, LanguageModel, ModelRequest } from "#models";
import { checkAnswer } from "./check-answer.ts";
import type { CheckedAnswer } from "./check-answer.ts";
import type { Conversation, Rubric } from "./conversation.ts";
import { buildPrompt } from "./prompt.ts";
import type { Prompt } from "./prompt.ts";
import { readAnswer } from "./read-answer.ts";
import type { Answer } from "./answer.ts";

export interface EvaluationModels {
  first: LanguageModel;
  /** Asked when the first is away, refuses, or cannot be understood. */
  fallback: LanguageModel | undefined;
}

/** What a model made of a conversation, with nothing in it that the conversation does not show. */
export interface Judgement {
  checked: CheckedAnswer;
  /** The one that answered. */
  model: string;
  promptHash: Buffer;
  /** Of all requests together. */
  usage: ModelUsage;
}

/**
 * - `model_away`: no model could be asked; the same question may be answered later.
 * - `model_refused`: each model was asked and would not answer.
 * - `model_output`: each answered, and nothing of it could be read.
 */
export type JudgeFailure = "model_away" | "model_refused" | "model_output";

export class JudgeError extends Error {
  readonly failure: JudgeFailure;
  readonly usage: ModelUsage;
  readonly promptHash: Buffer;
  readonly retryAfterMs: number | undefined;

  constructor(
    failure: JudgeFailure,
    spent: { usage: ModelUsage; promptHash: Buffer; retryAfterMs?: number | undefined },
    cause: unknown,
  ) {
    super(`no evaluation: ${failure}`, { cause });
    this.name = "JudgeError";
    this.failure = failure;
    this.usage = spent.usage;
    this.promptHash = spent.promptHash;
    this.retryAfterMs = spent.retryAfterMs;
  }
}

/** Repairs of one evaluation: each costs as much as the first request. */
const MAX_REPAIRS = 2;
/** Of a bad answer, what goes back with the list of its faults. */
const MAX_QUOTED_ANSWER = 8_000;

export async function judgeConversation(
  models: EvaluationModels,
  rubric: Rubric,
  conversation: Conversation,
  { signal }: { signal: AbortSignal },
): Promise<Judgement> {
  const prompt = buildPrompt(rubric, conversation);
  const attempt = new Attempt(prompt, rubric, signal);
  let trouble: unknown;
  let retryAfterMs: number | undefined;
  let failure: JudgeFailure = "model_output";
  for (const model of [models.first, models.fallback]) {
    if (model === undefined) continue;
    try {
      const answer = await attempt.ask(model);
      if (answer === undefined) continue;
      const checked = checkAnswer(answer, rubric, conversation);
      return { checked, model: model.name, promptHash: prompt.hash, usage: attempt.usage };
    } catch (error) {
      trouble = error;
      if (error instanceof ModelAway || signal.aborted) {
        failure = "model_away";
        retryAfterMs = error instanceof ModelAway ? error.retryAfterMs : undefined;
      } else if (error instanceof ModelRefused) {
        if (failure !== "model_away") failure = "model_refused";
      } else throw error;
    }
  }
  const spent = { usage: attempt.usage, promptHash: prompt.hash, retryAfterMs };
  throw new JudgeError(failure, spent, trouble);
}

/** The requests of one evaluation, which share its repairs and its bill. */
class Attempt {
  readonly #prompt: Prompt;
  readonly #rubric: Rubric;
  readonly #signal: AbortSignal;
  #repairsLeft = MAX_REPAIRS;
  usage: ModelUsage = NO_USAGE;

  constructor(prompt: Prompt, rubric: Rubric, signal: AbortSignal) {
    this.#prompt = prompt;
    this.#rubric = rubric;
    this.#signal = signal;
  }

  /** Undefined when what it said could not be read, repairs included. */
  async ask(model: LanguageModel): Promise<Answer | undefined> {
    const { system, user, schema } = this.#prompt;
    const messages: ModelRequest["messages"] = [
      { role: "system", content: system },
      { role: "user", content: user },
    ];
    for (;;) {
      const text = await this.#textOf(model, messages, schema);
      const read = readAnswer(text, this.#rubric);
      if ("answer" in read) return read.answer;
      if (this.#repairsLeft === 0) return undefined;
      this.#repairsLeft -= 1;
      messages.push(
        { role: "assistant", content: text.slice(0, MAX_QUOTED_ANSWER) },
        { role: "user", content: repairRequest(read.problems) },
      );
    }
  }

  async #textOf(
    model: LanguageModel,
    messages: ModelRequest["messages"],
    schema: Prompt["schema"],
  ): Promise<string> {
    try {
      const { text, usage } = await model.ask({ messages, schema, signal: this.#signal });
      this.usage = sum(this.usage, usage);
      return text;
    } catch (error) {
      if (error instanceof ModelRefused) this.usage = sum(this.usage, error.usage);
      throw error;
    }
  }
}

function repairRequest(problems: string[]): string {
  const list = problems.map((problem) => `- ${problem}`).join("\n");
  return `Your answer does not fit the schema:\n${list}\nAnswer again with the whole JSON object and nothing else.`;
}

function sum(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costMicros: a.costMicros + b.costMicros,
  };
}
