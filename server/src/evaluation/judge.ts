import { firstThenFallback, isModelFailure, ModelAway, ModelRefused, NO_USAGE } from "#models";
import type { FirstAndFallback, LanguageModel, ModelRequest, ModelUsage } from "#models";
import { checkAnswer, claimsToVerify } from "./check-answer.ts";
import type { CheckedAnswer } from "./check-answer.ts";
import type { Conversation, Rubric } from "./rubric-of.ts";
import { buildPrompt } from "./prompt.ts";
import type { Prompt } from "./prompt.ts";
import { readAnswer } from "./read-answer.ts";
import type { Answer } from "./answer.ts";
import { verifyClaims } from "./verify/claim-verifier.ts";

/** The fallback is asked when the first is away, refuses, or gives an answer that cannot be read. */
export type EvaluationModels = FirstAndFallback<LanguageModel>;

/** A model's answer after the check: it holds nothing that the conversation does not show. */
export interface Judgement {
  checked: CheckedAnswer;
  /** The one that answered. */
  model: string;
  promptHash: Buffer;
  /** The usage of all requests together. */
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
/** The length to which an unreadable answer is cut when it is sent back with the list of its problems. */
const MAX_QUOTED_ANSWER = 8_000;

export async function judgeConversation(
  models: EvaluationModels,
  rubric: Rubric,
  conversation: Conversation,
  { signal }: { signal: AbortSignal },
): Promise<Judgement> {
  const prompt = buildPrompt(rubric, conversation);
  const attempt = new Attempt(prompt, rubric, signal);
  try {
    const { answer, model } = await firstThenFallback(models, async (asked) => ({
      answer: await attempt.ask(asked),
      model: asked.name,
    }));
    const claims = claimsToVerify(answer, rubric, conversation);
    const shown = await verifyClaims(claims, {
      // Whoever has just answered is there.
      models: inFront(model, models),
      rubric,
      conversation,
      signal,
      onUsage: (usage) => attempt.spend(usage),
    });
    const checked = checkAnswer(answer, rubric, conversation, ({ where }) => shown.has(where));
    return { checked, model, promptHash: prompt.hash, usage: attempt.usage };
  } catch (error) {
    if (!isModelFailure(error) && !signal.aborted) throw error;
    if (error instanceof ModelAway || signal.aborted) attempt.failure = "model_away";
    const { failure, usage, retryAfterMs } = attempt;
    throw new JudgeError(failure, { usage, promptHash: prompt.hash, retryAfterMs }, error);
  }
}

function inFront(name: string, { first, fallback }: EvaluationModels): EvaluationModels {
  return fallback?.name === name ? { first: fallback, fallback: first } : { first, fallback };
}

/** The model answered, but not in JSON that we can read. */
class UnreadableAnswer extends ModelRefused {}

/** The requests of one evaluation, which share its repairs and its bill. */
class Attempt {
  readonly #prompt: Prompt;
  readonly #rubric: Rubric;
  readonly #signal: AbortSignal;
  #repairsLeft = MAX_REPAIRS;
  usage: ModelUsage = NO_USAGE;
  /** The failure to report if no model answers. A model that is away outweighs one that refuses, because it may answer later. */
  failure: JudgeFailure = "model_output";
  retryAfterMs: number | undefined;

  constructor(prompt: Prompt, rubric: Rubric, signal: AbortSignal) {
    this.#prompt = prompt;
    this.#rubric = rubric;
    this.#signal = signal;
  }

  spend(usage: ModelUsage): void {
    this.usage = sum(this.usage, usage);
  }

  async ask(model: LanguageModel): Promise<Answer> {
    try {
      return await this.#answerOf(model);
    } catch (error) {
      if (error instanceof ModelAway || this.#signal.aborted) {
        this.failure = "model_away";
        this.retryAfterMs = error instanceof ModelAway ? error.retryAfterMs : undefined;
      } else if (error instanceof ModelRefused && !(error instanceof UnreadableAnswer)) {
        if (this.failure !== "model_away") this.failure = "model_refused";
      }
      throw error;
    }
  }

  /** Throws `UnreadableAnswer` when no repair is left. */
  async #answerOf(model: LanguageModel): Promise<Answer> {
    const { system, user, schema } = this.#prompt;
    const messages: ModelRequest["messages"] = [
      { role: "system", content: system },
      { role: "user", content: user },
    ];
    for (;;) {
      const text = await this.#textOf(model, messages, schema);
      const read = readAnswer(text, this.#rubric);
      if ("answer" in read) return read.answer;
      if (this.#repairsLeft === 0) throw new UnreadableAnswer("the answer does not fit the schema");
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
      this.spend(usage);
      return text;
    } catch (error) {
      if (error instanceof ModelRefused) this.spend(error.usage);
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
