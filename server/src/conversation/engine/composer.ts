import type { Metadata } from "@svc/contract/types";
import type { ConversationModels, DemoAgent } from "../conversation.ts";
import { wordsOf } from "#language";
import { isModelFailure } from "#models";
import type { ModelMessage, ToolOffer } from "#models";
import type { Fence, TurnFacts } from "../prompt/told.ts";
import { Attempt, MOST_WORDS } from "./attempt.ts";
import type { AttemptOptions, StepOrder } from "./attempt.ts";
import type { Dialogue, RequestEnd } from "./dialogue.ts";
import type { ToldActions } from "./page-actions.ts";
import type { Reply } from "./reply.ts";

export interface ComposerOptions extends Omit<AttemptOptions, "reply" | "order"> {
  agent: DemoAgent;
  instructions: string;
  metadata: Metadata;
  fence: Fence;
  dialogue: Dialogue;
  models: ConversationModels;
  tools: ToolOffer[];
  /** Undefined for an agent without. */
  actions: () => ToldActions | undefined;
  /** Of the session's time. */
  leftMs: () => number | undefined;
}

const MOST_SEARCHES = 8;
const MOST_RECAP_LINES = 3;
const RECAP_VERIFIED_WITHIN_MS = 1_500;
const RECAP =
  "The conversation is over. Sum it up on the visitor's last screen, in their language: two or three sentences of at most fourteen words, each whole in itself. What they want; what they saw or learned that answers it; what was agreed, if anything was. Only what was said in this conversation. No directions, no question, no thanks, no goodbye, nothing about yourself.";

/** Asks the models for the next step of a reply, and lets through what may be said and done. */
export class Composer {
  readonly #options: ComposerOptions;

  constructor(options: ComposerOptions) {
    this.#options = options;
  }

  /** Never throws, since the library would close the session. An error is stored in the reply. */
  async compose(reply: Reply, order: StepOrder): Promise<void> {
    const { dialogue, listener } = this.#options;
    try {
      const facts = this.#facts();
      // What pages say is not for the log.
      const { page: _, actions: __, ...told } = facts;
      if (reply.steps === 0) listener.event("state", told);
      const state = this.#options.fence.state(facts);
      const messages = this.#messages({ state });
      const step = dialogue.beginStep();
      reply.beginStep(step);
      const { held, said, isEndedByQuestion } = await this.#try(reply, order, messages);
      if (held === undefined || isEndedByQuestion || reply.isInterrupted) return;
      reply.hasTriedAgain = true;
      listener.event("second_try", { code: held.veto.code });
      const secondTry = { step, said };
      const now = this.#options.fence.state(this.#facts());
      const again = this.#messages({ state: now, event: eventOf(held), secondTry });
      await this.#try(reply, order, again);
    } catch (error) {
      // Nobody else would notice: what was said so far is taken for the whole answer.
      if (reply.hasWords && !isModelFailure(error))
        listener.event("failed", { why: String(error) });
      // A second try may well have nothing to add.
      if (!(reply.hasTriedAgain && reply.hasWords)) reply.trouble = error;
    }
  }

  /** Each sentence is judged as in the conversation: a summary must not say what nobody said. */
  async recap(signal: AbortSignal): Promise<string[]> {
    const { models, tools, state, fence, guard, listener } = this.#options;
    const written: string[] = [];
    await models.reply({
      messages: this.#messages({ state: fence.state(this.#facts()), event: RECAP }),
      tools,
      toolChoice: "none",
      language: state.language,
      signal,
      onSentence: ({ text }) => written.push(guard.speakable(text)),
      onToolCall: () => {},
      charge: (model, estimate) => listener.charge(model, estimate),
      onTrouble: (model, error) => listener.event("model_failed", { model, why: String(error) }),
    });
    const lines: string[] = [];
    for (const text of written.filter((one) => one !== "").slice(0, MOST_RECAP_LINES)) {
      const veto = await guard.judge(
        { text, directions: [] },
        {
          language: state.language,
          before: lines,
          noted: new Map(),
          calculated: [],
          withinMs: RECAP_VERIFIED_WITHIN_MS,
          signal,
        },
      );
      if (veto === undefined) lines.push(text);
      else listener.event("held", { code: veto.code, in: "recap" });
    }
    return lines;
  }

