import { pageRoutes } from "../stand-in-page.ts";
import { json, openStandIn } from "../stand-in.ts";
import { SpeechFaults } from "./fault.ts";
import type { SpeechFault } from "./fault.ts";
import { socketInterfaces, vendorApis } from "./interfaces.ts";
import { ModelRecogniser, ScriptedRecogniser } from "./recognition/recogniser.ts";
import { RequestLog } from "./request-log.ts";
import type { SpeechRequests } from "./request-log.ts";
import { ModelVoice, ToneVoice } from "./voices/voice.ts";
import { takeSockets } from "./wire.ts";
import type { SpeechParts } from "./wire.ts";

export interface SpeechOptions {
  /** A free one unless told. */
  port?: number;
  /** The only key that is taken; any, but not none, unless told. */
  apiKey?: string;
  /** How sound becomes words. `scripted` unless told: into what `hears` says. A model understands English. */
  ears?: "model" | "scripted";
  /** What is heard beyond the script: no words unless told. */
  otherwise?: string;
  /** `tone` unless told: a beep for each word, at no cost. */
  voice?: "model" | "tone";
  /** From a text to its first sound; 0 unless told. */
  delayMs?: number;
  /** How many times faster than it is spoken sound leaves; 4 unless told. */
  speed?: number;
  /** How long Deepgram waits for sound or a sign of life; 10,000 unless told. */
  idleMs?: number;
  faults?: SpeechFault[];
}

/** A running stand-in of speech-to-text and text-to-speech vendors. */
export interface RehearsalSpeech {
  /** What a client takes as its vendor's address. */
  url: string;
  /** What the next utterances say, after those that were told before. Not where a model listens. */
  hears(transcripts: readonly string[]): void;
  /** In place of those set before. Resolves when the port is open or closed as they say. */
  setFaults(faults: SpeechFault[]): Promise<void>;
  requests(): SpeechRequests;
  close(): Promise<void>;
}

export async function startSpeech(options: SpeechOptions = {}): Promise<RehearsalSpeech> {
  const scripted = new ScriptedRecogniser(options.otherwise);
  const log = new RequestLog();
  const parts: SpeechParts = {
    recogniser: options.ears === "model" ? new ModelRecogniser() : scripted,
    voice: options.voice === "model" ? new ModelVoice() : new ToneVoice(),
    faults: new SpeechFaults(),
    log,
    apiKey: options.apiKey,
    delayMs: options.delayMs ?? 0,
    speed: options.speed ?? 4,
    idleMs: options.idleMs ?? 10_000,
  };
  const { url, server, serve, setFaults, close } = await openStandIn(parts.faults, options, parts);
  serve(
    {
      ...pageRoutes(import.meta.dirname, words, (newest) => ({
        url,
        delayMs: parts.delayMs,
        faults: parts.faults.list(),
        total: log.total,
        events: log.newest(newest),
      })),
      "GET /rehearsal/requests": () => json(log.read()),
    },
    vendorApis(parts),
  );
  takeSockets(server, socketInterfaces, parts);
  return {
    url,
    hears(transcripts) {
      if (options.ears === "model") throw new Error("A model cannot be told what it hears.");
      scripted.hears(transcripts);
    },
    setFaults: async (faults) => setFaults(faults),
    requests: () => log.read(),
    close,
  };
}

const words = {
  title: "Speech-to-text and text-to-speech",
  intro: `At <code id="url"></code> it stands in for Deepgram, Cartesia, ElevenLabs and OpenAI: it speaks each one's own
    protocol and takes any key. The voice is a plain one, and English is all that it understands.`,
  boxes: ["Events"],
  nothing: "Nothing yet. Start a conversation and speak.",
};
