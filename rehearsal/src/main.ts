import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel } from "./language-model/language-model.ts";
import { startMailCatcher } from "./mail-catcher/mail-catcher.ts";
import { startNameServer } from "./name-server/name-server.ts";
import {
  readMailOptions,
  readModelOptions,
  readReceiverOptions,
  readSpeechOptions,
  USAGE,
} from "./options.ts";
import { listenEverywhere } from "./port.ts";
import { warmUp } from "./speech/models/speech-models.ts";
import { startSpeech } from "./speech/speech.ts";
import { startWebhookReceiver } from "./webhook-receiver/webhook-receiver.ts";

/** Whoever starts it has more to start, which two cores that load models would hold up. The first talk loads them sooner. */
const LOAD_AFTER_MS = 5_000;

interface Started {
  says: string;
  /** Said once it is so. */
  later?: Promise<string>;
  close: () => Promise<void>;
}

const standIns: Record<string, (args: string[]) => Promise<Started>> = {
  async model(args) {
    const { baseUrl, url, close } = await startLanguageModel(readModelOptions(args));
    return { says: `A language model for rehearsal: ${baseUrl}  (about it: ${url})`, close };
  },

  async speech(args) {
    const options = readSpeechOptions(args);
    const { url, close } = await startSpeech(options);
    const models = { ears: options.ears === "model", voice: options.voice === "model" };
    return {
      says: `Speech-to-text and text-to-speech for rehearsal: ${url}`,
      close,
      ...((models.ears || models.voice) && { later: whenLoaded(models) }),
    };
  },

  async receiver(args) {
    const { url, close } = await startWebhookReceiver(readReceiverOptions(args));
    return { says: `A webhook receiver for rehearsal: ${url}`, close };
  },

  async mail(args) {
    const { dnsPort, ...options } = readMailOptions(args);
    const names = dnsPort === undefined ? undefined : await startNameServer(dnsPort);
    const { url, smtpUrl, close } = await startMailCatcher(options);
    const beside = names && `, a name server: ${names.server}`;
    return {
      says: `A mail catcher for rehearsal: ${smtpUrl}, its inbox: ${url}${beside ?? ""}`,
      close: async () => {
        names?.close();
        await close();
      },
    };
  },
};

async function whenLoaded(models: { ears: boolean; voice: boolean }): Promise<string> {
  await delay(LOAD_AFTER_MS, undefined, { ref: false });
  const tookMs = await warmUp(models);
  return `The speech models are loaded, after ${(tookMs / 1_000).toFixed(1)} s.`;
}

/** A stand-in as a process, until it is told to stop. */
async function run(given: string[]): Promise<void> {
  const args = given.filter((word) => word !== "--everywhere");
  if (args.length < given.length) listenEverywhere();
  if (args.includes("--help") || args.includes("-h")) return console.log(USAGE);
  const named = standIns[args[0] ?? ""];
  const { says, close, later } = await (named?.(args.slice(1)) ?? standIns["model"]!(args));
  console.log(says);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void close().then(() => process.exit()));
  }
  if (later !== undefined) console.log(await later);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
