import { EgressFailure } from "./failure.ts";

/** A receiver's answer. The status alone decides; the rest is for the log. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The first bytes, as they were sent: nothing is decompressed. */
  body: Buffer;
  /** `cut`: there was more, or it took too long. `broken`: the connection or its framing failed midway. */
  bodyEnd: "whole" | "cut" | "broken";
  /** When the status was there, by `performance.now()`. */
  answeredAt: number;
}

export interface AnswerLimits {
  /** How much of the body is kept; it is cut there. */
  bytes: number;
  /** For the body, once the status is there. A body that drips must not hold up the next request. */
  waitMs: number;
}

const OF_A_RECEIVER: AnswerLimits = { bytes: 16_384, waitMs: 1_000 };
/** Answers before the answer (1xx). A receiver that sends more would keep us reading without end. */
const MAX_INTERIM_ANSWERS = 16;

interface Controller {
  abort(reason: Error): void;
}

/** Takes one answer from undici's `dispatch`. */
export class AnswerReader {
  readonly answer: Promise<Answer>;
  /** True once undici has begun to send the request: the receiver may have read it. */
  isSent = false;
  readonly #settled = Promise.withResolvers<Answer>();
  #head: Pick<Answer, "status" | "headers" | "answeredAt"> | undefined;
  #interimAnswers = 0;
  readonly #chunks: Buffer[] = [];
  #receivedBytes = 0;
  #bodyTimer: NodeJS.Timeout | undefined;

  readonly #limits: AnswerLimits;

  constructor(limits: AnswerLimits = OF_A_RECEIVER) {
    this.#limits = limits;
    this.answer = this.#settled.promise;
  }

  onRequestStart(): void {
    this.isSent = true;
  }

  onResponseStart(controller: Controller, status: number, headers: Answer["headers"]): void {
    if (status < 200) {
      if (++this.#interimAnswers > MAX_INTERIM_ANSWERS) {
        controller.abort(new EgressFailure("bad_answer", "interim answers without end"));
      }
      return;
    }
    this.#head = { status, headers, answeredAt: performance.now() };
    this.#bodyTimer = setTimeout(() => this.#cut(controller), this.#limits.waitMs);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > this.#limits.bytes) this.#cut(controller);
  }

  onResponseEnd(): void {
    this.#settle("whole");
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#head === undefined) this.#settled.reject(error);
    // The deadline may pass, or we may be stopped, while the body is read.
    else this.#settle(error instanceof EgressFailure ? "cut" : "broken");
  }

  #cut(controller: Controller): void {
    this.#settle("cut");
    controller.abort(new Error("enough"));
  }

  #settle(bodyEnd: Answer["bodyEnd"]): void {
    clearTimeout(this.#bodyTimer);
    const body = Buffer.concat(this.#chunks).subarray(0, this.#limits.bytes);
    if (this.#head !== undefined) this.#settled.resolve({ ...this.#head, body, bodyEnd });
  }
}
