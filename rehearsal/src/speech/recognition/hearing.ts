import { setTimeout as delay } from "node:timers/promises";
import type { Service, SpeechFault } from "../fault.ts";
import { resampled } from "../sound.ts";
import type { SpeechParts } from "../wire.ts";
import { garbled, RECOGNISER_SAMPLE_RATE } from "./recogniser.ts";
import type { Attention, Heard } from "./recogniser.ts";
import { SpeechGate } from "./speech-gate.ts";

/** What was heard in a stretch of sound. */
export interface Transcript extends Heard, Place {}

/** Counted from the first sound of all. */
interface Place {
  startMs: number;
  endMs: number;
  /** The quiet at its end begins here. */
  lastWordMs: number;
}

export interface HearingListener {
  started(startMs: number): void;
  interim(transcript: Transcript): void;
  /** `isOver` where the speaker has paused too. */
  final(transcript: Transcript, isOver: boolean): void;
  /** The connection is to end at once. */
  cut(): void;
}

export interface HearingOptions {
  service: Service;
  sampleRate: number;
  language: string;
  /** Quiet that ends an utterance. */
  endpointingMs: number;
}

/** Between interim transcripts. */
const STEP_MS = 240;
/** A final transcript is made this early, and thrown away if the voice goes on. */
const EARLY_MS = 100;
/** A longer utterance comes in several finals, as those of vendors do. */
const LONGEST_MS = 20_000;
const CUT_AFTER_MS = 400;

/** Hears one stream of sound: utterances by their loudness, their words by the recogniser, and the faults of both. */
export class Hearing {
  readonly #options: HearingOptions;
  readonly #parts: SpeechParts;
  readonly #listener: HearingListener;
  readonly #gate: SpeechGate;
  /** Of utterances whose final transcript has not left, oldest first. */
  readonly #owed: Attention[] = [];
  #fault: SpeechFault | undefined;
  #early: Promise<Heard> | undefined;
  #isGuessing = false;
  #guessedAtMs = 0;
  #isClosed = false;
  /** Finals leave in the order of what was said. */
  #finals: Promise<void> = Promise.resolve();

  constructor(options: HearingOptions, parts: SpeechParts, listener: HearingListener) {
    this.#options = options;
    this.#parts = parts;
    this.#listener = listener;
    this.#gate = new SpeechGate(options, {
      begins: () => this.#begin(),
      goesOn: (quietMs) => this.#goOn(quietMs),
      ends: () => this.#finish(true),
    });
  }

  /** How much sound has come. */
  get nowMs(): number {
    return this.#gate.nowMs;
  }

  push(samples: Int16Array): void {
    this.#gate.push(samples);
  }

  /** Ends the utterance that is being said, if any, and waits for every final. After the fault `deaf` there is none. */
  async flush(): Promise<void> {
    if (this.#gate.isOpen) this.#finish(true);
    await (this.#isDeaf ? new Promise(() => {}) : this.#finals);
  }

  /** The connection is gone. */
  close(): void {
    this.#isClosed = true;
    for (const attention of this.#owed.toReversed()) attention.abandon();
    this.#owed.length = 0;
  }

  get #isDeaf(): boolean {
    return this.#fault?.kind === "deaf";
  }

  #begin(): void {
    if (this.#isClosed) return;
    if (!this.#isDeaf) {
      this.#fault = this.#parts.faults.choose("utterance", this.#options.service);
    }
    this.#owed.push(this.#parts.recogniser.attend());
    this.#guessedAtMs = this.#gate.nowMs;
    this.#early = undefined;
    if (!this.#isDeaf) this.#listener.started(this.#gate.startMs);
  }

  #goOn(quietMs: number): void {
    if (this.#isClosed || this.#isDeaf) return;
    if (this.#fault?.kind === "cut_utterance" && this.#gate.lengthMs >= CUT_AFTER_MS) {
      this.#note("missed");
      this.close();
      return this.#listener.cut();
    }
    if (quietMs === 0) this.#early = undefined;
    if (quietMs >= EARLY_MS) this.#early ??= this.#hear("final");
    else if (this.#gate.nowMs - this.#guessedAtMs >= STEP_MS) void this.#guess();
    if (this.#gate.lengthMs >= LONGEST_MS) this.#finish(false);
  }

  async #guess(): Promise<void> {
    if (this.#isGuessing) return;
    this.#isGuessing = true;
    this.#guessedAtMs = this.#gate.nowMs;
    const place = this.#place();
    const heard = await this.#hear("interim");
    this.#isGuessing = false;
    // Once the utterance is over it comes too late.
    const isCurrent = this.#gate.isOpen && this.#gate.startMs === place.startMs;
    if (isCurrent && heard.text !== "") this.#listener.interim({ ...heard, ...place });
  }

  #finish(isOver: boolean): void {
    if (this.#isClosed) return;
    const attention = this.#owed.at(-1)!;
    const fault = this.#fault;
    const place = this.#place();
    if (this.#isDeaf) {
      this.#gate.reset();
      return this.#note("missed");
    }
    const hearing = this.#early ?? this.#hear("final");
    this.#gate.reset();
    const before = this.#finals;
    this.#finals = hearing.then(async (heard) => {
      if (fault?.kind === "late_finals") await delay(fault.afterMs);
      await before;
      if (this.#isClosed) return;
      this.#owed.splice(this.#owed.indexOf(attention), 1);
      this.#note("heard", heard.text, fault);
      const transcript = { ...heard, ...place };
      this.#listener.final(transcript, isOver);
      if (fault?.kind === "duplicate_finals") this.#listener.final(transcript, isOver);
    });
  }

  /** Of the utterance that is being said. A recogniser that fails ends the connection. */
  async #hear(kind: "interim" | "final"): Promise<Heard> {
    const { sampleRate } = this.#options;
    const fault = this.#fault?.kind;
    const sound = resampled({ pcm: this.#gate.pcm, sampleRate, words: [] }, RECOGNISER_SAMPLE_RATE);
    try {
      const heard = await this.#owed.at(-1)!.hear(sound.pcm, kind);
      return { ...heard, text: garbled(heard.text, fault) };
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      this.close();
      this.#listener.cut();
      return { text: "", confidence: 0 };
    }
  }

  #place(): Place {
    const { startMs, nowMs, quietMs } = this.#gate;
    return { startMs, endMs: nowMs, lastWordMs: nowMs - quietMs };
  }

  #note(what: "heard" | "missed", text?: string, fault = this.#fault): void {
    const { service, language } = this.#options;
    this.#parts.log.note({
      service,
      what,
      language,
      ...(text !== undefined && { text }),
      ...(fault !== undefined && { fault: fault.kind }),
    });
  }
}
