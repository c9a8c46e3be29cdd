import { History, Tally } from "../history.ts";
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
export class RequestLog {
  readonly #history = new History<LoggedSpeech>(10_000);
  readonly #services = new Tally();
  readonly #faults = new Tally();

  add(event: Omit<LoggedSpeech, "atMs">): void {
    this.#history.add({ atMs: performance.timeOrigin + performance.now(), ...event });
    this.#services.add(event.service);
    this.#faults.add(event.fault);
  }

  newest(count: number): object {
    return { total: this.#history.total, events: this.#history.newest(count) };
  }

  read(): SpeechRequests {
    return {
      total: this.#history.total,
      services: this.#services.read(),
      faults: this.#faults.read(),
      recent: this.#history.recent(),
    };
  }
}
