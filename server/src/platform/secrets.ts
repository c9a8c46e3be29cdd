import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { AppError } from "./app-error.ts";

/** Encrypts what the database must hold and a copy of it must not give away. AES-256-GCM. */
export interface Secrets {
  /** `context` says which place it is for, such as a table and a row: elsewhere it does not open. */
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
  /** It was sealed under an older key, or with the key itself, as earlier releases did. */
  needsRotation(sealed: string): boolean;
}

export interface SecretKey {
  /** Stands before what it sealed: `k2`. */
  id: string;
  key: Buffer;
}

/**
 * The key for one purpose (HKDF, RFC 5869). One key for several would let what one use gives away
 * help against another.
 */
export function deriveKey({ key }: SecretKey, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "svc", purpose, 32));
}

export type KeyPurpose = "seal" | "address mark" | "person link" | "start challenge";

/** Stands behind the id of a key in what was sealed with a key derived from it: `k2.d:…`. */
const DERIVED = ".d";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The first key seals, all of them open. */
export function createSecrets(keys: readonly [SecretKey, ...SecretKey[]]): Secrets {
  const [current] = keys;
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const key = deriveKey(current, "seal");
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
      const bytes = [nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()];
      return `${current.id}${DERIVED}:${Buffer.concat(bytes).toString("base64")}`;
    },
    open(sealed, context) {
      const [label = "", text = ""] = sealed.split(":", 2);
      const id = label.replace(DERIVED, "");
      const secretKey = keys.find((one) => one.id === id);
      if (secretKey === undefined) throw keyMissing(id);
      // Earlier releases sealed with the key itself.
      const key = label === id ? secretKey.key : deriveKey(secretKey, "seal");
      const bytes = Buffer.from(text, "base64");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw damaged(context);
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([plain, decipher.final()]).toString("utf8");
      } catch {
        throw damaged(context);
      }
    },
    needsRotation: (sealed) => !sealed.startsWith(`${current.id}${DERIVED}:`),
  };
}

/**
 * Reads `k2:<base64>,k1:<base64>`, 32 bytes each. Throws an error whose message repeats nothing
 * of the keys.
 */
export function parseSecretKeys(text: string): [SecretKey, ...SecretKey[]] {
  const keys = text.split(",").map((part, index): SecretKey => {
    const match = /^\s*([a-z0-9]{1,16}):([A-Za-z0-9+/]{43}=)\s*$/.exec(part);
    if (match === null) {
      throw new Error(`key ${index + 1} does not look like k1:<base64 of 32 random bytes>`);
    }
    return { id: match[1]!, key: Buffer.from(match[2]!, "base64") };
  });
  const ids = keys.map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw new Error("two keys have the same id");
  const [first, ...older] = keys;
  return [first!, ...older];
}

/**
 * A new secret for signing webhooks. The prefix and the base64 are those of Standard Webhooks,
 * and 24 bytes make no `=` at the end that a copy could lose.
 */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(24).toString("base64")}`;
}

function keyMissing(id: string): AppError {
  return new AppError("unavailable", {
    what: "A stored secret cannot be read.",
    why: `The key ${id}, which sealed it, is not among the secret keys of the configuration.`,
    fix: "Put that key back into SVC_SECRET_KEYS, last, and restart. If the key is lost, issue a new secret: `svc webhooks rotate <id> --now`.",
  });
}

function damaged(context: string): AppError {
  return new AppError("conflict", {
    what: "A stored secret cannot be read.",
    why: `What is stored for ${context} was damaged, or sealed for another place or under another key of the same id.`,
    fix: "Restore it from a backup, or issue a new secret.",
  });
}
