export interface GateOptions {
  sampleRate: number;
  /** Quiet that ends an utterance. */
  endpointingMs: number;
}

export interface GateListener {
  begins(): void;
  /** After every 20 ms of an utterance, its quiet end included. */
  goesOn(quietMs: number): void;
  ends(): void;
}

const FRAME_MS = 20;
const LOUD = 0.012 * 32_768;
/** A click is shorter. */
const VOICED_MS = 60;
/** The first sound of a word is softer than the gate hears. */
const KEPT_BEFORE_MS = 200;

/** Tells by its loudness when somebody speaks, and keeps the sound of what is being said. */
export class SpeechGate {
  readonly #options: GateOptions;
  readonly #listener: GateListener;
  readonly #frameSamples: number;
  #rest = new Int16Array(0);
  /** The utterance, or what came just before the next one. */
  #frames: Int16Array[] = [];
  #isOpen = false;
  #voicedMs = 0;
  #quietMs = 0;
  #nowMs = 0;

  constructor(options: GateOptions, listener: GateListener) {
    this.#options = options;
    this.#listener = listener;
    this.#frameSamples = (options.sampleRate * FRAME_MS) / 1_000;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** How much sound has come since the start. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** When the utterance began, in that sound. */
  get startMs(): number {
    return this.#nowMs - this.lengthMs;
  }

  get lengthMs(): number {
    return this.#frames.length * FRAME_MS;
  }

  /** How long it has been quiet. */
  get quietMs(): number {
    return this.#quietMs;
  }

  /** Of the utterance so far. */
  get pcm(): Int16Array<ArrayBuffer> {
    const pcm = new Int16Array(this.#frames.length * this.#frameSamples);
    this.#frames.forEach((frame, index) => pcm.set(frame, index * this.#frameSamples));
    return pcm;
  }

  push(samples: Int16Array): void {
    const all = new Int16Array(this.#rest.length + samples.length);
    all.set(this.#rest);
    all.set(samples, this.#rest.length);
    let at = 0;
    for (; at + this.#frameSamples <= all.length; at += this.#frameSamples) {
      this.#frame(all.slice(at, at + this.#frameSamples));
    }
    this.#rest = all.slice(at);
  }

  /** What follows is a new utterance, even without a pause. */
  reset(): void {
    this.#isOpen = false;
    this.#frames = [];
    this.#voicedMs = 0;
  }

  #frame(frame: Int16Array): void {
    this.#nowMs += FRAME_MS;
    this.#frames.push(frame);
    const isLoud = loudness(frame) > LOUD;
    this.#quietMs = isLoud ? 0 : this.#quietMs + FRAME_MS;
    if (this.#isOpen) this.#goOn();
    else this.#listen(isLoud);
  }

  #listen(isLoud: boolean): void {
    this.#voicedMs = isLoud
      ? this.#voicedMs + FRAME_MS
      : Math.max(0, this.#voicedMs - FRAME_MS / 2);
    if (this.#voicedMs >= VOICED_MS) {
      this.#isOpen = true;
      this.#listener.begins();
      return;
    }
    if (this.lengthMs > KEPT_BEFORE_MS) this.#frames.shift();
  }

  #goOn(): void {
    this.#listener.goesOn(this.#quietMs);
    if (this.#isOpen && this.#quietMs >= this.#options.endpointingMs) this.#listener.ends();
  }
}

function loudness(frame: Int16Array): number {
  let energy = 0;
  for (const sample of frame) energy += sample * sample;
  return Math.sqrt(energy / frame.length);
}
