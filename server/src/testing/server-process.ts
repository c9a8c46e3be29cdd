import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createLanguageModel } from "#models";
import type { LanguageModel } from "#models";
import type { EvaluationModels } from "#evaluation";
import { systemClock } from "#platform";
import { startLanguageModel, startSpeech } from "@svc/rehearsal";
import type { LanguageModel as Rehearsal, RehearsalSpeech, SpeechOptions } from "@svc/rehearsal";
import { freePort } from "@svc/tools/free-port";

/** The server, started as an operator starts it. */
export interface ServerProcess {
  url: string;
  operationsUrl: string;
  pid: number;
  /** Every line it has logged. */
  log: Record<string, unknown>[];
  /** SIGTERM, and the exit code. A second call ends it at once if it still runs. */
  stop(): Promise<number | null>;
}

export const MAIN: string = fileURLToPath(new URL("../main.ts", import.meta.url));

/** Encrypts nothing that anybody needs to keep. */
export const TEST_SECRET_KEYS: string = `k1:${Buffer.alloc(32, "test").toString("base64")}`;

/** PostgreSQL and the mail server of a test ask for no password, so any will do; none may be printed. */
export const PASSWORDS = {
  owner: "canary-of-the-owner",
  export: "canary-of-the-export",
  mail: "canary-of-the-mail",
} as const;

/** The settings of an operator of this database. Receivers of webhooks may be on this machine. */
export function operatorEnvironment(database: {
  url: string;
  exportUrl: string;
}): Record<string, string> {
  return {
    SVC_DATABASE_URL: withPassword(database.url, PASSWORDS.owner),
    SVC_EXPORT_DATABASE_URL: withPassword(database.exportUrl, PASSWORDS.export),
    SVC_PUBLIC_URL: "http://127.0.0.1:9",
    // A server in this role evaluates nothing, so no model has to be named.
    SVC_ROLE: "api",
    SVC_SECRET_KEYS: TEST_SECRET_KEYS,
    SVC_WEBHOOK_PLAIN_HTTP: "on",
    SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
  };
}

function withPassword(url: string, password: string): string {
  const changed = new URL(url);
  changed.password = password;
  return changed.href;
}

/** Settings that let a server use a stand-in for speech-to-text and its voice. */
export function speechAt(url: string): Record<string, string> {
  return {
    SVC_STT: "deepgram",
    SVC_STT_URL: url,
    SVC_STT_KEY: "test",
    SVC_TTS: "cartesia",
    SVC_TTS_URL: url,
    SVC_TTS_KEY: "test",
  };
}

/** @param main of another checkout, to run its code. */
export async function startServerProcess(
  database: { url: string; exportUrl: string },
  environment: Record<string, string> = {},
  main: string = MAIN,
): Promise<ServerProcess> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const operationsUrl = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, [main], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      // The pipeline needs a model; a test that wants it sets another role.
      SVC_ROLE: "api",
      SVC_SECRET_KEYS: TEST_SECRET_KEYS,
      SVC_DATABASE_URL: database.url,
      SVC_EXPORT_DATABASE_URL: database.exportUrl,
      SVC_PUBLIC_URL: url,
      SVC_HOST: "127.0.0.1",
      SVC_PORT: new URL(url).port,
      SVC_OPS_PORT: new URL(operationsUrl).port,
      // A visitor who is still there at the end of a test must not hold it for ten minutes.
      SVC_SHUTDOWN_SECS: "15",
      // All visitors of a test come from one address; a test of these limits sets them.
      SVC_PUBLIC_RATE_FACTOR: "0",
      SVC_CONNECTIONS_PER_ADDRESS: "0",
      ...environment,
    },
  });
  // Handed on, not inherited: a server that outlives a failed test would keep the test runner waiting.
  child.stderr.on("data", (chunk: Buffer) => process.stderr.write(chunk));
  const exited = once(child, "exit") as Promise<[number | null]>;
  const log: Record<string, unknown>[] = [];
  createInterface(child.stdout).on("line", (text) =>
    log.push(JSON.parse(text) as Record<string, unknown>),
  );
  while (!(await isReady(operationsUrl))) {
    if (child.exitCode !== null) {
      throw new Error(`the server ended with ${child.exitCode}: ${JSON.stringify(log.at(-1))}`);
    }
    await delay(20);
  }
  return {
    url,
    operationsUrl,
    pid: child.pid!,
    log,
    stop: async () => {
      child.kill("SIGTERM");
      const [code] = await exited;
      return code;
    },
  };
}

async function isReady(operationsUrl: string): Promise<boolean> {
  return fetch(`${operationsUrl}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
}

/** Stand-ins for the services of a conversation: a language model, speech-to-text and a voice. */
export interface OutsideWorld {
  model: Rehearsal;
  speech: RehearsalSpeech;
  /** Lets a server ask them. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

export async function startOutsideWorld(options: SpeechOptions = {}): Promise<OutsideWorld> {
  const model = await startLanguageModel();
  const speech = await startSpeech(options);
  return {
    model,
    speech,
    environment: {
      SVC_MODEL_URL: model.baseUrl,
      SVC_EVALUATION_MODEL: "rehearsal",
      ...speechAt(speech.url),
    },
    close: async () => void (await Promise.all([model.close(), speech.close()])),
  };
}

/** Two models of one stand-in, asked over the network as the product asks. Faults can be set for one by its name. */
export interface RehearsedModels {
  rehearsal: Rehearsal;
  models: EvaluationModels & { fallback: LanguageModel };
}

/** The price of a million tokens: one millionth of the currency for each token in, two for each token out. */
const PRICE = { input: 1_000_000, output: 2_000_000 };

/** Longer than an answer takes on a busy machine. */
const PATIENCE_MS = 20_000;

/**
 * Called `first` and `fallback`. Close the stand-in at the end.
 *
 * @param timeoutMs the first model's, for a test in which it stalls.
 */
export async function startRehearsedModels({
  timeoutMs = PATIENCE_MS,
}: { timeoutMs?: number } = {}): Promise<RehearsedModels> {
  const rehearsal = await startLanguageModel();
  const model = (name: string, ownTimeoutMs: number): LanguageModel =>
    createLanguageModel({
      name,
      timeoutMs: ownTimeoutMs,
      url: rehearsal.baseUrl,
      key: undefined,
      price: PRICE,
      clock: systemClock,
      hasFallback: name === "first",
    });
  return {
    rehearsal,
    models: { first: model("first", timeoutMs), fallback: model("fallback", PATIENCE_MS) },
  };
}

/** The programs that our `live` is compared with. */
export const BARE_LIVE: string = fileURLToPath(new URL("bare-live.ts", import.meta.url));
export const STOCK_WORKER: string = fileURLToPath(new URL("stock-worker.ts", import.meta.url));
export type { BareLiveOrder } from "./bare-session.ts";
