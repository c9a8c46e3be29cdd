import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** `stale`: signed rightly, but too long ago. `unchecked`: no secret is known. */
export type Verdict = "valid" | "wrong" | "missing" | "stale" | "unchecked";

export interface Signatures {
  /** Of `X-Webhook-Signature`. */
  svc: Verdict;
  /** Of `webhook-signature`, as in Standard Webhooks. */
  standard: Verdict;
  /** Which of the secrets `X-Webhook-Signature` was made with, from 1. */
  secret?: number;
}

/** How far apart the sender's clock and ours may be. */
const TOLERANCE_SECS = 300;

/** The secrets that a receiver knows: more than one while they are being exchanged. */
export class Keyring {
  /** One string, two readings: all of its bytes, and what its base64 stands for. */
  #keys: { whole: KeyObject; decoded: KeyObject }[] = [];

  constructor(secrets: readonly string[]) {
    this.set(secrets);
  }

  set(secrets: readonly string[]): void {
    this.#keys = [];
    for (const secret of secrets) this.add(secret);
  }

  add(secret: string): void {
    this.#keys.push({
      whole: createSecretKey(secret, "utf8"),
      decoded: createSecretKey(secret.replace(/^whsec_/, ""), "base64"),
    });
  }

  get size(): number {
    return this.#keys.length;
  }

  check(headers: IncomingHttpHeaders, body: Buffer, nowSecs: number): Signatures {
    const { svc, secret } = this.#checkSvc(one(headers["x-webhook-signature"]), body);
    const standard = this.#checkStandard(headers, body, nowSecs);
    return { svc, standard, ...(secret !== undefined && { secret }) };
  }

  #checkSvc(sent: string | undefined, body: Buffer): { svc: Verdict; secret?: number } {
    if (sent === undefined) return { svc: "missing" };
    if (this.size === 0) return { svc: "unchecked" };
    const index = this.#keys.findIndex(({ whole }) =>
      isSame(sent, createHmac("sha256", whole).update(body).digest("hex")),
    );
    return index === -1 ? { svc: "wrong" } : { svc: "valid", secret: index + 1 };
  }

  #checkStandard(headers: IncomingHttpHeaders, body: Buffer, nowSecs: number): Verdict {
    const [id, timestamp, sent] = ["id", "timestamp", "signature"].map((name) =>
      one(headers[`webhook-${name}`]),
    );
    if (id === undefined || timestamp === undefined || sent === undefined) return "missing";
    if (this.size === 0) return "unchecked";
    const signatures = sent.split(" ");
    const isSigned = this.#keys.some(({ decoded }) => {
      const signature = createHmac("sha256", decoded).update(`${id}.${timestamp}.`).update(body);
      const expected = `v1,${signature.digest("base64")}`;
      return signatures.some((signed) => isSame(signed, expected));
    });
    if (!isSigned) return "wrong";
    return Math.abs(Number(timestamp) - nowSecs) <= TOLERANCE_SECS ? "valid" : "stale";
  }
}

/** A header that came twice is one text by now, and no signature. */
function one(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}

function isSame(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
