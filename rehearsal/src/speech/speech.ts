import { createServer } from "node:http";
import { openPort } from "../port.ts";
import { ModelEars } from "./ears/model-ears.ts";
import { ScriptedEars } from "./ears/scripted-ears.ts";
import { speechFaultList } from "./fault.ts";
import type { SpeechFault } from "./fault.ts";
import type { SpeechParts } from "./speech-parts.ts";
import { RequestLog } from "./request-log.ts";
import type { SpeechRequests } from "./request-log.ts";
import { routes } from "./routes.ts";
import { Switches } from "./switches.ts";
import { takeSockets } from "./take-sockets.ts";
import { ModelVoice } from "./voices/model-voice.ts";
import { ToneVoice } from "./voices/tone-voice.ts";

export interface SpeechOptions {
  /** A free one unless told. */
  port?: number;
  /** The only key that is taken; any, but not none, unless told. */
  apiKey?: string;
  /** `scripted` unless told: ears that hear what `hears` says. Those of a model understand English. */
  ears?: "model" | "scripted";
  /** What scripted ears hear beyond their script: no words unless told. */
  otherwise?: string;
  /** `tone` unless told: a beep for each word, at no cost. */
  voice?: "model" | "tone";
  /** Quiet that ends an utterance, where a client asks for less; 250 unless told. */
  endpointingMs?: number;
  /** From a text to its first sound; 0 unless told. */
  delayMs?: number;
  /** How many times faster than it is spoken sound leaves; 4 unless told. */
  speed?: number;
  /** How long Deepgram waits for sound or a sign of life; 10,000 unless told. */
  idleMs?: number;
  faults?: SpeechFault[];
}

/** A running stand-in of those who hear and speak. */
export interface RehearsalSpeech {
  /** What a client takes as its vendor's address. */
  url: string;
  /** What the next utterances say, after those that were told before. Scripted ears only. */
  hears(transcripts: readonly string[]): void;
  /** In place of those set before. Resolves when the port is open or closed as they say. */
  setFaults(faults: SpeechFault[]): Promise<void>;
  setDelay(delayMs: number): void;
  requests(): SpeechRequests;
  close(): Promise<void>;
}

export async function startSpeech(options: SpeechOptions = {}): Promise<RehearsalSpeech> {
  const scripted = new ScriptedEars(options.otherwise);
  const parts: SpeechParts = {
    ears: options.ears === "model" ? new ModelEars() : scripted,
    voice: options.voice === "model" ? new ModelVoice() : new ToneVoice(),
    switches: new Switches(),
    log: new RequestLog(),
    apiKey: options.apiKey,
    endpointingMs: options.endpointingMs ?? 250,
    delayMs: options.delayMs ?? 0,
    speed: options.speed ?? 4,
    idleMs: options.idleMs ?? 10_000,
  };
  const server = createServer();
  const port = await openPort(server, options.port ?? 0);
  const url = `http://127.0.0.1:${port.number}`;

  async function setFaults(value: unknown): Promise<void> {
    const faults = speechFaultList(value, "faults");
    parts.switches.set(faults);
    const refusal = faults.find(({ kind }) => kind === "refuse");
    if (refusal === undefined) await port.open();
    else await port.shut(refusal.forMs);
  }

  const hears = (transcripts: readonly string[]): void => {
    if (options.ears === "model") throw new Error("Only scripted ears can be told what they hear.");
    scripted.hears(transcripts);
  };
  server.on("request", routes({ parts, url, setFaults }));
  takeSockets(server, parts);
  await setFaults(options.faults ?? []);
  return {
    url,
    hears,
    setFaults,
    setDelay(delayMs) {
      parts.delayMs = delayMs;
    },
    requests: () => parts.log.read(),
    close: () => port.close(),
  };
}
