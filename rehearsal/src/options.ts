import { parseArgs } from "node:util";
import type { LanguageModelOptions } from "./language-model/language-model.ts";
import type { MailCatcherOptions } from "./mail-catcher/mail-catcher.ts";
import type { SpeechOptions } from "./speech/speech.ts";
import type { WebhookReceiverOptions } from "./webhook-receiver/webhook-receiver.ts";

export const USAGE = `node rehearsal/src/main.ts              a language model on a free port
  --instant                             streams at once, not at the pace of a real model
node rehearsal/src/main.ts speech       speech-to-text and text-to-speech on a free port
  --ears scripted                       hears no words, whatever is said
  --voice tone                          beeps, which cost nothing
node rehearsal/src/main.ts receiver     a webhook receiver on a free port
  --secret whsec_…                      checks signatures with it; may be repeated
node rehearsal/src/main.ts mail         a mail catcher on free ports
  --smtp-port 1025                      takes mail on this one
  --dns-port 1053                       a name server beside it, which says which domains take mail

Each takes --port 8090, and --everywhere to listen on every address of a container. Each lets you make it fail on its page.`;

/** As a hosted model of the faster kind speaks. */
const PACE = { firstTokenMs: 250, tokensPerSec: 30 };

const text = { type: "string" } as const;
const port = text;

export function readModelOptions(args: string[]): LanguageModelOptions {
  const instant = { type: "boolean", default: false } as const;
  const { values } = parseArgs({ args, options: { port, instant } });
  return { ...portIn("port", values), ...(!values.instant && { pace: PACE }) };
}

/** As a process it hears and speaks by models. */
export function readSpeechOptions(args: string[]): SpeechOptions {
  const { values } = parseArgs({ args, options: { port, ears: text, voice: text } });
  return {
    ...portIn("port", values),
    ears: oneOf(["model", "scripted"], "--ears", values.ears),
    voice: oneOf(["model", "tone"], "--voice", values.voice),
  };
}

export function readReceiverOptions(args: string[]): WebhookReceiverOptions {
  const secret = { type: "string", multiple: true, default: [] as string[] } as const;
  const { values } = parseArgs({ args, options: { port, secret } });
  return { ...portIn("port", values), secrets: values.secret };
}

export function readMailOptions(args: string[]): MailCatcherOptions & { dnsPort?: number } {
  const { values } = parseArgs({ args, options: { port, "smtp-port": text, "dns-port": text } });
  const smtp = portIn("smtp-port", values);
  const dns = portIn("dns-port", values);
  return {
    ...portIn("port", values),
    ...(smtp.port !== undefined && { smtpPort: smtp.port }),
    ...(dns.port !== undefined && { dnsPort: dns.port }),
  };
}

/** Reads a flag such as `--port 8090`, where it was given. */
function portIn<K extends string>(
  flag: K,
  values: { [P in K]?: string | undefined },
): { port?: number } {
  const given = values[flag];
  if (given === undefined) return {};
  if (/^\d+$/.test(given) && Number(given) <= 65_535) return { port: Number(given) };
  throw new Error(`--${flag} takes a whole number up to 65535, not "${given}".`);
}

/** The first, unless another one is given. */
function oneOf<T extends string>(words: [T, ...T[]], flag: string, given?: string): T {
  const word = given === undefined ? words[0] : words.find((one) => one === given);
  if (word !== undefined) return word;
  throw new Error(`${flag} takes one of ${words.join(", ")}, not "${given}".`);
}
