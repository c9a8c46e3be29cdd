import type { Email } from "postal-mime";
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
