import { CountedHistory } from "../history.ts";
import type { Service, SpeechFaultKind } from "./fault.ts";

/** One thing that happened at the stand-in. */
export interface LoggedSpeech {
  /** Unix time, with fractions. */
  atMs: number;
  service: Service;
  /**
   * `connected` and `closed`, or `refused`. Of speech-to-text `heard` as a final transcript leaves, `missed` where none did;
   * of text-to-speech `asked` for a text, `said` once all its sound has left, `cancelled` where less did.
   */
  what: "connected" | "refused" | "closed" | "heard" | "missed" | "asked" | "said" | "cancelled";
  text?: string;
  /** As the client named it. */
  language?: string;
  voice?: string;
  fault?: SpeechFaultKind;
}

/** What happened since the start. */
export interface SpeechRequests {
  total: number;
  services: Record<string, number>;
  faults: Record<string, number>;
  /** The last ten thousand, oldest first. */
  recent: LoggedSpeech[];
}

/** Counts all and remembers the last ones. */
export class RequestLog extends CountedHistory<LoggedSpeech, "service" | "fault"> {
  constructor() {
    super(10_000, ["service", "fault"]);
  }

  note(event: Omit<LoggedSpeech, "atMs">): void {
    this.add({ atMs: performance.timeOrigin + performance.now(), ...event });
  }

  read(): SpeechRequests {
    return {
      total: this.total,
      services: this.tally("service"),
      faults: this.tally("fault"),
      recent: this.recent(),
    };
  }
}
