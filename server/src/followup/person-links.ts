import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "#platform";
import type { SecretKey } from "#platform";

/** The links in a mail. Each gives whoever has it one permission and no other. */
export interface PersonLinks {
  rights(sessionId: string): string;
  /** Opens the page on which a reader confirms that the conversation was theirs. */
  confirm(sessionId: string): string;
  unsubscribe(mailed: Mailed): string;
  /** All return undefined for a token that we did not sign, or that is for another purpose. */
  readRights(token: string): { sessionId: string } | undefined;
  readConfirm(token: string): { sessionId: string } | undefined;
  readUnsubscribe(token: string): Mailed | undefined;
}

/** The recipient of a mail about a session. The mark stands for their address and outlives the session. */
export interface Mailed {
  sessionId: string;
  accountId: number;
  mark: Buffer;
}

type LinkPurpose = "rights" | "confirm" | "unsubscribe";

export interface PersonLinksOptions {
  /** The newest key signs; links signed with any of them are valid. */
  secretKeys: readonly [SecretKey, ...SecretKey[]];
  publicUrl: string;
}

const SESSION_BYTES = 16;
const ACCOUNT_BYTES = 4;
const MARK_BYTES = 32;
const MAILED_BYTES = SESSION_BYTES + ACCOUNT_BYTES + MARK_BYTES;
const SIGNATURE_BYTES = 16;
const TOKEN = /^(?<id>[a-z0-9]{1,16})\.(?<said>[\w-]{22,70})\.[\w-]{22}$/;

/**
 * Nothing is stored for a link: it is valid as long as the key that signed it exists, and a link to
 * a conversation as long as the conversation exists. Unsubscribing still works after the
 * conversation is deleted.
 */
export function createPersonLinks({ secretKeys, publicUrl }: PersonLinksOptions): PersonLinks {
  const read = (given: string, purpose: LinkPurpose): Buffer | undefined => {
    const { id, said: text = "" } = TOKEN.exec(given)?.groups ?? {};
    const key = secretKeys.find((one) => one.id === id);
    if (key === undefined) return undefined;
    const said = Buffer.from(text, "base64url");
    // Links in mails of earlier releases were signed with the key itself, and stay valid.
    const isOurs = [deriveKey(key, "person link"), key.key].some((signing) =>
      isSame(given, tokenFor(said, purpose, { ...key, key: signing })),
    );
    return isOurs ? said : undefined;
  };
  const signing = { ...secretKeys[0], key: deriveKey(secretKeys[0], "person link") };
  const readSession = (token: string, purpose: LinkPurpose): { sessionId: string } | undefined => {
    const said = read(token, purpose);
    return said && { sessionId: asUuid(said) };
  };
  return {
    rights: (sessionId) => `${publicUrl}/you/${tokenFor(uuidBytes(sessionId), "rights", signing)}`,
    unsubscribe: (mailed) =>
      `${publicUrl}/you/unsubscribe/${tokenFor(mailedBytes(mailed), "unsubscribe", signing)}`,
    confirm: (sessionId) =>
      `${publicUrl}/you/confirm/${tokenFor(uuidBytes(sessionId), "confirm", signing)}`,
    readRights: (token) => readSession(token, "rights"),
    readConfirm: (token) => readSession(token, "confirm"),
    readUnsubscribe(token) {
      const said = read(token, "unsubscribe");
      return said?.length === MAILED_BYTES ? asMailed(said) : undefined;
    },
  };
}

function tokenFor(said: Buffer, purpose: LinkPurpose, key: SecretKey): string {
  const parts = [said, sign(key, said, purpose)].map((part) => part.toString("base64url"));
  return [key.id, ...parts].join(".");
}

function isSame(given: string, ours: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(ours)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * The purpose is signed as well: mail programs open unsubscribe links by themselves, and such a
 * link must not reveal a conversation.
 */
function sign({ key }: SecretKey, said: Buffer, purpose: LinkPurpose): Buffer {
  const mac = createHmac("sha256", key).update(`svc person link\n${purpose}\n`).update(said);
  return mac.digest().subarray(0, SIGNATURE_BYTES);
}

function mailedBytes({ sessionId, accountId, mark }: Mailed): Buffer {
  const account = Buffer.alloc(ACCOUNT_BYTES);
  account.writeUInt32BE(accountId);
  return Buffer.concat([uuidBytes(sessionId), account, mark], MAILED_BYTES);
}

function asMailed(said: Buffer): Mailed {
  return {
    sessionId: asUuid(said.subarray(0, SESSION_BYTES)),
    accountId: said.readUInt32BE(SESSION_BYTES),
    mark: said.subarray(SESSION_BYTES + ACCOUNT_BYTES),
  };
}

function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

function asUuid(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
