import { parseArgs } from "node:util";
import { ExplainedError } from "./explained-error.ts";

/** The server's settings for development: on loopback, with limits that no experiment reaches. */
export function serverSettings(facts: {
  databaseUrl: string;
  exportDatabaseUrl: string;
  port: number;
  operationsPort: number;
  modelUrl: string;
  speechUrl: string;
  smtpUrl: string;
  /** The name server's address and port. */
  dnsServer: string;
  secretKeys: string;
  /** A LiveKit server that carries the sound. */
  livekit?: { url: string; key: string; secret: string } | undefined;
  /** Models and speech that take the place of stand-ins. */
  own: Record<string, string>;
}): Record<string, string> {
  const places = ownPlaces(facts.own);
  const { model, hearing, voice } = places;
  // If a simulator is used, the shell's fallback must not be either: test conversations must not leave this machine.
  const own = Object.entries(facts.own).filter(([name]) => places[placeOf(name)] !== undefined);
  return {
    ...Object.fromEntries(own),
    SVC_DATABASE_URL: facts.databaseUrl,
    SVC_EXPORT_DATABASE_URL: facts.exportDatabaseUrl,
    SVC_PUBLIC_URL: `http://127.0.0.1:${facts.port}`,
    SVC_HOST: "127.0.0.1",
    SVC_PORT: String(facts.port),
    SVC_OPS_PORT: String(facts.operationsPort),
    ...(model === undefined && modelAt(facts.modelUrl)),
    ...(hearing === undefined && speechAt(facts.speechUrl, "SVC_STT", "deepgram")),
    ...(voice === undefined && speechAt(facts.speechUrl, "SVC_TTS", "cartesia")),
    SVC_SMTP_URL: facts.smtpUrl,
    // The mail catcher is on this machine.
    SVC_SMTP_TLS: "off",
    SVC_MAIL_FROM: "Svc <hello@svc.test>",
    // Otherwise no address of the documents would be verified: `example.com` really takes no mail.
    SVC_DNS_SERVERS: facts.dnsServer,
    SVC_SECRET_KEYS: facts.secretKeys,
    ...(facts.livekit && {
      SVC_LIVEKIT_URL: facts.livekit.url,
      SVC_LIVEKIT_KEY: facts.livekit.key,
      SVC_LIVEKIT_SECRET: facts.livekit.secret,
    }),
    // Receivers under development run on the same machine.
    SVC_WEBHOOK_PLAIN_HTTP: "on",
    SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
    SVC_EXPORT_RATE: "10000",
    SVC_EXPORT_BURST: "100000",
    // A restart after a change should not wait for a browser's idle connections.
    SVC_SHUTDOWN_SECS: "2",
    // Shows a line for each request.
    SVC_LOG_LEVEL: "debug",
  };
}

/** Uses the model name that the stand-in lists. */
function modelAt(url: string): Record<string, string> {
  return {
    SVC_MODEL_URL: `${url}/v1`,
    SVC_MODEL_KEY: "rehearsal",
    SVC_EVALUATION_MODEL: "rehearsal",
    SVC_CONVERSATION_MODEL: "rehearsal",
  };
}

/** Names the provider whose protocol the stand-in implements most completely. It takes any key. */
function speechAt(url: string, name: string, provider: string): Record<string, string> {
  return { [name]: provider, [`${name}_URL`]: url, [`${name}_KEY`]: "rehearsal" };
}

const OF_MODELS_AND_SPEECH = /^SVC_(?:\w+_)?(?:MODEL|STT|TTS)(?:_|$)/;

/** The shell's settings of models and speech: a real service takes the place of its stand-in. */
export function ownSettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  const own = Object.entries(environment).flatMap(([name, value]) =>
    value && OF_MODELS_AND_SPEECH.test(name) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(own);
}

/** The services used in place of stand-ins, as people call them. */
export interface OwnPlaces {
  model?: string | undefined;
  hearing?: string | undefined;
  voice?: string | undefined;
}

