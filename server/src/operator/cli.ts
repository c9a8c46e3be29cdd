#!/usr/bin/env node
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { writeActor } from "#accounts";
import {
  AppError,
  createDb,
  createJobSender,
  createLog,
  createPool,
  createSecrets,
  systemClock,
  VERSION,
} from "#platform";
import type { Db, MailSettings, SpeechSettings } from "#platform";
import { loadSpeech } from "#conversation";
import type { SpeechCheck } from "#conversation";
import { createLanguageModel } from "#models";
import type { EvaluationModels } from "#evaluation";
import { createAddressMarks } from "#followup";
import {
  ConfigError,
  configProblems,
  readMailSettings,
  readConnectionsOf,
  readDatabaseUrl,
  readInvocation,
  readServerToAsk,
  readModelPrices,
  readModelSettings,
  readOperatorConfig,
  readSdkFolder,
  readSpeechSettings,
  readUnusedModelNames,
} from "../config.ts";
import type { OperatorConfig } from "../config.ts";
import { neededKeys } from "./needed-keys.ts";
import type { ModelPlaces, OperatorSpeech } from "./operator.ts";
import { runCli } from "./program.ts";
import { progressLine } from "./terminal/terminal.ts";

/** The entry of `svc`: the second composition root beside main.ts, for one command at a time. */
const opened: { db?: Db; config?: OperatorConfig; tried?: Promise<SpeechCheck[]> } = {};
const DEVELOPMENT_FILE = resolve(".dev/svc.env");

function config(): OperatorConfig {
  return (opened.config ??= explained("The configuration has a mistake.", () =>
    readOperatorConfig(DEVELOPMENT_FILE),
  ));
}

function databaseUrl(name: "SVC_DATABASE_URL" | "SVC_EXPORT_DATABASE_URL"): string {
  return explained("svc does not know which database to use.", () =>
    readDatabaseUrl(name, DEVELOPMENT_FILE),
  );
}

function explained<Read>(what: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new AppError("invalid_input", {
      what,
      why: `${error.problems.map(({ name, problem }) => `${name} ${problem}`).join("; ")}.`,
      fix: "Set these variables, or start `npm run dev` in this folder first.",
    });
  }
}

function db(): Db {
  const log = createLog("silent");
  return (opened.db ??= createDb(
    createPool(
      {
        url: databaseUrl("SVC_DATABASE_URL"),
        name: "svc-cli",
        maxConnections: 4,
        // The doctor reports what hangs; a migration or an import may take long.
        statementTimeoutMs: process.argv[2] === "doctor" ? 4_000 : 3_600_000,
        // On a busy machine a second is over before the modules are loaded, and a person can wait.
        waitMs: 10_000,
      },
      log,
    ),
  ));
}

function models(named?: string): EvaluationModels {
  const { first, fallback } = configured(modelPlaces(named).evaluation, "SVC_EVALUATION_MODEL");
  const clock = systemClock;
  // A model that is named is the one to be seen at work: no other answers in its place.
  const second = named === undefined ? fallback : undefined;
  return {
    first: createLanguageModel({ ...first, clock, hasFallback: second !== undefined }),
    fallback: second && createLanguageModel({ ...second, clock }),
  };
}

function conversationModels({
  name,
  url,
}: { name?: string | undefined; url?: string | undefined } = {}): ModelPlaces {
  const { first, fallback } = configured(modelPlaces(name).conversation, "SVC_CONVERSATION_MODEL");
  if (name === undefined && url === undefined) return { first, fallback };
  // A key goes only to the address that it was given for.
  const key = url === undefined || url === first.url ? first.key : undefined;
  return {
    first: { ...first, key, url: url ?? first.url },
    fallback: undefined,
  };
}

function modelPlaces(named?: string): ReturnType<typeof readModelSettings> {
  return explained("svc does not know which model to ask.", () =>
    readModelSettings(DEVELOPMENT_FILE, undefined, named),
  );
}

