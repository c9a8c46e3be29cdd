import { DEFAULT_API_CONNECT_OPTIONS, llm } from "@livekit/agents";
import type { StepOrder } from "./composer.ts";

type ChatOptions = Parameters<llm.LLM["chat"]>[0];

/** Lets the library ask us for a step as it would ask a model. */
export class StepLanguage extends llm.LLM {
  readonly #beginStep: () => (order: StepOrder) => Promise<void>;

  constructor(beginStep: () => (order: StepOrder) => Promise<void>) {
    super();
    this.#beginStep = beginStep;
  }

  override label(): string {
    return "svc";
  }

  override chat({ chatCtx, toolCtx, toolChoice, connOptions }: ChatOptions): llm.LLMStream {
    // Now, because the stream asks for its text a little later, when another reply may be under way.
    const compose = this.#beginStep();
    const options = { chatCtx, connOptions: connOptions ?? DEFAULT_API_CONNECT_OPTIONS };
    return new StepStream(this, { ...options, ...(toolCtx && { toolCtx }) }, (order) =>
      compose({ ...order, mayCallTools: toolChoice !== "none" }),
    );
  }
}

class StepStream extends llm.LLMStream {
  readonly #compose: (order: Omit<StepOrder, "mayCallTools">) => Promise<void>;

  constructor(
    language: StepLanguage,
    options: ConstructorParameters<typeof llm.LLMStream>[1],
    compose: (order: Omit<StepOrder, "mayCallTools">) => Promise<void>,
  ) {
    super(language, options);
    this.#compose = compose;
  }

  protected override async run(): Promise<void> {
    await this.#compose({
      signal: this.abortController.signal,
      say: (sentence) => this.#put({ content: `${sentence} ` }),
      call: ({ id, name, args }) =>
        this.#put({ toolCalls: [llm.FunctionCall.create({ callId: id, name, args })] }),
    });
  }

  #put(delta: Omit<llm.ChoiceDelta, "role">): void {
    // Closed when the step was cut; what a model still had to say then is not for anybody.
    if (!this.closed) this.queue.put({ id: "step", delta: { role: "assistant", ...delta } });
  }
}
