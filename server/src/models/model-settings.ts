import * as z from "zod";
import { httpUrl } from "#platform";
import type { FirstAndFallback } from "./first-then-fallback.ts";
import type { ModelPrice } from "./model-usage.ts";
import type { StreamLimits } from "./stream-deadline.ts";

/** The language models of one purpose. */
export type ModelSettings = FirstAndFallback<ModelPlace>;

/** Those that talk, and the one that checks what they say. */
export interface TalkModelSettings extends ModelSettings {
  verifier: ModelPlace | undefined;
}

/** One model: where it is, and what it may take. */
export interface ModelPlace {
  url: string;
  key: string | undefined;
  name: string;
  /** For an answer in one piece. */
  timeoutMs: number;
  /** For a streamed answer, where the operator has set it. */
  patience?: Partial<StreamLimits>;
  price: ModelPrice;
}

/** The environment variables about models. */
export type ModelVariables = Record<
  | "SVC_MODEL_URL"
  | "SVC_MODEL_KEY"
  | "SVC_EVALUATION_MODEL"
  | "SVC_CONVERSATION_MODEL"
  | "SVC_VERIFIER_MODEL"
  | "SVC_FALLBACK_MODEL_URL"
  | "SVC_FALLBACK_MODEL_KEY"
  | "SVC_EVALUATION_FALLBACK_MODEL"
  | "SVC_CONVERSATION_FALLBACK_MODEL",
  string | undefined
> & {
  SVC_MODEL_TIMEOUT_SECS: number;
  SVC_MODEL_FIRST_WORD_SECS: number | undefined;
  SVC_MODEL_IDLE_SECS: number | undefined;
  SVC_MODEL_WHOLE_SECS: number | undefined;
  SVC_MODEL_PRICES: Map<string, ModelPrice>;
};

/** For the configuration's schema. */
export const modelVariables: { [Name in keyof ModelVariables]: z.ZodType<ModelVariables[Name]> } = {
  SVC_MODEL_URL: httpUrl("https://api.openai.com/v1")
    .optional()
    .describe("The language model: an OpenAI-compatible address, needed by all roles but api"),
  SVC_MODEL_KEY: z.string().optional().describe("Its key, where it needs one"),
  SVC_EVALUATION_MODEL: z
    .string()
    .optional()
    .describe("The model that evaluates, by its name there; needed by the pipeline"),
  SVC_CONVERSATION_MODEL: z
    .string()
    .optional()
    .describe("The model that talks with visitors; the one that evaluates by default"),
  SVC_VERIFIER_MODEL: z
    .string()
    .optional()
    .describe(
      "The model that checks each sentence before a visitor hears it; the one that talks by default; `off` for none",
    ),
  SVC_FALLBACK_MODEL_URL: httpUrl("https://api.openai.com/v1")
    .optional()
    .describe("Where the fallback model is; the same address by default"),
  SVC_FALLBACK_MODEL_KEY: z
    .string()
    .optional()
    .describe("Its key; that of the first model where the address is the same"),
  SVC_EVALUATION_FALLBACK_MODEL: z
    .string()
    .optional()
    .describe("Asked when the first model is away, refuses, or cannot be understood"),
  SVC_CONVERSATION_FALLBACK_MODEL: z
    .string()
    .optional()
    .describe("Talks on when the first model is away or too slow; the evaluation's by default"),
  SVC_MODEL_TIMEOUT_SECS: z.coerce
    .number()
    .min(1)
    .max(240)
    .default(60)
    .describe(
      "How long an evaluation's or a verifier's request to a model may take, at most 240 seconds",
    ),
  SVC_MODEL_FIRST_WORD_SECS: secs(120).describe(
    "How long the model that talks may take to its first word, at most 120 seconds; 1.5 where a fallback waits and 10 otherwise",
  ),
  SVC_MODEL_IDLE_SECS: secs(60).describe(
    "How long it may send nothing at all in the middle of an answer, at most 60 seconds; 3 by default",
  ),
  SVC_MODEL_WHOLE_SECS: secs(240).describe(
    "How long its whole answer may take, at most 240 seconds; 30 by default",
  ),
  SVC_MODEL_PRICES: prices()
    .default(new Map())
    .describe(
      "What a million tokens cost, in millionths of your currency: model=input/output, separated by commas",
    ),
};

