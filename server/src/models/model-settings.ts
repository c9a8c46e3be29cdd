import * as z from "zod";
import { httpUrl, jsonOrUndefined } from "#platform";
import type { FirstAndFallback } from "./model-errors.ts";
import { isPresetName, PRESET_NAMES } from "./model-presets.ts";
import type { PresetName } from "./model-presets.ts";
import type { ModelPrice } from "./model-usage.ts";
import type { StreamLimits } from "./streamed-answer.ts";

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
  /** True where the operator has set it; a price of zero may also mean that nobody did. */
  isPriced?: boolean;
  preset?: PresetName | undefined;
  /** Most requests at once. */
  atOnce?: number | undefined;
  /** False where all accounts count as one. */
  isShared?: boolean | undefined;
  /** Fields of every request, besides and above those of the preset. */
  body?: ModelBody | undefined;
}

/** An embedding model. */
export type EmbeddingPlace = Pick<ModelPlace, "url" | "key" | "name" | "price">;

/** A field that is null is left out. */
export type ModelBody = Record<string, unknown>;

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
  | "SVC_CONVERSATION_FALLBACK_MODEL"
  | "SVC_EMBEDDINGS_URL"
  | "SVC_EMBEDDINGS_KEY"
  | "SVC_EMBEDDINGS_MODEL",
  string | undefined
> & {
  SVC_MODEL_AT_ONCE: number;
  SVC_ACCOUNT_SHARE: number;
  SVC_MODEL_TIMEOUT_SECS: number;
  SVC_MODEL_FIRST_WORD_SECS: number | undefined;
  SVC_MODEL_IDLE_SECS: number | undefined;
  SVC_MODEL_WHOLE_SECS: number | undefined;
  SVC_MODEL_PRICES: Map<string, ModelPrice>;
  SVC_MODEL_PRESETS: Map<string, PresetName>;
  SVC_MODEL_BODY: Map<string, ModelBody>;
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
  SVC_EMBEDDINGS_MODEL: z
    .string()
    .optional()
    .describe(
      "The embedding model that finds sections of large knowledge by their meaning, beside their words; none by default",
    ),
  SVC_EMBEDDINGS_URL: httpUrl("https://api.openai.com/v1")
    .optional()
    .describe("Where it is: an OpenAI-compatible address; that of the language model by default"),
  SVC_EMBEDDINGS_KEY: z
    .string()
    .optional()
    .describe("Its key; that of the language model where the address is the same"),
  SVC_MODEL_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(128)
    .describe(
      "Most requests at once to a model in this process; more wait, and the accounts take turns. While the provider says that it is busy there are fewer",
    ),
  SVC_ACCOUNT_SHARE: z.coerce
    .number()
    .min(0.1)
    .max(1)
    .default(0.75)
    .describe(
      "The part of a process's conversations that one account may take while other accounts have an agent that visitors can start; 1 lets accounts take what they get, of requests to models too",
    ),
  SVC_MODEL_TIMEOUT_SECS: z.coerce
    .number()
    .min(1)
    .max(240)
    .default(60)
    .describe(
      "How long an evaluation's or a verifier's request to a model may take, at most 240 seconds",
    ),
  SVC_MODEL_FIRST_WORD_SECS: secs(120).describe(
    "How long the model that talks may take to its first word, at most 120 seconds; 30 with a reasoning preset, otherwise 1.5 where a fallback waits and 10 where none does",
  ),
  SVC_MODEL_IDLE_SECS: secs(60).describe(
    "How long it may send nothing at all in the middle of an answer, at most 60 seconds; 3 by default, 10 with a reasoning preset",
  ),
  SVC_MODEL_WHOLE_SECS: secs(240).describe(
    "How long its whole answer may take, at most 240 seconds; 30 by default, 60 with a reasoning preset",
  ),
  SVC_MODEL_PRICES: prices()
    .default(new Map())
    .describe(
      "What a million tokens cost, in millionths of your currency: model=input/output, or model=input/output/cached where input from the provider's cache has a price of its own; separated by commas",
    ),
  SVC_MODEL_PRESETS: presets()
    .default(new Map())
    .describe(
      `Which server a model runs on, where it has ways of its own: model=preset, separated by commas. Presets: ${PRESET_NAMES.join(", ")}`,
    ),
  SVC_MODEL_BODY: bodies()
    .default(new Map())
    .describe(
      'More fields for the requests to a model, as JSON: `{"some-model": {"reasoning_effort": "low"}}`. They replace those of the preset, and null leaves one out',
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
  const { url, key, name, price } = models.first;
  const checks = env.SVC_VERIFIER_MODEL ?? name;
  const verifier = checks === "off" ? undefined : place(env, checks, url, key, price);
  return { ...models, verifier };
}

/** Undefined when no address or no name is set. */
export function modelSettings(env: ModelVariables): ModelSettings | undefined {
  const { SVC_MODEL_URL: url, SVC_MODEL_KEY: key, SVC_EVALUATION_MODEL: name } = env;
  if (url === undefined || name === undefined) return undefined;
  const fallback = env.SVC_EVALUATION_FALLBACK_MODEL;
  const fallbackUrl = env.SVC_FALLBACK_MODEL_URL ?? url;
  // A key goes only to the address that it was given for.
  const fallbackKey = env.SVC_FALLBACK_MODEL_KEY ?? (fallbackUrl === url ? key : undefined);
  return {
    first: place(env, name, url, key),
    fallback: fallback === undefined ? undefined : place(env, fallback, fallbackUrl, fallbackKey),
  };
}

/** Undefined when no name is set: then only words are searched. */
export function embeddingSettings(env: ModelVariables): EmbeddingPlace | undefined {
  const { SVC_EMBEDDINGS_MODEL: name, SVC_MODEL_URL } = env;
  const url = env.SVC_EMBEDDINGS_URL ?? SVC_MODEL_URL;
  if (name === undefined || url === undefined) return undefined;
  // A key goes only to the address that it was given for.
  const key = env.SVC_EMBEDDINGS_KEY ?? (url === SVC_MODEL_URL ? env.SVC_MODEL_KEY : undefined);
  return { url, key, name, price: env.SVC_MODEL_PRICES.get(name) ?? { input: 0, output: 0 } };
}

/** The names of those whose price nobody has set: limits in money do not count what they cost. */
export function unpricedModels({
  first,
  fallback,
}: FirstAndFallback<Pick<ModelPlace, "name" | "price" | "isPriced">>): string[] {
  return [first, fallback].flatMap((one) =>
    one === undefined || one.isPriced || one.price.input + one.price.output > 0 ? [] : [one.name],
  );
}

/** The highest price of the first model and the fallback: either may answer. */
export function highestPrice({ first, fallback = first }: ModelSettings): ModelPrice {
  return {
    input: Math.max(first.price.input, fallback.price.input),
    output: Math.max(first.price.output, fallback.price.output),
  };
}

/** The names in settings about single models that no model in use has: such a setting does nothing. */
export function unusedModelNames(env: ModelVariables): { variable: string; model: string }[] {
  const talks = talkModelSettings(env);
  const judges = modelSettings(env);
  const places = [talks?.first, talks?.fallback, talks?.verifier, judges?.first, judges?.fallback];
  const used = new Set(places.map((one) => one?.name));
  return (["SVC_MODEL_PRESETS", "SVC_MODEL_BODY"] as const).flatMap((variable) =>
    [...env[variable].keys()].flatMap((model) => (used.has(model) ? [] : [{ variable, model }])),
  );
}

function place(
  env: ModelVariables,
  name: string,
  url: string,
  key: string | undefined,
  otherwise: ModelPrice = { input: 0, output: 0 },
): ModelPlace {
  return {
    url,
    key,
    name,
    atOnce: env.SVC_MODEL_AT_ONCE,
    isShared: env.SVC_ACCOUNT_SHARE < 1,
    timeoutMs: env.SVC_MODEL_TIMEOUT_SECS * 1_000,
    patience: patience(env),
    price: env.SVC_MODEL_PRICES.get(name) ?? otherwise,
    isPriced: env.SVC_MODEL_PRICES.has(name),
    preset: env.SVC_MODEL_PRESETS.get(name),
    body: env.SVC_MODEL_BODY.get(name),
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
      context.addIssue("must look like some-model=250000/2000000,another=250000/2000000/25000");
      return z.NEVER;
    }
    return new Map(
      entries.map((entry) => [
        entry!["model"]!,
        {
          input: Number(entry!["input"]),
          output: Number(entry!["output"]),
          ...(entry!["cached"] !== undefined && { cached: Number(entry!["cached"]) }),
        },
      ]),
    );
  });
}

