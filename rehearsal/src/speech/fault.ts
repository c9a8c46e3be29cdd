import { list, number, object, oneOf, optional, wrongValue } from "../shape.ts";
import type { Shape } from "../shape.ts";
import { earServices, voiceServices } from "./service.ts";
import type { Service } from "./service.ts";

/** One way to fail, switched on. Of several that fit, the first is shown. */
export interface SpeechFault {
  kind: SpeechFaultKind;
  /** Of the connections, utterances or sentences that it fits, from 0 to 1; chosen by their number, so a repeated run fails alike. */
  share?: number;
  /** So many of them, then it is over. */
  times?: number;
  /** Only there. */
  service?: Service;
  /** Counted from when it was set, then it is over. */
  forMs?: number;
  /** How late `late_finals` are. */
  afterMs?: number;
}

export type SpeechFaultKind =
  | "bad_key"
  | "rate_limit"
  | "error_500"
  | "refuse"
  | "cut_utterance"
  | "deaf"
  | "duplicate_finals"
  | "late_finals"
  | "garbage"
  | "cut_sentence"
  | "stall_sentence"
  | "mute"
  | "drip";

/** What is about to happen when a fault is looked for. */
export type Occasion = "connection" | "utterance" | "sentence";

interface Kind {
  does: string;
  /** Nothing for a port that is closed. */
  on?: Occasion;
  needs?: "afterMs";
}

/** Every switch there is. */
export const speechFaultKinds: Record<SpeechFaultKind, Kind> = {
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
};

const fault: Shape<SpeechFault> = object<SpeechFault>({
  kind: oneOf(...(Object.keys(speechFaultKinds) as SpeechFaultKind[])),
  share: optional(number({ from: 0, to: 1 })),
  times: optional(number({ from: 1, to: 1_000_000_000, whole: true })),
  service: optional(oneOf<Service>(...earServices, ...voiceServices)),
  forMs: optional(number({ from: 1, to: 86_400_000 })),
  afterMs: optional(number({ from: 0, to: 600_000 })),
});

/** Reads faults that were set from outside. */
export const speechFaultList: Shape<SpeechFault[]> = (value, at) => {
  const faults = list(fault)(value, at);
  for (const [index, one] of faults.entries()) {
    const { needs } = speechFaultKinds[one.kind];
    if (needs !== undefined && one[needs] === undefined) {
      wrongValue(`${at}[${index}]`, `${one.kind} needs ${needs}`);
    }
    const narrowed =
      one.share !== undefined || one.times !== undefined || one.service !== undefined;
    if (one.kind === "refuse" && narrowed) {
      wrongValue(`${at}[${index}]`, "a closed port knows no share, times or service, only forMs");
    }
  }
  return faults;
};
