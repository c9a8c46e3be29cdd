import { APIConnectionError, initializeLogger, normalizeLanguage, stt } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";
import { onTestFinished } from "vitest";
import { CircuitBreaker } from "#models";
import { createLog, systemClock } from "#platform";
import { hearingLimits } from "./recogniser-connection.ts";
import type { HearingLimits } from "./recogniser-connection.ts";
import { ResilientHearing } from "./resilient-hearing.ts";

initializeLogger({ pretty: false, level: "silent" });

/** A recogniser that hears what the test says it hears. */
export class ScriptedRecogniser extends stt.STT {
  override label = "scripted";
  readonly breaker: CircuitBreaker = new CircuitBreaker(systemClock);
  readonly connections: ScriptedConnection[] = [];
  /** Connections cannot be made. */
  isAway = false;

  constructor(interimResults = true) {
    super({ streaming: true, interimResults });
    this.on("error", () => {});
  }

  override stream(): stt.SpeechStream {
    const connection = new ScriptedConnection(this);
    this.connections.push(connection);
    if (this.isAway) connection.lose();
    return connection;
  }

  override _recognize(): Promise<stt.SpeechEvent> {
    throw new Error("not asked for");
  }
}

export class ScriptedConnection extends stt.SpeechStream {
  override label = "scripted";
  /** The samples that came. */
  readonly came: number[] = [];
  readonly #lost = Promise.withResolvers<void>();

  constructor(recogniser: stt.STT) {
    super(recogniser, undefined, { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 1_000 });
  }

  get isClosed(): boolean {
    return this.abortSignal.aborted;
  }

  says(
    text: string,
    { endMs = 0, isFinal = true }: { endMs?: number; isFinal?: boolean } = {},
  ): void {
    const { FINAL_TRANSCRIPT, INTERIM_TRANSCRIPT } = stt.SpeechEventType;
    const type = isFinal ? FINAL_TRANSCRIPT : INTERIM_TRANSCRIPT;
    const language = normalizeLanguage("en");
    this.queue.put({
      type,
      alternatives: [{ language, text, startTime: 0, endTime: endMs / 1_000, confidence: 1 }],
    });
  }

  utteranceEnds(): void {
    this.queue.put({ type: stt.SpeechEventType.END_OF_SPEECH });
  }

  lose(): void {
    this.#lost.resolve();
  }

  protected override async run(): Promise<void> {
    const read = async (): Promise<void> => {
      for await (const frame of this.input) {
        if (typeof frame !== "symbol") this.came.push(...frame.data);
      }
    };
    await Promise.race([read(), this.#lost.promise]);
    throw new APIConnectionError({ message: "lost" });
  }
}

export interface HearingUnderTest {
  stream: stt.SpeechStream;
  /** Its transcripts; of words in the making with dots. */
  heard: string[];
  errors: Error[];
}

/** A session that hears with these. Everything waits a tenth as long as in earnest, or less. */
export function hearingUnderTest(
  recognisers: ScriptedRecogniser[],
  limits: Partial<HearingLimits> = {},
): HearingUnderTest {
  const hearing = new ResilientHearing({
    recognisers: recognisers.map((recogniser, index) => ({
      name: `recogniser ${index + 1}`,
      stt: recogniser,
      breaker: recogniser.breaker,
    })),
    clock: systemClock,
    log: createLog("silent"),
    limits: {
      ...hearingLimits,
      connectMs: 50,
      provenMs: 100,
      backoffMs: 20,
      giveUpMs: 400,
      deafVoiceMs: 500,
      deafWaitMs: 150,
      ...limits,
    },
  });
  const heard: string[] = [];
  const errors: Error[] = [];
  hearing.on("error", ({ error }) => void errors.push(error));
  const stream = hearing.stream();
  onTestFinished(() => stream.close());
  void (async () => {
    for await (const event of stream) {
      const text = event.alternatives?.[0]?.text;
      const isFinal = event.type === stt.SpeechEventType.FINAL_TRANSCRIPT;
      if (text !== undefined) heard.push(isFinal ? text : `${text} …`);
    }
  })();
  return { stream, heard, errors };
}

/** A tenth of a second whose samples all say its number. */
export function tenth(number: number): AudioFrame {
  return new AudioFrame(new Int16Array(1_600).fill(number), 16_000, 1, 1_600);
}

/** The numbers of the tenths that came. */
export function numbersOf({ came }: ScriptedConnection): number[] {
  return came.filter((_, index) => index % 1_600 === 0);
}
