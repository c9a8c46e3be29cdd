import { timingSafeEqual } from "node:crypto";
import { hashToken } from "#platform";

/** What opens a conversation's socket: the ticket of its start, or the resume token of its last welcome. */
export type Credential = { ticket: string } | { resumeToken: string };

/** The hashes of the credentials that open a conversation; null for none. */
export interface Credentials {
  ticketHash: Buffer | null;
  resumeHash: Buffer | null;
  previousHash: Buffer | null;
}

/** @param ticketHolds whether the ticket's minute is not over. */
export function opens(
  credential: Credential,
  { ticketHash, resumeHash, previousHash }: Credentials,
  ticketHolds: boolean,
): boolean {
  if ("ticket" in credential) return ticketHolds && isHashOf(ticketHash, credential.ticket);
  const { resumeToken } = credential;
  return isHashOf(resumeHash, resumeToken) || isHashOf(previousHash, resumeToken);
}

/**
 * After a claim. The credential that was used stays beside the new token, because the welcome may be
 * lost on its way.
 */
export function afterClaim(
  credential: Credential,
  { ticketHash }: Credentials,
  resumeHash: Buffer,
): Credentials {
  if ("ticket" in credential) return { ticketHash, resumeHash, previousHash: null };
  return { ticketHash: null, resumeHash, previousHash: hashToken(credential.resumeToken) };
}

/**
 * After the first frame behind a welcome: the browser has its new token, so every older credential
 * dies. Otherwise who copied a ticket could take a conversation over for a minute.
 */
export function afterFrame({ resumeHash }: Credentials): Credentials {
  return { ticketHash: null, resumeHash, previousHash: null };
}

function isHashOf(hash: Buffer | null, token: string): boolean {
  return hash !== null && timingSafeEqual(hash, hashToken(token));
}
