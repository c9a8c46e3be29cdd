import { createHmac, timingSafeEqual } from "node:crypto";
import type { SecretKey } from "#platform";

/** The links in a mail. Whoever holds one may do what it is for with that one session, and nothing else. */
export interface PersonLinks {
  rights(sessionId: string): string;
  unsubscribe(sessionId: string): string;
  /** Undefined for a token that is not ours, or is for something else. */
  read(token: string, purpose: LinkPurpose): { sessionId: string } | undefined;
}

export type LinkPurpose = "rights" | "unsubscribe";

export interface PersonLinksOptions {
  /** The newest signs, all of them are believed. */
  secretKeys: readonly [SecretKey, ...SecretKey[]];
  publicUrl: string;
}

const SIGNATURE_BYTES = 16;
const TOKEN = /^(?<id>[a-z0-9]{1,16})\.(?<session>[\w-]{22})\.[\w-]{22}$/;

/** Nothing is stored for a link: it lives as long as its session and the key that signed it. */
export function createPersonLinks({ secretKeys, publicUrl }: PersonLinksOptions): PersonLinks {
  const token = (sessionId: string, purpose: LinkPurpose): string =>
    tokenFor(Buffer.from(sessionId.replaceAll("-", ""), "hex"), purpose, secretKeys[0]);
  return {
    rights: (sessionId) => `${publicUrl}/you/${token(sessionId, "rights")}`,
    unsubscribe: (sessionId) => `${publicUrl}/you/unsubscribe/${token(sessionId, "unsubscribe")}`,
    read(given, purpose) {
      const { id, session: text = "" } = TOKEN.exec(given)?.groups ?? {};
      const key = secretKeys.find((one) => one.id === id);
      if (key === undefined) return undefined;
      const session = Buffer.from(text, "base64url");
      const ours = tokenFor(session, purpose, key);
      // As long as the other, or the pattern would not have matched.
      return timingSafeEqual(Buffer.from(given), Buffer.from(ours))
        ? { sessionId: asUuid(session) }
        : undefined;
    },
  };
}

function tokenFor(session: Buffer, purpose: LinkPurpose, key: SecretKey): string {
  const parts = [session, sign(key, session, purpose)].map((part) => part.toString("base64url"));
  return [key.id, ...parts].join(".");
}

/** The purpose is signed too: a link for unsubscribing, which mail programs open by themselves, reads nothing. */
function sign({ key }: SecretKey, session: Buffer, purpose: LinkPurpose): Buffer {
  const mac = createHmac("sha256", key).update(`svc person link\n${purpose}\n`).update(session);
  return mac.digest().subarray(0, SIGNATURE_BYTES);
}

function asUuid(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