const PRICE = /^(?<model>[^=]+)=(?<input>\d+)\/(?<output>\d+)(?:\/(?<cached>\d+))?$/;

function presets(): z.ZodType<Map<string, PresetName>, string> {
  return z.string().transform((text, context) => {
    const entries = text.split(",").map((item) => item.trim().split("="));
    const named = entries.flatMap(([model = "", preset = "", ...more]) =>
      model !== "" && isPresetName(preset) && more.length === 0 ? [[model, preset] as const] : [],
    );
    if (named.length === entries.length) return new Map(named);
    context.addIssue(
      `must look like some-model=openai,another=vllm; presets are ${PRESET_NAMES.join(", ")}`,
    );
    return z.NEVER;
  });
}

/** What the product itself writes: another value would break it, or change who is asked. */
const OWN_FIELDS = ["model", "messages", "stream", "tools", "tool_choice", "n"];

const Bodies = z.record(
  z.string(),
  z.record(
    z.string().refine((field) => !OWN_FIELDS.includes(field)),
    z.unknown(),
  ),
);

function bodies(): z.ZodType<Map<string, ModelBody>, string> {
  return z.string().transform((text, context) => {
    const read = Bodies.safeParse(jsonOrUndefined(text));
    if (read.success) return new Map(Object.entries(read.data));
    context.addIssue(
      `must be JSON such as {"some-model": {"reasoning_effort": "low"}}, without ${OWN_FIELDS.join(", ")}`,
    );
    return z.NEVER;
  });
}
