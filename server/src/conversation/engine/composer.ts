import type { Clock } from "#platform";
import type { ConversationListener, ConversationModels, ReplyRequest } from "../conversation.ts";
import type { ModelMessage, ToolCall, ToolOffer } from "#models";
import type { SpeechGuard } from "../guard/speech-guard.ts";
import type { DemoPlan } from "../plan/demo-plan.ts";
import type { Goal } from "../plan/goal.ts";
import { goalMessage } from "../prompt/instructions.ts";
import type { Dialogue } from "./dialogue.ts";
import type { Reply } from "./reply.ts";

export interface ComposerOptions {
  instructions: string;
  language: string;
  plan: DemoPlan;
  guard: SpeechGuard;
  dialogue: Dialogue;
  models: ConversationModels;
  tools: ToolOffer[];
  listener: ConversationListener;
  clock: Clock;
}

/** One step of a reply: a request to the models, and who receives the outcome. */
export interface StepOrder {
  mayCallTools: boolean;
  signal: AbortSignal;
  say(sentence: string): void;
  call(call: ToolCall): void;
}

/** Without a limit, a model that keeps calling tools would keep changing the visitor's screen. */
const MAX_TOOL_CALLS = 8;

/** Asks the models for the next step of a reply, and lets through what may be said and done. */
export class Composer {
  readonly #options: ComposerOptions;

  constructor(options: ComposerOptions) {
    this.#options = options;
  }

  /** Never throws, since the library would close the session. An error is stored in the reply. */
  async compose(reply: Reply, order: StepOrder): Promise<void> {
    const { models, dialogue } = this.#options;
    try {
      const messages = this.#messages(this.#goalOf(reply));
      reply.step = dialogue.beginStep();
      reply.steps += 1;
      await models.reply({ messages, ...this.#receiver(reply, order) });
    } catch (error) {
      reply.trouble = error;
    }
  }

  /** One goal for a whole reply, however many steps it takes. */
  #goalOf(reply: Reply): Goal {
    const { plan, guard, listener } = this.#options;
    if (reply.goal === undefined) {
      reply.goal = plan.nextGoal();
      guard.startTurn(reply.goal);
      listener.event("goal", { ...reply.goal });
    }
    return reply.goal;
  }

  /** The constant part comes first, so that a provider can cache it. */
  #messages(goal: Goal): ModelMessage[] {
    const { instructions, dialogue, plan, language } = this.#options;
    return [
      { role: "system", content: instructions },
      ...dialogue.messages(),
      { role: "system", content: goalMessage(goal, plan, language) },
    ];
  }

  #receiver(reply: Reply, order: StepOrder): Omit<ReplyRequest, "messages"> {
    const { tools, language, guard, listener, clock } = this.#options;
    const mayCall = (): boolean => order.mayCallTools && reply.toolCalls < MAX_TOOL_CALLS;
    return {
      tools,
      toolChoice: mayCall() ? "auto" : "none",
      language,
      // The library ends an interrupted step only when its text has ended.
      signal: AbortSignal.any([order.signal, reply.signal]),
      onFirstToken: () => void (reply.firstTokenMs ??= clock.monotonicMs()),
      onSentence(sentence) {
        const admitted = guard.admit(sentence);
        if (admitted === undefined) return;
        reply.hasWords = true;
        order.say(admitted);
      },
      onToolCall(call) {
        if (!mayCall()) return void (reply.refusedCalls += 1);
        reply.toolCalls += 1;
        order.call({ ...call, args: readable(call.args) });
      },
      onUsage: (model, usage) => listener.usage(model, usage),
      onTrouble: (model, error) => listener.event("model_failed", { model, why: String(error) }),
    };
  }
}

/** Replaces arguments that are not a JSON object: the library would reject them with a message that the model never sees. */
function readable(args: string): string {
  try {
    const read: unknown = JSON.parse(args);
    return typeof read === "object" && read !== null && !Array.isArray(read) ? args : "{}";
  } catch {
    return "{}";
  }
}
