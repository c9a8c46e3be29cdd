import * as z from "zod";

/** Speech-to-text and text-to-speech, each with its fallback. */
export interface SpeechSettings {
  hearing: { first: HearingSettings; fallback: HearingSettings | undefined };
  voice: { first: VoiceSettings; fallback: VoiceSettings | undefined };
  prices?: SpeechPrices;
}

/** In millionths of the currency. */
export interface SpeechPrices {
  minuteHeard: number;
  thousandCharactersSpoken: number;
}

export interface HearingSettings {
  provider: "deepgram" | "openai";
  /** The provider's own address by default. */
  url: string | undefined;
  key: string | undefined;
  model: string | undefined;
}

export interface VoiceSettings {
  provider: "cartesia" | "elevenlabs" | "deepgram" | "openai";
  url: string | undefined;
  key: string | undefined;
  model: string | undefined;
  /** The voice of agents that name none. */
  voice: string | undefined;
}

/** Where a provider is, unless another address is set. */
export const SPEECH_URLS: Record<(HearingSettings | VoiceSettings)["provider"], string> = {
  cartesia: "https://api.cartesia.ai",
  deepgram: "https://api.deepgram.com",
  elevenlabs: "https://api.elevenlabs.io",
  openai: "https://api.openai.com",
};

type Hearing = "SVC_STT" | "SVC_FALLBACK_STT";
type Voice = "SVC_TTS" | "SVC_FALLBACK_TTS";

/** The environment variables of the speech settings. */
export type SpeechVariables = Record<Hearing, HearingSettings["provider"] | undefined> &
  Record<Voice, VoiceSettings["provider"] | undefined> &
  Record<`${Hearing | Voice}_${"URL" | "KEY" | "MODEL"}` | `${Voice}_VOICE`, string | undefined> &
  Record<"SVC_STT_PRICE" | "SVC_TTS_PRICE", number>;

const recognisers = z.enum(["deepgram", "openai"]).optional();
const voices = z.enum(["cartesia", "elevenlabs", "deepgram", "openai"]).optional();
const text = z.string().optional();
const price = z.coerce.number().min(0).default(0);
const key = text.describe("Its key, where it needs one");
const sameKey = text.describe("Its key; that of the first where provider and address are the same");
const model = text.describe("Its model; a fitting one by default");
/** Some providers are reached over HTTP, some over WebSockets; each knows from either what to dial. */
const url = z
  .url({ protocol: /^(?:https?|wss?)$/, error: "must look like https://speech.example.com" })
  .transform((address) => address.replace(/\/+$/, ""))
  .optional()
  .describe("Where, if not at the provider's own address");

/** For the configuration's schema. */
export const speechVariables: {
  [Name in keyof SpeechVariables]: z.ZodType<SpeechVariables[Name]>;
} = {
  SVC_STT: recognisers.describe(
    "Who hears visitors: deepgram, or openai for any server with its protocol; needs SVC_TTS beside it",
  ),
  SVC_STT_URL: url,
  SVC_STT_KEY: key,
  SVC_STT_MODEL: model,
  SVC_STT_PRICE: price.describe(
    "What a minute of hearing costs, in millionths of your currency, whoever hears",
  ),
  SVC_TTS: voices.describe(
    "Who speaks for agents: cartesia, elevenlabs, deepgram, or openai for any server with its protocol; needs SVC_STT beside it",
  ),
  SVC_TTS_URL: url,
  SVC_TTS_KEY: key,
  SVC_TTS_MODEL: model,
  SVC_TTS_VOICE: text.describe("Its voice, for agents that name none in a language"),
  SVC_TTS_PRICE: price.describe(
    "What 1,000 spoken characters cost, in millionths of your currency, whoever speaks",
  ),
  SVC_FALLBACK_STT: recognisers.describe("Hears visitors when the first cannot"),
  SVC_FALLBACK_STT_URL: url,
  SVC_FALLBACK_STT_KEY: sameKey,
  SVC_FALLBACK_STT_MODEL: model,
  SVC_FALLBACK_TTS: voices.describe("Speaks for agents when the first cannot"),
  SVC_FALLBACK_TTS_URL: url,
  SVC_FALLBACK_TTS_KEY: sameKey,
  SVC_FALLBACK_TTS_MODEL: model,
  SVC_FALLBACK_TTS_VOICE: text.describe("Its voice, whichever the agent names with the first"),
};

/** The variable that is missing: with speech-to-text alone, or text-to-speech alone, nobody can talk. */
export function missingSpeech(env: SpeechVariables): "SVC_STT" | "SVC_TTS" | undefined {
  const { SVC_STT, SVC_TTS, SVC_FALLBACK_STT, SVC_FALLBACK_TTS } = env;
  if (SVC_STT === undefined && (SVC_TTS ?? SVC_FALLBACK_STT ?? SVC_FALLBACK_TTS)) return "SVC_STT";
  return SVC_STT !== undefined && SVC_TTS === undefined ? "SVC_TTS" : undefined;
}

/** Undefined where agents talk by text alone. */
export function speechSettings(env: SpeechVariables): SpeechSettings | undefined {
  const hearing = hearingAt(env, "SVC_STT");
  const voice = voiceAt(env, "SVC_TTS");
  if (hearing === undefined || voice === undefined) return undefined;
  return {
    hearing: withFallback(hearing, hearingAt(env, "SVC_FALLBACK_STT")),
    voice: withFallback(voice, voiceAt(env, "SVC_FALLBACK_TTS")),
    prices: { minuteHeard: env.SVC_STT_PRICE, thousandCharactersSpoken: env.SVC_TTS_PRICE },
  };
}

function hearingAt(env: SpeechVariables, name: Hearing): HearingSettings | undefined {
  const provider = env[name];
  return provider && { provider, ...placeAt(env, name) };
}

function voiceAt(env: SpeechVariables, name: Voice): VoiceSettings | undefined {
  const provider = env[name];
  return provider && { provider, ...placeAt(env, name), voice: env[`${name}_VOICE`] };
}

function placeAt(
  env: SpeechVariables,
  name: Hearing | Voice,
): Pick<HearingSettings, "url" | "key" | "model"> {
  return { url: env[`${name}_URL`], key: env[`${name}_KEY`], model: env[`${name}_MODEL`] };
}

/** A key goes only to the address that it was given for. */
function withFallback<One extends HearingSettings | VoiceSettings>(
  first: One,
  fallback: One | undefined,
): { first: One; fallback: One | undefined } {
  if (fallback === undefined) return { first, fallback };
  const isSame = first.provider === fallback.provider && first.url === fallback.url;
  return {
    first,
    fallback: { ...fallback, key: fallback.key ?? (isSame ? first.key : undefined) },
  };
}
