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

/** One connection to one recogniser, until it is lost. It never tries again by itself. */
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
    // It may be that nobody waits for it.
    this.#proven.promise.catch(() => {});
    recogniser.on("error", this.#onError);
    this.#stream = recogniser.stream({
      connOptions: { maxRetry: 0, retryIntervalMs: 0, timeoutMs: limits.connectMs },
    });
    this.#watch = setInterval(() => this.#look(), LOOK_EVERY_MS);
    void this.#read();
  }

  /** Resolves when words have come, or it has lasted and there was nothing to hear. Rejects when it is over before that. */
  get proven(): Promise<void> {
    return this.#proven.promise;
  }

  /** Resolves to why it is over. */
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
    // Whoever hears whole utterances has nothing to say before their end.
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

/** It takes the sound and says nothing. */
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

/** How long a session waits for its recognisers. */
export interface HearingLimits {
  /** For a connection to open. */
  connectMs: number;
  /** A connection that has lasted so long counts as good, even if nobody has spoken. Longer than `connectMs`. */
  provenMs: number;
  /** Between one try and the next. */
  retryMs: number;
  /** Without any good connection, until speech is given up. Longer than a breaker keeps a provider from being asked. */
  giveUpMs: number;
  /** Sound that waits to be put into words. Longer than `giveUpMs`: what was said meanwhile is heard after all. */
  keptMs: number;
  /** A recogniser is deaf when it says nothing of so much voice … */
  deafVoiceMs: number;
  /** … for so long. Words in the making come every second. Doubled each time it proves wrong. */
  deafWaitMs: number;
}

export const hearingLimits: HearingLimits = {
  connectMs: 2_000,
  provenMs: 2_500,
  retryMs: 250,
  giveUpMs: 10_000,
  keptMs: 15_000,
  deafVoiceMs: 1_500,
  deafWaitMs: 3_000,
};
