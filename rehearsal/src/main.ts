import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel } from "./language-model/language-model.ts";
import { startMailCatcher } from "./mail-catcher/mail-catcher.ts";
import { MAIL_USAGE, readMailOptions } from "./mail-catcher/options.ts";
import { readOptions, USAGE } from "./options.ts";
import { warmUp } from "./speech/models/warm-up.ts";
import { readSpeechOptions, SPEECH_USAGE } from "./speech/options.ts";
import { startSpeech } from "./speech/speech.ts";
import { readReceiverOptions, RECEIVER_USAGE } from "./webhook-receiver/options.ts";
import { startWebhookReceiver } from "./webhook-receiver/webhook-receiver.ts";

/** Whoever starts it has more to start: two cores loading models would hold all of that up. Who talks sooner loads them sooner. */
const LOAD_AFTER_MS = 5_000;

/** A stand-in as a process, until it is told to stop. */
try {
  const { says, close, later } = await start(process.argv.slice(2));
  console.log(says);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void close?.().then(() => process.exit()));
  }
  const more = await later;
  if (more !== undefined) console.log(more);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

interface Started {
  says: string;
  /** Said once it is so. */
  later?: Promise<string>;
  /** Absent where only help was asked for. */
  close?: () => Promise<void>;
}

function start([word, ...rest]: string[]): Promise<Started> {
  if (word === "receiver") return startReceiver(rest);
  if (word === "speech") return startEarsAndVoice(rest);
  if (word === "mail") return startInbox(rest);
  return startModel(word === undefined ? [] : [word, ...rest]);
}

async function startModel(args: string[]): Promise<Started> {
  const options = readOptions(args);
  if (options === undefined) {
    return { says: [USAGE, SPEECH_USAGE, RECEIVER_USAGE, MAIL_USAGE].join("\n\n") };
  }
  const { baseUrl, url, close } = await startLanguageModel(options);
  return { says: `A language model for rehearsal: ${baseUrl}  (about it: ${url})`, close };
}

async function startEarsAndVoice(args: string[]): Promise<Started> {
  const options = readSpeechOptions(args);
  if (options === undefined) return { says: SPEECH_USAGE };
  const { url, close, hears } = await startSpeech(options);
  if (options.hears.length > 0) hears(options.hears);
  const models = { ears: options.ears === "model", voice: options.voice === "model" };
  return {
    says: `Ears and a voice for rehearsal: ${url}`,
    close,
    ...((models.ears || models.voice) && { later: whenLoaded(models) }),
  };
}

async function whenLoaded(models: { ears: boolean; voice: boolean }): Promise<string> {
  await delay(LOAD_AFTER_MS, undefined, { ref: false });
  const tookMs = await warmUp(models);
  return `The speech models are loaded, after ${(tookMs / 1_000).toFixed(1)} s.`;
}

async function startReceiver(args: string[]): Promise<Started> {
  const options = readReceiverOptions(args);
  if (options === undefined) return { says: RECEIVER_USAGE };
  const { url, secure, close } = await startWebhookReceiver(options);
  const tls = secure && `, ${secure.url}  (NODE_EXTRA_CA_CERTS=${secure.authorityFile})`;
  return { says: `A webhook receiver for rehearsal: ${url}${tls ?? ""}`, close };
}

async function startInbox(args: string[]): Promise<Started> {
  const options = readMailOptions(args);
  if (options === undefined) return { says: MAIL_USAGE };
  const { url, smtpUrl, secure, close } = await startMailCatcher(options);
  const tls = secure && ` with STARTTLS (NODE_EXTRA_CA_CERTS=${secure.authorityFile})`;
  return { says: `A mail catcher for rehearsal: ${smtpUrl}${tls ?? ""}, its inbox: ${url}`, close };
}
