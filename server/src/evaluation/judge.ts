import { firstThenFallback, isModelFailure, ModelAway, ModelRefused, UsageSum } from "#models";
import type { FirstAndFallback, LanguageModel, ModelRequest, ModelUsage } from "#models";
import { checkAnswer, claimsToVerify } from "./check-answer.ts";
import type { CheckedAnswer } from "./check-answer.ts";
import type { Conversation, Rubric } from "./rubric-of.ts";
import { buildPrompt } from "./prompt.ts";
import type { Prompt } from "./prompt.ts";
import { readAnswer } from "./read-answer.ts";
import type { Answer, Dropped, DropReason } from "./answer.ts";
import { maskOrders } from "./mask-orders.ts";
import { mergeRepaired, repairable } from "./repair-answer.ts";
import { verifyClaims } from "./verify/claim-verifier.ts";
import type { Claim } from "./verify/claims-prompt.ts";

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

/**
 * Has a conversation judged, and publishes what is shown. Where somebody told the judge what to decide, it is
 * judged again without those words, and a verdict that changes with them is none.
 */
export async function judgeConversation(
  models: EvaluationModels,
  rubric: Rubric,
  conversation: Conversation,
  { signal }: { signal: AbortSignal },
): Promise<Judgement> {
  const prompt = buildPrompt(rubric, conversation);
  const attempt = new Attempt(rubric, signal);
  const judge = (about: Prompt): Promise<{ given: GivenAnswer; model: string }> =>
    firstThenFallback(models, async (asked) => ({
      given: await attempt.ask(asked, about),
      model: asked.name,
    }));
  try {
    const { given, model } = await judge(prompt);
    const masked = maskOrders(conversation, given.answer.toTheJudge);
    const judged =
      masked === undefined
        ? { given, heard: conversation }
        : { given: (await judge(buildPrompt(rubric, masked))).given, heard: masked };
    const claimed = judged.given.answer.qualification?.claimed;
    const isSwayed = claimed !== given.answer.qualification?.claimed;
    // Whoever has just answered is there.
    const inOrder = inFront(model, models);
    const { answer, claims } = await attempt.repair(inOrder.first, judged.given, judged.heard);
    const shown = await verifyClaims(claims, {
      models: inOrder,
      rubric,
      conversation: judged.heard,
      signal,
      charge: attempt.bill.charge,
    });
    const checked = checkAnswer(
      isSwayed ? withoutVerdict(answer) : answer,
      rubric,
      judged.heard,
      (where) => shown.has(where),
    );
    return { checked, model, promptHash: prompt.hash, usage: attempt.bill.all };
  } catch (error) {
    if (!isModelFailure(error) && !signal.aborted) throw error;
    if (error instanceof ModelAway || signal.aborted) attempt.failure = "model_away";
    const { failure, retryAfterMs } = attempt;
    const usage = attempt.bill.all;
    throw new JudgeError(failure, { usage, promptHash: prompt.hash, retryAfterMs }, error);
  }
}

function withoutVerdict(answer: Answer): Answer {
  const swayed = { where: "qualification", why: "not_shown" as const };
  return { ...answer, qualification: undefined, dropped: [...answer.dropped, swayed] };
}

/** An answer, and the messages that it ends. */
interface GivenAnswer {
  answer: Answer;
  messages: ModelRequest["messages"];
  schema: Prompt["schema"];
}

function inFront(name: string, { first, fallback }: EvaluationModels): EvaluationModels {
  return fallback?.name === name ? { first: fallback, fallback: first } : { first, fallback };
}

/** The model answered, but not in JSON that we can read. */
class UnreadableAnswer extends ModelRefused {}

/** The requests of one evaluation, which share its repairs and its bill. */
class Attempt {
  readonly #rubric: Rubric;
  readonly #signal: AbortSignal;
  #repairsLeft = MAX_REPAIRS;
  readonly bill = new UsageSum();
  /** The failure to report if no model answers. A model that is away outweighs one that refuses, because it may answer later. */
  failure: JudgeFailure = "model_output";
  retryAfterMs: number | undefined;

  constructor(rubric: Rubric, signal: AbortSignal) {
    this.#rubric = rubric;
    this.#signal = signal;
  }

  async ask(model: LanguageModel, prompt: Prompt): Promise<GivenAnswer> {
    try {
      return await this.#answerOf(model, prompt);
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

  /** Has quotes copied again that are not found, once. What cannot be repaired stays as it was. */
  async repair(
    model: LanguageModel,
    { answer, messages, schema }: GivenAnswer,
    conversation: Conversation,
  ): Promise<{ answer: Answer; claims: Claim[] }> {
    const { claims, dropped } = claimsToVerify(answer, this.#rubric, conversation);
    const faults = repairable(dropped);
    if (faults.length === 0 || this.#repairsLeft === 0) return { answer, claims };
    this.#repairsLeft -= 1;
    const request = { role: "user" as const, content: requoteRequest(faults) };
    try {
      const text = await this.#textOf(model, [...messages, request], schema);
      const read = readAnswer(text, this.#rubric);
      if (!("answer" in read)) return { answer, claims };
      const repaired = mergeRepaired(answer, read.answer, faults);
      const { claims: left } = claimsToVerify(repaired, this.#rubric, conversation);
      return { answer: repaired, claims: left };
    } catch (error) {
      if (isModelFailure(error) && !this.#signal.aborted) return { answer, claims };
      throw error;
    }
  }

  /** Throws `UnreadableAnswer` when no repair is left. */
  async #answerOf(model: LanguageModel, { system, user, schema }: Prompt): Promise<GivenAnswer> {
    const messages: ModelRequest["messages"] = [
      { role: "system", content: system },
      { role: "user", content: user },
    ];
    for (;;) {
      const text = await this.#textOf(model, messages, schema);
      const read = readAnswer(text, this.#rubric);
      if ("answer" in read) {
        messages.push({ role: "assistant", content: text });
        return { answer: read.answer, messages, schema };
      }
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
    const { charge } = this.bill;
    const { text } = await model.ask({ messages, schema, signal: this.#signal, charge });
    return text;
  }
}

function requoteRequest(faults: Dropped[]): string {
  const list = faults.map(({ where, why }) => `- ${where}: ${FAULTS[why] ?? why}`).join("\n");
  return `These quotes prove nothing:\n${list}\nAnswer again with the whole JSON object and nothing else. Quote these again, or make them null. Change nothing else, and claim nothing new.`;
}

const FAULTS: Partial<Record<DropReason, string>> = {
  no_such_turn: "there is no such turn",
  wrong_speaker: "the turn is the other's",
  not_heard: "the quote is not in that turn, word for word",
  too_short: "the quote has less than three words",
};

function repairRequest(problems: string[]): string {
  const list = problems.map((problem) => `- ${problem}`).join("\n");
  return `Your answer does not fit the schema:\n${list}\nAnswer again with the whole JSON object and nothing else.`;
}