export function ownPlaces(own: Record<string, string>): OwnPlaces {
  return {
    model: hostOf(own["SVC_MODEL_URL"]),
    hearing: hostOf(own["SVC_STT_URL"]) ?? own["SVC_STT"],
    voice: hostOf(own["SVC_TTS_URL"]) ?? own["SVC_TTS"],
  };
}

function placeOf(name: string): keyof OwnPlaces {
  if (name.includes("STT")) return "hearing";
  return name.includes("TTS") ? "voice" : "model";
}

/** Only the host is shown: an address may hold a password. */
function hostOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  return URL.parse(url)?.host || "an address that cannot be read";
}

/** For the terminal: the stand-in's address, or the service used in its place. */
export function whoIsAsked(standInUrl: string, ...own: (string | undefined)[]): string {
  const asked = own.map((place) => (place === undefined ? standInUrl : `${place} (yours)`));
  return [...new Set(asked)].join(", ");
}

/** The environment without settings of another installation: `npm run dev` must never touch its database. */
export function childEnvironment(
  environment: NodeJS.ProcessEnv,
  settings: Record<string, string>,
  compileCache: string,
): NodeJS.ProcessEnv {
  const own = Object.entries(environment).filter(([name]) => !name.startsWith("SVC_"));
  // With a compile cache each of the many short processes starts in about 0.6 of the time.
  return { NODE_COMPILE_CACHE: compileCache, ...Object.fromEntries(own), ...settings };
}

/** The options of one start. */
export interface DevOptions {
  /** The port of the server. */
  port: number;
  /** The port of the start page. */
  pagePort: number;
  /** Throw away the data of earlier starts. */
  fresh: boolean;
  /** The model that talks instead of the stand-in, as in `ollama/llama3.2`. */
  model: string | undefined;
  /** Start a LiveKit server too, over which calls are heard. */
  livekit: boolean;
}

export const USAGE = `npm run dev                             start everything, with the data of the last time
npm run dev -- --fresh                  throw that data away and begin anew
npm run dev -- --model ollama/llama3.2  talk with a real model instead of the stand-in
npm run dev -- --livekit                hear calls over WebRTC, through a LiveKit server that is built once
npm run dev -- --port 8081              the server's port        (8080, or SVC_DEV_PORT)
npm run dev -- --page-port 8001         the start page's port    (8000, or SVC_DEV_PAGE_PORT)`;

/** Undefined when help was asked for. */
export function readOptions(
  argv: string[],
  environment: Record<string, string | undefined>,
): DevOptions | undefined {
  const flags = parseFlags(argv);
  if (flags.help) return undefined;
  const port = portFrom("--port", flags.port ?? environment["SVC_DEV_PORT"], 8080);
  const pagePort = portFrom(
    "--page-port",
    flags["page-port"] ?? environment["SVC_DEV_PAGE_PORT"],
    8000,
  );
  if (port === pagePort) {
    throw wrongUse(`The server and the start page cannot share port ${port}.`);
  }
  const { fresh, model, livekit } = flags;
  return { port, pagePort, fresh, model, livekit };
}

interface Flags {
  port?: string | undefined;
  "page-port"?: string | undefined;
  model?: string | undefined;
  fresh: boolean;
  livekit: boolean;
  help: boolean;
}

function parseFlags(args: string[]): Flags {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: "string" },
        "page-port": { type: "string" },
        model: { type: "string" },
        fresh: { type: "boolean", default: false },
        livekit: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    throw wrongUse(error instanceof Error ? error.message.split(". ", 1)[0]! : String(error));
  }
}

function portFrom(name: string, text: string | undefined, usual: number): number {
  if (text === undefined || text === "") return usual;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw wrongUse(`${name} must be a number from 1 to 65535, not "${text}".`);
}

function wrongUse(why: string): ExplainedError {
  return new ExplainedError({
    what: "This command line was not understood.",
    why: /[.!?]$/.test(why) ? why : `${why}.`,
    fix: "Run `npm run dev -- --help` for what it takes.",
  });
}