/** The settings of the models that talk: those of evaluation, unless they are set apart. */
function conversing(env: ModelVariables): ModelVariables {
  return {
    ...env,
    SVC_EVALUATION_MODEL: env.SVC_CONVERSATION_MODEL ?? env.SVC_EVALUATION_MODEL,
    SVC_EVALUATION_FALLBACK_MODEL:
      env.SVC_CONVERSATION_FALLBACK_MODEL ?? env.SVC_EVALUATION_FALLBACK_MODEL,
  };
}

/** Undefined when no address or no name is set. Sentences are checked at the address of the model that talks. */
export function talkModelSettings(env: ModelVariables): TalkModelSettings | undefined {
  const models = modelSettings(conversing(env));
  if (models === undefined) return undefined;
  const name = env.SVC_VERIFIER_MODEL ?? models.first.name;
  const price = env.SVC_MODEL_PRICES.get(name) ?? models.first.price;
  return { ...models, verifier: name === "off" ? undefined : { ...models.first, name, price } };
}

/** Undefined when no address or no name is set. */
export function modelSettings(env: ModelVariables): ModelSettings | undefined {
  const { SVC_MODEL_URL: url, SVC_EVALUATION_MODEL: name } = env;
  if (url === undefined || name === undefined) return undefined;
  const fallback = env.SVC_EVALUATION_FALLBACK_MODEL;
  const fallbackUrl = env.SVC_FALLBACK_MODEL_URL ?? url;
  const model = (place: string, key: string | undefined, called: string): ModelPlace => ({
    url: place,
    key,
    name: called,
    timeoutMs: env.SVC_MODEL_TIMEOUT_SECS * 1_000,
    patience: patience(env),
    price: env.SVC_MODEL_PRICES.get(called) ?? { input: 0, output: 0 },
  });
  // A key goes only to the address that it was given for.
  const fallbackKey =
    env.SVC_FALLBACK_MODEL_KEY ?? (fallbackUrl === url ? env.SVC_MODEL_KEY : undefined);
  return {
    first: model(url, env.SVC_MODEL_KEY, name),
    fallback: fallback === undefined ? undefined : model(fallbackUrl, fallbackKey, fallback),
  };
}

function secs(most: number): z.ZodType<number | undefined> {
  return z.coerce.number().min(0.1).max(most).optional();
}

function patience(env: ModelVariables): Partial<StreamLimits> {
  const { SVC_MODEL_FIRST_WORD_SECS, SVC_MODEL_IDLE_SECS, SVC_MODEL_WHOLE_SECS } = env;
  return {
    ...(SVC_MODEL_FIRST_WORD_SECS && { firstTokenMs: SVC_MODEL_FIRST_WORD_SECS * 1_000 }),
    ...(SVC_MODEL_IDLE_SECS && { idleMs: SVC_MODEL_IDLE_SECS * 1_000 }),
    ...(SVC_MODEL_WHOLE_SECS && { wholeMs: SVC_MODEL_WHOLE_SECS * 1_000 }),
  };
}

function prices(): z.ZodType<Map<string, ModelPrice>, string> {
  return z.string().transform((text, context) => {
    const entries = text.split(",").map((item) => PRICE.exec(item.trim())?.groups);
    if (entries.some((entry) => entry === undefined)) {
      context.addIssue("must look like some-model=250000/2000000,another=0/0");
      return z.NEVER;
    }
    return new Map(
      entries.map((entry) => [
        entry!["model"]!,
        { input: Number(entry!["input"]), output: Number(entry!["output"]) },
      ]),
    );
  });
}

const PRICE = /^(?<model>[^=]+)=(?<input>\d+)\/(?<output>\d+)$/;
