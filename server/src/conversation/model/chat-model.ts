import { ModelClient, ModelRefused } from "#models";
import type { LanguageModelOptions, StreamedAnswer, StreamLimits } from "#models";
import type { ReplyRequest } from "../conversation.ts";
import { SignalReader } from "../signals/signal-reader.ts";
import type { SignalledSentence } from "../signals/signal-reader.ts";

export interface ChatModelOptions extends LanguageModelOptions {
  limits: StreamLimits;
}

/** Several times what a turn of 90 words and its directions take in any language. */
const MOST_TOKENS = 1_500;

/** One model, asked for one turn of a conversation at a time. */
export class ChatModel extends ModelClient {
  readonly #limits: StreamLimits;

  constructor(options: ChatModelOptions) {
    super(options);
    this.#limits = options.limits;
  }

  /**
   * Throws `ModelAway` when the model cannot be reached or stops sending, and `ModelRefused` when it
   * has nothing to say. Sentences that were handed over before that stay.
   */
  async reply(request: ReplyRequest): Promise<void> {
    const spoken = new SpokenSentences(request);
    const { messages, tools, toolChoice, signal, account } = request;
    const answer = await this.stream({
      messages,
      tools,
      toolChoice,
      signal,
      account,
      maxTokens: MOST_TOKENS,
      limits: this.#limits,
      onText: (text) => spoken.push(text),
      onFirstToken: () => request.onFirstToken?.(),
      ...(request.charge && { charge: request.charge }),
    });
    spoken.end(answer);
  }
}

/** Hands sentences over as they become complete, and tool calls at the end. */
class SpokenSentences {
  readonly #request: ReplyRequest;
  readonly #sentences: SignalReader;
  #hasSpoken = false;

  constructor(request: ReplyRequest) {
    this.#request = request;
    this.#sentences = new SignalReader(request.language);
  }

  push(text: string): void {
    this.#say(this.#sentences.push(text));
  }

  end({ finishReason, isRefusal, toolCalls }: StreamedAnswer): void {
    const isTruncated = finishReason === "length";
    const isWhole = !isTruncated && finishReason !== "content_filter";
    // Half a sentence is better not said, unless it is all there is.
    if (isWhole || (isTruncated && !this.#hasSpoken)) this.#say(this.#sentences.end());
    const calls = isWhole ? toolCalls : [];
    for (const call of calls) this.#request.onToolCall(call);
    if (isRefusal || (!this.#hasSpoken && calls.length === 0))
      throw new ModelRefused("had nothing to say");
  }

  #say(sentences: SignalledSentence[]): void {
    for (const sentence of sentences) {
      if (sentence.text !== "") this.#hasSpoken = true;
      this.#request.onSentence(sentence);
    }
  }
}
