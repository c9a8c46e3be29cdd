import type { IncomingHttpHeaders } from "node:http";
import type { FaultKind } from "./fault.ts";
import type { Signatures } from "./signatures.ts";

/** A webhook that came in. */
export interface ReceivedRequest {
  /** From 1, in order of arrival. */
  number: number;
  /** Unix time of its arrival, with fractions. */
  atMs: number;
  path: string;
  webhookId?: string;
  /** How often this webhook-id has come to this path by now. */
  attempt: number;
  /** Since the attempt before. */
  gapMs?: number;
  fault?: FaultKind;
  /** Absent while the body is not whole, like all of the next four. */
  bytes?: number;
  bodySha256?: string;
  signatures?: Signatures;
  /** Absent also where the body holds no event. */
  sessionId?: string;
  /** The event's own timestamp. */
  evaluatedAt?: string;
  /** What was answered; absent where no status was sent. */
  status?: number;
  /** From its arrival to the end of the answer, or of the connection. Absent until then. */
  tookMs?: number;
}

/** What is kept of the last requests only. */
export interface RequestContent {
  headers: IncomingHttpHeaders;
  body?: Buffer;
}