function freeModels(): ReadonlySet<string> {
  const prices = explained("svc does not know what models cost.", () =>
    readModelPrices(DEVELOPMENT_FILE),
  );
  const free = [...prices].filter(
    ([, { input, output, cached = 0 }]) => input + output + cached === 0,
  );
  return new Set(free.map(([name]) => name));
}

function configured<Models>(found: Models | undefined, variable: string): Models {
  if (found !== undefined) return found;
  throw new AppError("invalid_input", {
    what: "svc does not know which model to ask.",
    why: `SVC_MODEL_URL and ${variable} are not both set.`,
    fix: "Set them as the server has them, or start `npm run dev` in this folder first.",
  });
}

function speech(): OperatorSpeech | undefined {
  const settings = explained("svc does not know how to hear and speak.", () =>
    readSpeechSettings(DEVELOPMENT_FILE),
  );
  if (settings === undefined) return undefined;
  return {
    settings,
    load: async () => void (await loadSpeech()),
    check: () => (opened.tried ??= trySpeech(settings)),
  };
}

async function trySpeech(settings: SpeechSettings): Promise<SpeechCheck[]> {
  const { createSpeech } = await loadSpeech();
  return createSpeech({ ...settings, clock: systemClock, log: createLog("silent") }).check();
}

function mail(): MailSettings | undefined {
  return explained("svc does not know how to send mail.", () => readMailSettings(DEVELOPMENT_FILE));
}

function sdkFolder(): string | undefined {
  return explained("svc does not know where the SDK is.", () => readSdkFolder(DEVELOPMENT_FILE));
}

function invocation(): ReturnType<typeof readInvocation> {
  return explained("svc does not know who runs it.", () => readInvocation(DEVELOPMENT_FILE));
}

function actor(): string {
  const { operator: name } = invocation();
  return writeActor(name === undefined ? { kind: "os", name: osUser() } : { kind: "named", name });
}

/** A container may run as a user that has no name. */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

function interrupted(): AbortSignal {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  return controller.signal;
}

// `svc … | head` closes the pipe early: nobody is left to read the rest.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

const progress = progressLine(process.stderr);
process.exitCode = await runCli(process.argv.slice(2), {
  terminal: {
    width: process.stdout.columns ?? 100,
    color: process.stdout.isTTY && process.stdout.hasColors(),
    nowMs: systemClock.nowMs(),
  },
  operator: {
    release: () => ({ version: VERSION, commit: invocation().commit }),
    db,
    exportDatabaseUrl: () => databaseUrl("SVC_EXPORT_DATABASE_URL"),
    cell: () => config().cell,
    publicUrl: () => config().publicUrl,
    liveUrl: () => config().liveUrl,
    connectionsOf: (role) =>
      explained("The configuration has a mistake.", () =>
        readConnectionsOf(role, DEVELOPMENT_FILE),
      ),
    configProblems: () => configProblems(DEVELOPMENT_FILE),
    jobs: () => createJobSender(db(), createLog("silent")),
    models,
    conversationModels,
    modelPlaces,
    embeddingPlace: () => modelPlaces().embeddings,
    unusedModelNames: () =>
      explained("svc does not know which model to ask.", () =>
        readUnusedModelNames(DEVELOPMENT_FILE),
      ),
    freeModels,
    sdkFolder,
    speech,
    secrets: () => createSecrets(neededKeys(config().secretKeys, "webhook secrets")),
    mail,
    addressMarks: () => createAddressMarks(neededKeys(config().secretKeys, "mail addresses")),
    receivers: () => ({ ...config().receiverRules, dnsServers: config().dnsServers }),
    clock: systemClock,
    serverSettings: () =>
      explained("svc does not know which server to ask.", () => readServerToAsk(DEVELOPMENT_FILE)),
    get actor() {
      return actor();
    },
    directory: process.cwd(),
    progress,
    interrupted,
    note: (text) => void process.stderr.write(`${text}\n`),
  },
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
});
await opened.db?.destroy();
// The library that makes frames of sound keeps a native thread, which would keep this process.
if (opened.tried !== undefined) process.exit();
