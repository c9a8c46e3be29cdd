import type { SpeechFaultKind } from "./fault.ts";
import type { Service } from "./service.ts";

/** One thing that happened at the stand-in. */
export interface LoggedSpeech {
  /** Unix time, with fractions. */
  atMs: number;
  service: Service;
  /**
   * `connected` and `closed`, or `refused`. Of ears `heard` as a final transcript leaves, `missed` where none did; of voices
   * `asked` for a text, `said` once all its sound has left, `cancelled` where less did.
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

const KEPT = 10_000;

/** Counts all and remembers the last ones. */
export class RequestLog {
  #total = 0;
  #services = new Map<string, number>();
  #faults = new Map<string, number>();
  #recent: LoggedSpeech[] = [];

  add(event: Omit<LoggedSpeech, "atMs">): void {
    this.#total += 1;
    count(this.#services, event.service);
    if (event.fault !== undefined) count(this.#faults, event.fault);
    this.#recent.push({ atMs: performance.timeOrigin + performance.now(), ...event });
    if (this.#recent.length >= 2 * KEPT) this.#recent = this.#recent.slice(-KEPT);
  }

  read(): SpeechRequests {
    return {
      total: this.#total,
      services: Object.fromEntries(this.#services),
      faults: Object.fromEntries(this.#faults),
      recent: this.#recent.slice(-KEPT),
    };
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
