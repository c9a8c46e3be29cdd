import type { Log } from "../observability/log.ts";

/** Sends mail. */
export interface Mail {
  /** Resolves once a mail server has taken it; throws a MailError when that did not happen, or may not have. */
  send(message: MailMessage): Promise<void>;
}

export interface MailMessage {
  /** One bare address. It is never read as a list: whatever looks like more than one is refused. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** Stands beside the configured address. */
  fromName?: string;
  /** Without angle brackets. Fixed, a receiver can recognise a second copy. */
  messageId?: string;
  headers?: Record<string, string>;
}

/**
 * - `later`: nothing was taken, and trying again makes sense.
 * - `refused`: it never will be taken.
 * - `unknown`: it was handed over and no answer came. It may have arrived.
 */
export type MailOutcome = "later" | "refused" | "unknown";

export class MailError extends Error {
  readonly outcome: MailOutcome;

  /** @param reason may be stored and logged, so it holds no address. */
  constructor(outcome: MailOutcome, reason: string) {
    super(reason);
    this.name = "MailError";
    this.outcome = outcome;
  }

  get reason(): string {
    return this.message;
  }
}

/** Creates the mail of a process without a mail server: it only logs that there was a mail. */
export function createLogMail(log: Log): Mail {
  return {
    send: async ({ to, subject, text }) =>
      log.warn({ pii: { to, text }, subject }, "mail is not set up: not sent"),
  };
}

/**
 * Returns whether this is one bare address and nothing that a mail program could read as several, as a
 * name or as the end of a header. Says nothing about whether it exists.
 */
export function isOneAddress(text: string): boolean {
  const at = text.indexOf("@");
  const domain = text.slice(at + 1);
  return (
    text.length <= 254 &&
    /^[^\s\p{C}"(),:;<>@[\\\]]+$/u.test(text.slice(0, Math.max(at, 0))) &&
    /^[a-z0-9.-]+$/i.test(domain) &&
    !/^[.-]|\.\.|[.-]$/.test(domain)
  );
}
