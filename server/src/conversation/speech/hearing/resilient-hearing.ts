import { setTimeout as delay } from "node:timers/promises";
import type { Breaker } from "#models";
import { AppError } from "#platform";
import type { Clock, Log } from "#platform";
import { stt } from "@livekit/agents";
import { QuietFilter } from "./loudness.ts";
import { Deaf, RecogniserConnection } from "./recogniser-connection.ts";
import type { HearingLimits } from "./recogniser-connection.ts";
import { SoundFrames, UnheardSound } from "./unheard-sound.ts";

export interface ResilientHearingOptions {
  /** In the order in which they are tried. */
  recognisers: readonly Recogniser[];
  clock: Clock;
  log: Log;
  limits: HearingLimits;
}

export interface Recogniser {
  /** The provider's name, for the log. */
  name: string;
  stt: stt.STT;
  /** Shared with the other sessions of the process. */
  breaker: Breaker;
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

const SAMPLE_RATE = 16_000;
/** After so many in a row, speech-to-text is given up; fewer may have been noise. */
const DEAF_TO_GIVE_UP = 3;

/**
 * The speech-to-text stream of one session. When a connection is lost, the sound that is not in words yet goes to the
 * next: to the same recogniser if it has heard us before, otherwise to another.
 */
class ResilientStream extends stt.SpeechStream {
  override label = "svc.ResilientStream";
  readonly #hearing: stt.STT;
  readonly #options: ResilientHearingOptions;
  readonly #frames = new SoundFrames(SAMPLE_RATE);
  /** Plugins leave out quiet by the same rule. Left out here, their times count the sound that they are given. */
  readonly #quiet = new QuietFilter();
  readonly #unheard: UnheardSound;
  #connection: RecogniserConnection | undefined;
  #turn = 0;
  #timesDeaf = 0;
  #lastGoodAt: number;
  /** Up to where the words of this connection are final. */
  #finalUntilMs = 0;
  #utteranceEndMs = 0;

  constructor(hearing: stt.STT, options: ResilientHearingOptions) {
    super(hearing, SAMPLE_RATE);
    this.#hearing = hearing;
    this.#options = options;
    this.#unheard = new UnheardSound(options.limits.keptMs);
    this.#lastGoodAt = options.clock.monotonicMs();
  }

  override close(): void {
    super.close();
    this.#connection?.close();
  }

  protected override async run(): Promise<void> {
    const { clock, limits } = this.#options;
    void this.#takeSound();
    let why = "They were away a moment ago.";
    for (;;) {
      const recogniser = this.#next();
      if (recogniser === undefined) await this.#pause();
      else why = `${await this.#hearWith(recogniser)}.`;
      if (this.abortSignal.aborted) return;
      const isHopeless = clock.monotonicMs() - this.#lastGoodAt >= limits.giveUpMs;
      if (isHopeless || this.#timesDeaf >= DEAF_TO_GIVE_UP) return this.#giveUp(why);
    }
  }

  #giveUp(why: string): void {
    const error = new AppError("unavailable", {
      what: "Nobody can hear the visitor any more.",
      why,
      fix: "The conversation goes on in text; `svc doctor` tells whether others could be heard.",
    });
    this.#hearing.emit("error", {
      type: "stt_error",
      timestamp: this.#options.clock.nowMs(),
      label: this.label,
      error,
      // Otherwise the library would close the session, and with it the conversation.
      recoverable: true,
    });
  }

  /** The recogniser whose turn it is, or the next one whose circuit breaker is closed. */
  #next(): Recogniser | undefined {
    const { recognisers } = this.#options;
    const turn = this.#turn % recognisers.length;
    const inTurn = [...recognisers.slice(turn), ...recognisers.slice(0, turn)];
    return inTurn.find(({ breaker }) => !breaker.isOpen());
  }

  /** Runs until the connection is lost; returns the reason. */
  async #hearWith({ name, stt: recogniser, breaker }: Recogniser): Promise<string> {
    const { clock, log } = this.#options;
    const connection = new RecogniserConnection({
      name,
      recogniser,
      clock,
      limits: this.#patientLimits(),
      onEvent: (event) => this.#hear(event),
    });
    this.#connection = connection;
    this.#finalUntilMs = 0;
    this.#utteranceEndMs = 0;
    for (const frame of this.#unheard.again()) connection.push(frame);
    const isProven = await breaker
      .guard(() => connection.proven)
      .then(
        () => true,
        () => false,
      );
    const why = await connection.over;
    this.#connection = undefined;
    if (this.abortSignal.aborted) return why.message;

    log.warn({ recogniser: name, err: why }, "a recogniser was lost");
    const isDeaf = why instanceof Deaf;
    if (isDeaf) this.#timesDeaf += 1;
    if (isProven) this.#lastGoodAt = clock.monotonicMs();
    else await this.#pause();
    if (isDeaf || !isProven) this.#turn += 1;
    return why.message;
  }

  /** Noise is never put into words. A recogniser that was found deaf because of it must not be found so again at once. */
  #patientLimits(): ResilientHearingOptions["limits"] {
    const { limits } = this.#options;
    const factor = 2 ** this.#timesDeaf;
    return {
      ...limits,
      deafVoiceMs: limits.deafVoiceMs * factor,
      deafWaitMs: limits.deafWaitMs * factor,
    };
  }

  async #takeSound(): Promise<void> {
    for await (const sound of this.input) {
      if (typeof sound === "symbol") continue;
      for (const frame of this.#frames.add(sound.data)) {
        if (!this.#quiet.passes(frame)) continue;
        this.#unheard.add(frame);
        this.#connection?.push(frame);
      }
    }
  }

  #hear(event: stt.SpeechEvent): void {
    const { END_OF_SPEECH, FINAL_TRANSCRIPT } = stt.SpeechEventType;
    const words = event.alternatives?.[0];
    const endMs = (words?.endTime ?? 0) * 1_000;
    // A final that comes twice, or words in the making that come after their final.
    if (endMs > 0 && endMs <= this.#finalUntilMs) return;
    if (event.type === END_OF_SPEECH) this.#utteranceEndMs = this.#unheard.endMs;
    if (words !== undefined) this.#timesDeaf = 0;
    if (event.type === FINAL_TRANSCRIPT) {
      this.#finalUntilMs = endMs;
      // A recogniser of whole utterances reports no times.
      this.#unheard.heardUntil(endMs > 0 ? endMs : this.#utteranceEndMs);
    }
    if (!this.queue.closed) this.queue.put(event);
  }

  #pause(): Promise<void> {
    const { backoffMs } = this.#options.limits;
    return delay(backoffMs, undefined, { signal: this.abortSignal }).catch(() => {});
  }
}
