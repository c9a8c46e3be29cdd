import type { CaughtMail, MailContent } from "./caught-mail.ts";

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
  #mails: CaughtMail[] = [];
  #contents = new Map<number, MailContent>();
  #counts: MailCounts = { connections: 0, recipients: 0, mails: 0, faults: {} };
  #version = 0;

  /** Grows with every change, so that a page can ask whether there is anything new. */
  get version(): number {
    return this.#version;
  }

  touch(): void {
    this.#version += 1;
  }

  count(what: "connections" | "recipients"): void {
    this.#counts[what] += 1;
    this.touch();
  }

  showed(kind: string): void {
    this.#counts.faults[kind] = (this.#counts.faults[kind] ?? 0) + 1;
    this.touch();
  }

  add(mail: Omit<CaughtMail, "number">, content: MailContent): void {
    const number = ++this.#counts.mails;
    this.#mails.push({ number, ...mail });
    if (this.#mails.length >= 2 * KEPT) this.#mails = this.#mails.slice(-KEPT);
    this.#contents.set(number, content);
    this.#contents.delete(number - KEPT_WITH_CONTENT);
    this.touch();
  }

  /** Oldest first, from the one after this number. */
  after(number: number, limit: number = KEPT): readonly Readonly<CaughtMail>[] {
    const first = this.#mails[0]?.number ?? 1;
    const from = Math.max(0, number + 1 - first);
    return this.#mails.slice(from, from + limit);
  }

  content(number: number): MailContent | undefined {
    return this.#contents.get(number);
  }

  counts(): MailCounts {
    return { ...this.#counts, faults: { ...this.#counts.faults } };
  }
}
