import type OpenAI from "openai";
import type { Clock } from "#platform";
import * as z from "zod";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { openAiAt } from "./model-client.ts";
import { explainModelFailure, isModelFailure, ModelRefused } from "./model-errors.ts";
import type { EmbeddingPlace } from "./model-settings.ts";
import { estimatedUsage, NO_USAGE, usageOf } from "./model-usage.ts";
import type { Charge } from "./model-usage.ts";

export interface EmbeddingRequest {
  texts: string[];
  timeoutMs: number;
  signal?: AbortSignal;
  /** Absent where nobody counts the cost. */
  charge?: Charge | undefined;
}

/** A model that turns texts into vectors: the nearer two of them, the more alike is what they mean. */
export interface EmbeddingModel {
  name: string;
  /** One vector of length 1 for each text. Throws `ModelAway` or `ModelRefused`. */
  embed(request: EmbeddingRequest): Promise<Float32Array[]>;
}

/** Behind an OpenAI-compatible address. */
export class EmbeddingClient implements EmbeddingModel {
  readonly name: string;
  readonly #place: EmbeddingPlace;
  readonly #client: OpenAI;
  readonly #breaker: CircuitBreaker;

  constructor(place: EmbeddingPlace, clock: Clock) {
    this.name = place.name;
    this.#place = place;
    this.#breaker = new CircuitBreaker(clock);
    this.#client = openAiAt(place, MAX_ANSWER_BYTES);
  }

  async embed({ texts, timeoutMs, signal, charge }: EmbeddingRequest): Promise<Float32Array[]> {
    const { price } = this.#place;
    const input = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const estimate = estimatedUsage({ input, output: 0 }, price);
    const settle = charge?.(this.name, estimate);
    // One that was sent and not answered has been read, which costs.
    let usage = estimate;
    try {
      return await this.#breaker.guard(async () => {
        try {
          const body = { model: this.name, input: texts, encoding_format: "float" as const };
          const options = { timeout: timeoutMs, signal };
          const answer: unknown = await this.#client.post("/embeddings", { body, ...options });
          const { data, usage: reported } = readAnswer(answer, texts.length);
          if (reported?.prompt_tokens !== undefined) usage = usageOf(reported, price);
          return data;
        } catch (error) {
          return explainModelFailure(error);
        }
      });
    } catch (error) {
      if (isModelFailure(error) && error.isUnbilled) usage = NO_USAGE;
      throw error;
    } finally {
      settle?.(usage);
    }
  }
}

/** 64 vectors of 3,072 numbers, in digits. */
const MAX_ANSWER_BYTES = 8_000_000;
const MAX_NUMBERS = 4_096;

const Answer = z.object({
  data: z.array(
    z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(2).max(MAX_NUMBERS) }),
  ),
  usage: z.object({ prompt_tokens: z.unknown().optional() }).nullish(),
});

function readAnswer(answer: unknown, count: number) {
  const read = Answer.safeParse(answer);
  const vectors = new Map(
    read.data?.data.map(({ index, embedding }) => [index, unit(embedding)] as const),
  );
  const data = Array.from({ length: count }, (_, at) => vectors.get(at));
  if (!data.every((one) => one !== undefined && one.length === data[0]!.length))
    throw new ModelRefused("did not answer with one vector for each text");
  return { data: data as Float32Array[], usage: read.data?.usage };
}

function unit(numbers: number[]): Float32Array {
  const length = Math.hypot(...numbers) || 1;
  return Float32Array.from(numbers, (one) => one / length);
}
