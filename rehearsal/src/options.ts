import { parseArgs } from "node:util";
import type { LanguageModelOptions } from "./language-model/language-model.ts";
import type { MailCatcherOptions } from "./mail-catcher/mail-catcher.ts";
import type { SpeechOptions } from "./speech/speech.ts";
import type { WebhookReceiverOptions } from "./webhook-receiver/webhook-receiver.ts";

export const MODEL_USAGE = `node rehearsal/src/main.ts              a language model on a free port
  --port 8090                           on this one
  --instant                             streams at once, not at the pace of a real model
  --fault prose                         switches a fault on; may be repeated
  --fault rate_limit,share=0.1,model=a  the same, with its settings`;

export const SPEECH_USAGE = `node rehearsal/src/main.ts speech       speech-to-text and text-to-speech on a free port
  --port 8092                           on this one
  --ears scripted                       hears no words, whatever is said
  --voice tone                          beeps, which cost nothing
  --fault deaf                          switches a fault on; may be repeated
  --fault cut_sentence,service=cartesia,times=1  the same, with its settings`;

export const RECEIVER_USAGE = `node rehearsal/src/main.ts receiver     a webhook receiver on a free port
  --port 8091                           on this one
  --secret whsec_…                      checks signatures with it; may be repeated
  --fault silent                        switches a fault on; may be repeated
  --fault late,afterMs=10100,share=0.1  the same, with its settings`;

export const MAIL_USAGE = `node rehearsal/src/main.ts mail         a mail catcher on free ports
  --port 8025                           its inbox on this one
  --smtp-port 1025                      takes mail on this one
  --fault silent                        switches a fault on; may be repeated
  --fault reply,status=451,share=0.1    the same, with its settings`;

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true, default: [] as string[] } as const;
const flag = { type: "boolean", default: false } as const;
const shared = { port: text, fault: texts, help: { ...flag, short: "h" } } as const;

const MAX_PORT = 65_535;

/** As a hosted model of the faster kind speaks. */
const PACE = { firstTokenMs: 250, tokensPerSec: 30 };

/** Undefined when help was asked for, like all that follow. */
export function readModelOptions(args: string[]): LanguageModelOptions | undefined {
  const { values } = parseArgs({ args, options: { ...shared, instant: flag } });
  if (values.help) return undefined;
  return {
    ...port("port", "--port", values.port),
    ...(!values.instant && { pace: PACE }),
    faults: faultsIn(values.fault),
  };
}

/** As a process it hears and speaks by models. */
export function readSpeechOptions(args: string[]): SpeechOptions | undefined {
  const { values } = parseArgs({ args, options: { ...shared, ears: text, voice: text } });
  if (values.help) return undefined;
  return {
    ...port("port", "--port", values.port),
    ears: oneOf(["model", "scripted"], "--ears", values.ears),
    voice: oneOf(["model", "tone"], "--voice", values.voice),
    faults: faultsIn(values.fault),
  };
}

export function readReceiverOptions(args: string[]): WebhookReceiverOptions | undefined {
  const { values } = parseArgs({ args, options: { ...shared, secret: texts } });
  if (values.help) return undefined;
  return {
    ...port("port", "--port", values.port),
    secrets: values.secret,
    faults: faultsIn(values.fault),
  };
}

export function readMailOptions(args: string[]): MailCatcherOptions | undefined {
  const { values } = parseArgs({ args, options: { ...shared, "smtp-port": text } });
  if (values.help) return undefined;
  return {
    ...port("port", "--port", values.port),
    ...port("smtpPort", "--smtp-port", values["smtp-port"]),
    faults: faultsIn(values.fault),
  };
}

/** Reads a flag such as `--port 8090` into an option, and none into nothing. */
function port<K extends string>(
  option: K,
  flagName: string,
  given: string | undefined,
): { [P in K]?: number } {
  if (given === undefined) return {};
  if (!/^\d+$/.test(given) || Number(given) > MAX_PORT) {
    throw new Error(`${flagName} takes a whole number up to ${MAX_PORT}, not "${given}".`);
  }
  return { [option]: Number(given) } as { [P in K]?: number };
}

/** The first, unless another one is given. */
function oneOf<T extends string>(words: [T, ...T[]], flagName: string, given?: string): T {
  const word = given === undefined ? words[0] : words.find((one) => one === given);
  if (word !== undefined) return word;
  throw new Error(`${flagName} takes one of ${words.join(", ")}, not "${given}".`);
}

/** Reads flags such as `--fault late,afterMs=300`. The stand-in itself checks what they say. */
function faultsIn<F>(flags: string[]): F[] {
  return flags.map((one) => {
    const [kind, ...settings] = one.split(",");
    const pairs = settings.map((setting): [string, unknown] => {
      const [name = "", value = ""] = setting.split("=", 2);
      return [name, value === "" || Number.isNaN(Number(value)) ? value : Number(value)];
    });
    return { kind, ...Object.fromEntries(pairs) } as F;
  });
}
