import type { Email } from "postal-mime";
import { History, Tally } from "../history.ts";
import type { FaultKind } from "./fault.ts";

/** A mail that came in. */
export interface CaughtMail {
  /** From 1, in order of arrival. */
  number: number;
  /** Unix time at which its last byte was there. */
  atMs: number;
  /** The envelope, as the client wrote it: every recipient that it named, accepted or not. */
  from: string;
  to: string[];
  bytes: number;
  /** It came over TLS. */
  isEncrypted: boolean;
  subject?: string;
  messageId?: string;
  /** In place of the answer to the message. */
  fault?: FaultKind;
}

/** What is kept of the last mails only. */
export interface MailContent {
  raw: Buffer;
  parsed: Email;
}

/** What has come since the start. */
export interface MailCounts {
  connections: number;
  /** RCPT commands, answered well or not. */
  recipients: number;
  mails: number;
  faults: Record<string, number>;
}

/** Enough to count every mail of a load test. */
const KEPT = 200_000;
const KEPT_WITH_CONTENT = 500;

/** Counts all mails, remembers many, and the last ones with all they said. */
export class MailLog {
  readonly #mails = new History<CaughtMail>(KEPT);
  readonly #contents = new History<MailContent>(KEPT_WITH_CONTENT);
  readonly #faults = new Tally();
  readonly #counts = { connections: 0, recipients: 0 };

  count(what: "connections" | "recipients"): void {
    this.#counts[what] += 1;
  }

  showed(kind: string): void {
    this.#faults.add(kind);
  }

  add(mail: Omit<CaughtMail, "number">, content: MailContent): void {
    this.#mails.add({ number: this.#mails.total + 1, ...mail });
    this.#contents.add(content);
  }

  /** Oldest first, from the one after this number. */
  after(number: number, limit?: number): readonly Readonly<CaughtMail>[] {
    return this.#mails.after(number, limit);
  }

  newest(count: number): CaughtMail[] {
    return this.#mails.newest(count);
  }

  content(number: number): MailContent | undefined {
    return this.#contents.at(number);
  }

  counts(): MailCounts {
    return { ...this.#counts, mails: this.#mails.total, faults: this.#faults.read() };
  }
}
