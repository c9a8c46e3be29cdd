import * as z from "zod";
import { Faults } from "../faults.ts";
import type { FaultFacts, SwitchedFault } from "../faults.ts";

export interface SpeechFault extends SwitchedFault {
  kind: SpeechFaultKind;
  /** Only there. */
  service?: Service;
  /** How late `late_finals` are. */
  afterMs?: number;
}

/** One of the vendors' interfaces that are stood in for. */
export type Service = (typeof services)[number];
const services = [
  "deepgram_listen",
  "openai_transcriptions",
  "cartesia",
  "elevenlabs",
  "deepgram_speak",
  "openai_speech",
] as const;

export type SpeechFaultKind = keyof typeof speechFaultKinds;

/** What is about to happen when a fault is looked for. */
export type Occasion = "connection" | "utterance" | "sentence";

/** Every switch there is, and on which occasion it is shown. */
export const speechFaultKinds = {
  bad_key: { does: "401, whatever the key", on: "connection" },
  rate_limit: { does: "429", on: "connection" },
  error_500: { does: "500", on: "connection" },
  refuse: { does: "closes the port and all connections: for forMs, or until other faults are set" },
  cut_utterance: { does: "ends the connection in the middle of an utterance", on: "utterance" },
  deaf: { does: "from this utterance on takes sound and says nothing", on: "utterance" },
  duplicate_finals: { does: "each final transcript twice", on: "utterance" },
  late_finals: {
    does: "final transcripts so many milliseconds late",
    on: "utterance",
    needs: "afterMs",
  },
  garbage: { does: "words that do not exist", on: "utterance" },
  cut_sentence: { does: "half of a sentence, then the connection ends", on: "sentence" },
  stall_sentence: { does: "half of a sentence, then nothing more", on: "sentence" },
  mute: { does: "takes a sentence and never sounds", on: "sentence" },
  drip: { does: "sound at half the speed of speaking", on: "sentence" },
} as const;

const facts: Record<SpeechFaultKind, FaultFacts & { on?: Occasion }> = speechFaultKinds;

/** The faults of all vendors. */
export class SpeechFaults extends Faults<SpeechFault> {
  constructor() {
    super({
      kinds: speechFaultKinds,
      settings: { service: z.enum(services), afterMs: z.number().min(0).max(600_000) },
      complaint: ({ kind, share, times, service }) =>
        kind === "refuse" && (share ?? times ?? service) !== undefined
          ? "a closed port knows no share, times or service, only forMs"
          : undefined,
    });
  }

  /** The fault to show now, counted as shown. */
  choose(occasion: Occasion, service: Service): SpeechFault | undefined {
    return this.draw(
      `${occasion} ${service}`,
      (fault) => facts[fault.kind].on === occasion && (fault.service ?? service) === service,
    );
  }
}
