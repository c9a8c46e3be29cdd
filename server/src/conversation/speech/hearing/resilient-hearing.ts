import { stt } from "@livekit/agents";
import type { CircuitBreaker } from "#models";
import type { Clock, Log } from "#platform";
import type { HearingLimits } from "./hearing-limits.ts";
import { ResilientStream } from "./resilient-stream.ts";

export interface ResilientHearingOptions {
  /** The first is asked first; the others when it cannot hear. */
  recognisers: readonly Recogniser[];
  clock: Clock;
  log: Log;
  limits: HearingLimits;
}

export interface Recogniser {
  /** As the operator knows it. */
  name: string;
  stt: stt.STT;
  /** Shared with the other sessions of the process. */
  breaker: CircuitBreaker;
}

/**
 * Hears for one session, over lost connections and with whoever can. When nobody can hear any more,
 * it says so once, by the event `error` with an `AppError`, and its stream ends.
 */
export class ResilientHearing extends stt.STT {
  override label = "svc.ResilientHearing";
  readonly #options: ResilientHearingOptions;

  constructor(options: ResilientHearingOptions) {
    super({ streaming: true, interimResults: true });
    this.#options = options;
  }

  override stream(): stt.SpeechStream {
    return new ResilientStream(this, this.#options);
  }

  override _recognize(): Promise<stt.SpeechEvent> {
    return Promise.reject(new Error("Only streams are heard."));
  }

  override async close(): Promise<void> {
    await Promise.all(this.#options.recognisers.map((recogniser) => recogniser.stt.close()));
  }
}
