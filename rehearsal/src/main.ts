import { startLanguageModel } from "./language-model/language-model.ts";
import { readOptions, USAGE } from "./options.ts";
import { readReceiverOptions, RECEIVER_USAGE } from "./webhook-receiver/options.ts";
import { startWebhookReceiver } from "./webhook-receiver/webhook-receiver.ts";

/** A stand-in as a process, until it is told to stop. */
try {
  const [word, ...rest] = process.argv.slice(2);
  const { says, close } = await (word === "receiver"
    ? startReceiver(rest)
    : startModel(process.argv.slice(2)));
  console.log(says);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close?.());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

interface Started {
  says: string;
  /** Absent where only help was asked for. */
  close?: () => Promise<void>;
}

async function startModel(args: string[]): Promise<Started> {
  const options = readOptions(args);
  if (options === undefined) return { says: `${USAGE}\n\n${RECEIVER_USAGE}` };
  const { baseUrl, url, close } = await startLanguageModel(options);
  return { says: `A language model for rehearsal: ${baseUrl}  (about it: ${url})`, close };
}

async function startReceiver(args: string[]): Promise<Started> {
  const options = readReceiverOptions(args);
  if (options === undefined) return { says: RECEIVER_USAGE };
  const { url, secure, close } = await startWebhookReceiver(options);
  const tls = secure && `, ${secure.url}  (NODE_EXTRA_CA_CERTS=${secure.authorityFile})`;
  return { says: `A webhook receiver for rehearsal: ${url}${tls ?? ""}`, close };
}