  #messages(end: RequestEnd): ModelMessage[] {
    const { instructions, dialogue } = this.#options;
    return [{ role: "system", content: instructions }, ...dialogue.messages(end)];
  }

  #facts(): TurnFacts {
    const { state, metadata, clock, isVoice, leftMs } = this.#options;
    const actions = this.#options.actions();
    const mode = isVoice() ? "voice" : "text";
    const left = leftMs();
    const { language, ...reached } = state.told;
    return {
      ...today(clock.nowMs()),
      language,
      mode,
      words: MOST_WORDS[mode],
      minutes_left: left === undefined ? undefined : Math.max(0, Math.floor(left / 60_000)),
      ...reached,
      ...(actions !== undefined && { actions }),
      page: metadata,
    };
  }

  async #try(reply: Reply, order: StepOrder, messages: ModelMessage[]): Promise<Attempt> {
    const { models, tools, state, listener, clock } = this.#options;
    const attempt = new Attempt({ ...this.#options, reply, order });
    const maySearch = (): boolean => order.mayCallTools && reply.searches < MOST_SEARCHES;
    const signOfLife = this.#giveSignOfLife(reply, order, attempt);
    const asked = models.reply({
      messages,
      tools,
      toolChoice: maySearch() ? "auto" : "none",
      language: state.language,
      signal: attempt.signal,
      onFirstToken: () => void (reply.firstTokenMs ??= clock.monotonicMs()),
      onSentence: (sentence) => {
        if (sentence.text !== "") clearTimeout(signOfLife);
        attempt.take(sentence);
      },
      onToolCall: (call) => {
        if (!maySearch()) return;
        reply.searches += 1;
        reply.extras.set(call.id, call.extra);
        attempt.takeCall({ ...call, args: readable(call.args) });
      },
      charge: (model, estimate) => listener.charge(model, estimate),
      onTrouble: (model, error) => listener.event("model_failed", { model, why: String(error) }),
    });
    await asked.finally(() => clearTimeout(signOfLife));
    await attempt.judged;
    return attempt;
  }

  /**
   * Says the reply's opening at once, or asks the visitor for a moment where a model thinks for long. Either is said
   * once, and is no answer: one is still owed.
   */
  #giveSignOfLife(reply: Reply, order: StepOrder, { signal }: Attempt): NodeJS.Timeout | undefined {
    const { agent, models, state, clock } = this.#options;
    const { signOfLifeMs } = models;
    const say = (phrase: string): void => {
      if (signal.aborted || reply.hasWords || reply.signOfLife !== "") return;
      reply.saySignOfLife(phrase);
      order.say(phrase);
    };
    if (reply.opening !== undefined) say(reply.opening);
    if (signOfLifeMs === undefined || !reply.isAnswer) return undefined;
    const { sign_of_life } = wordsOf(agent.config.languages, state.language).spoken;
    const waitedMs = clock.monotonicMs() - reply.startedMs;
    return setTimeout(say, Math.max(0, signOfLifeMs - waitedMs), sign_of_life);
  }
}

function eventOf({ veto, sentence }: NonNullable<Attempt["held"]>): string {
  const why = `${veto.code}: ${veto.why}`;
  return `Not said: ${JSON.stringify(sentence)}. Why: ${why} Nothing behind it was said or done either. Go on behind your last word, without it; do not begin again. Write again the directions that still hold.`;
}

function today(nowMs: number): { date: string; weekday: string } {
  const date = new Date(nowMs);
  return { date: date.toISOString().slice(0, 10), weekday: WEEKDAY.format(date) };
}

const WEEKDAY = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });

/** Replaces arguments that are not a JSON object: the library would reject them with a message that the model never sees. */
function readable(args: string): string {
  try {
    const read: unknown = JSON.parse(args);
    return typeof read === "object" && read !== null && !Array.isArray(read) ? args : "{}";
  } catch {
    return "{}";
  }
}
