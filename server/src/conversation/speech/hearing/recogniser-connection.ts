import type { Clock } from "#platform";
import type { stt } from "@livekit/agents";
import type { AudioFrame } from "@livekit/rtc-node";
import { VendorAway } from "../vendor.ts";
import { OwedWords } from "./owed-words.ts";

export interface RecogniserConnectionOptions {
  /** Its provider's name. */
  name: string;
  recogniser: stt.STT;
  clock: Clock;
  limits: HearingLimits;
  onEvent(event: stt.SpeechEvent): void;
}

const LOOK_EVERY_MS = 100;

/** One connection to one recogniser, until it is lost. It never reconnects by itself. */
export class RecogniserConnection {
  readonly #options: RecogniserConnectionOptions;
  readonly #stream: stt.SpeechStream;
  readonly #owed: OwedWords;
  readonly #openedAt: number;
  readonly #watch: NodeJS.Timeout;
  readonly #proven = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<Error>();
  #isProven = false;
  #isOver = false;

  constructor(options: RecogniserConnectionOptions) {
    const { recogniser, clock, limits } = options;
    this.#options = options;
    this.#openedAt = clock.monotonicMs();
    this.#owed = new OwedWords(clock, { voiceMs: limits.deafVoiceMs, waitMs: limits.deafWaitMs });
    // A rejection that nobody waits for must not end the process.
    this.#proven.promise.catch(() => {});
    recogniser.on("error", this.#onError);
    this.#stream = recogniser.stream({
      connOptions: { maxRetry: 0, retryIntervalMs: 0, timeoutMs: limits.connectMs },
    });
    this.#watch = setInterval(() => this.#look(), LOOK_EVERY_MS);
    void this.#read();
  }

  /** Resolves when words have arrived, or when the connection has lasted without anything to hear. Rejects when it is lost before that. */
  get proven(): Promise<void> {
    return this.#proven.promise;
  }

  /** Resolves to the reason for the loss. */
  get over(): Promise<Error> {
    return this.#over.promise;
  }

  push(frame: AudioFrame): void {
    if (this.#isOver) return;
    this.#owed.sound(frame);
    this.#stream.pushFrame(frame);
  }

  close(): void {
    this.#finish(new Error("closed"));
  }

  readonly #onError = ({ error }: { error: Error }): void => this.#finish(this.#explain(error));

  async #read(): Promise<void> {
    try {
      for await (const event of this.#stream) {
        if (this.#isOver) return;
        // Words only: that somebody speaks may have been noticed on our side.
        if (event.alternatives !== undefined) {
          this.#owed.answered();
          this.#prove();
        }
        this.#options.onEvent(event);
      }
      this.#finish(this.#explain(undefined));
    } catch (error) {
      this.#finish(this.#explain(error));
    }
  }

  #look(): void {
    const { name, recogniser, clock, limits } = this.#options;
    // A recogniser of whole utterances returns nothing before their end.
    const isDeaf = recogniser.capabilities.interimResults && this.#owed.areOverdue;
    if (isDeaf) this.#finish(new Deaf(name));
    else if (clock.monotonicMs() - this.#openedAt >= limits.provenMs && !this.#owed.areOwed)
      this.#prove();
  }

  #prove(): void {
    this.#isProven = true;
    this.#proven.resolve();
  }

  #explain(cause: unknown): VendorAway {
    const { name } = this.#options;
    const status = statusOf(cause);
    if (status !== undefined) return VendorAway.answered(name, status);
    if (!this.#isProven) return VendorAway.unreachable(name, cause);
    return new VendorAway(`${name} broke off`, { cause });
  }

  #finish(why: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#watch);
    this.#stream.close();
    this.#options.recogniser.off("error", this.#onError);
    this.#proven.reject(why);
    this.#over.resolve(why);
  }
}

/** The recogniser accepts sound and returns no words. */
export class Deaf extends VendorAway {
  constructor(name: string) {
    super(`${name} hears nothing although somebody speaks`);
    this.name = "Deaf";
  }
}

/** The library's errors name it one way, those of a vendor's package the other. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const status: unknown =
    "statusCode" in error ? error.statusCode : "status" in error ? error.status : undefined;
  return typeof status === "number" && status > 0 ? status : undefined;
}

/** The time limits of a session's speech-to-text. */
export interface HearingLimits {
  /** The time a connection may take to open. */
  connectMs: number;
  /** A connection that has lasted this long counts as good, even if nobody has spoken. Longer than `connectMs`. */
  provenMs: number;
  /** The backoff before the next attempt to connect. */
  backoffMs: number;
  /** Speech is given up after this long without a good connection. Longer than a circuit breaker stays open. */
  giveUpMs: number;
  /** The amount of unrecognised sound that is kept. Longer than `giveUpMs`, so that words said during an outage are still recognised. */
  keptMs: number;
  /** A recogniser counts as deaf when it returns no words for this much voice … */
  deafVoiceMs: number;
  /** … within this time. Interim words normally arrive every second. Doubled each time the verdict proves wrong. */
  deafWaitMs: number;
}

export const hearingLimits: HearingLimits = {
  connectMs: 2_000,
  provenMs: 2_500,
  backoffMs: 250,
  giveUpMs: 10_000,
  keptMs: 15_000,
  deafVoiceMs: 1_500,
  deafWaitMs: 3_000,
};
