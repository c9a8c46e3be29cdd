import { createHmac, timingSafeEqual } from "node:crypto";
import type { SecretKey } from "#platform";

/** The links in a mail. Each gives whoever has it one permission and no other. */
export interface PersonLinks {
  rights(sessionId: string): string;
  unsubscribe(mailed: Mailed): string;
  /** Both return undefined for a token that we did not sign, or that is for another purpose. */
  readRights(token: string): { sessionId: string } | undefined;
  readUnsubscribe(token: string): Mailed | undefined;
}

/** The recipient of a mail about a session. The mark stands for their address and outlives the session. */
export interface Mailed {
  sessionId: string;
  accountId: number;
  mark: Buffer;
}

type LinkPurpose = "rights" | "unsubscribe";

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
    const [theirs, ours] = [Buffer.from(given), Buffer.from(tokenFor(said, purpose, key))];
    return theirs.length === ours.length && timingSafeEqual(theirs, ours) ? said : undefined;
  };
  return {
    rights: (sessionId) =>
      `${publicUrl}/you/${tokenFor(uuidBytes(sessionId), "rights", secretKeys[0])}`,
    unsubscribe: (mailed) =>
      `${publicUrl}/you/unsubscribe/${tokenFor(mailedBytes(mailed), "unsubscribe", secretKeys[0])}`,
    readRights(token) {
      const said = read(token, "rights");
      return said && { sessionId: asUuid(said) };
    },
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

/** Stored in place of an address: recognises the address again, and is useless without our keys. */
export interface AddressMarks {
  /**
   * One mark for each secret key, the newest first, so that marks stored under an older key are
   * still found.
   */
  marks(address: string): [Buffer, ...Buffer[]];
}

/**
 * @param keys the keys that also seal secrets: the purpose is part of what is hashed, so the uses
 * do not collide.
 */
export function createAddressMarks(keys: readonly [SecretKey, ...SecretKey[]]): AddressMarks {
  const [newest, ...older] = keys;
  const mark = ({ key }: SecretKey, address: string): Buffer =>
    createHmac("sha256", key).update(`svc address mark\n${address}`).digest();
  return {
    marks: (address) => [mark(newest, address), ...older.map((key) => mark(key, address))],
  };
}
