import { createHash, randomBytes } from "node:crypto";

/**
 * Identifiers name their kind and their cell (two characters), so that a request finds its
 * database with no lookup service.
 */
export function newAgentId(cell: Cell): string {
  return `agent_${cell}${randomText(BASE32, 20)}`;
}

export function newClientId(cell: Cell): string {
  return `client_${cell}${randomText(BASE32, 20)}`;
}

/** A receiver of webhooks. */
export function newEndpointId(cell: Cell): string {
  return `hook_${cell}${randomText(BASE32, 20)}`;
}

/** Two lower-case letters or digits. */
export type Cell = string;
export const CELL: RegExp = /^[a-z0-9]{2}$/;

/**
 * An API token: 32 random bytes in base 62 and a checksum, so that a mistyped or cut token is
 * told from a revoked one without a look into the database. Shown once, stored as its hash.
 */
export function newToken(cell: Cell): string {
  return newSecret("svc", cell);
}

/** Lets its holder start test sessions of one agent. Made, shown and stored like an API token. */
export function newPreviewToken(cell: Cell): string {
  return newSecret("preview", cell);
}

/** Lets a person of the console ask the admin API. Made, shown and stored like an API token. */
export function newOperatorToken(cell: Cell): string {
  return newSecret("operator", cell);
}

export function isWellFormedToken(token: string): boolean {
  return TOKEN.test(token) && checksum(token.slice(0, -6)) === token.slice(-6);
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** UUID version 7: sorted by time, so that a table of 365 million rows grows at one end of its index. */
export function newUuid(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const TOKEN = /^svc_[a-z0-9]{2}[0-9A-Za-z]{49}$/;
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 32 symbols divide 256 evenly, so every symbol is as likely as the next. */
function randomText(alphabet: string, length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
}

function newSecret(kind: string, cell: Cell): string {
  const body = `${kind}_${cell}${toBase62(randomBytes(32), 43)}`;
  return body + checksum(body);
}

function toBase62(bytes: Uint8Array, width: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  for (let i = 0; i < width; i++) {
    text = BASE62[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}

function checksum(body: string): string {
  return toBase62(createHash("sha256").update(body).digest().subarray(0, 4), 6);
}
