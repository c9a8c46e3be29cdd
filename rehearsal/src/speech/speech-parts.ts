import type { Ears } from "./ears/ears.ts";
import type { RequestLog } from "./request-log.ts";
import type { Switches } from "./switches.ts";
import type { Voice } from "./voices/voice.ts";

/** What all the stand-in's interfaces share. */
export interface SpeechParts {
  ears: Ears;
  voice: Voice;
  switches: Switches;
  log: RequestLog;
  /** The only one that is taken. */
  apiKey: string | undefined;
  /** Quiet that ends an utterance, where a client asks for less. */
  endpointingMs: number;
  /** From a text to its first sound. */
  delayMs: number;
  /** How many times faster than it is spoken sound leaves. */
  speed: number;
  /** How long a recogniser waits for sound or a sign of life. */
  idleMs: number;
}
