import { STT as OpenAi } from "@livekit/agents-plugin-openai";
import type { Clock } from "#platform";
import { apiUrl } from "../vendor.ts";

export interface TranscribingServerOptions {
  url: string | undefined;
  key: string;
  model: string | undefined;
  language: string;
  clock: Clock;
}

/** An utterance takes a second or two. A server that takes longer counts as away. */
const REQUEST_TIMEOUT_MS = 8_000;

/** Any server with OpenAI's `/v1/audio/transcriptions`: hears whole utterances. */
export class TranscribingServer extends OpenAi {
  readonly #clock: Clock;

  constructor({ url, key, model, language, clock }: TranscribingServerOptions) {
    super({
      useRealtime: false,
      apiKey: key,
      ...(url !== undefined && { baseURL: apiUrl(url, "http", "/v1") }),
      model: model ?? "whisper-1",
      language,
    });
    this.#clock = clock;
  }

  /** Tells of a failure: the adapter that makes a stream of this passes over utterances that fail. */
  override async _recognize(
    ...[buffer, signal]: Parameters<OpenAi["_recognize"]>
  ): ReturnType<OpenAi["_recognize"]> {
    try {
      return await this.#inTime(buffer, signal);
    } catch (cause) {
      if (!signal?.aborted) {
        this.emit("error", {
          type: "stt_error",
          timestamp: this.#clock.nowMs(),
          label: this.label,
          error: cause instanceof Error ? cause : new Error(String(cause)),
          recoverable: false,
        });
      }
      throw cause;
    }
  }

  /** A request that has failed must not be aborted after that: its upload would fail where nobody can catch it. */
  async #inTime(
    ...[buffer, signal]: Parameters<OpenAi["_recognize"]>
  ): ReturnType<OpenAi["_recognize"]> {
    const request = new AbortController();
    const giveUp = (): void => request.abort();
    const timeout = setTimeout(giveUp, REQUEST_TIMEOUT_MS);
    signal?.addEventListener("abort", giveUp);
    try {
      return await super._recognize(buffer, request.signal);
    } finally {
      clearTimeout(timeout);
      signal?.removeEventListener("abort", giveUp);
    }
  }
}
