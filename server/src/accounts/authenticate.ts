import { timingSafeEqual } from "node:crypto";
import { hashToken, isWellFormedToken, orUnavailable } from "#platform";
import type { Clock, Db } from "#platform";
import { findByTokenHash } from "./store.ts";
import type { Account } from "./store.ts";

/** The account behind a request, and the token it used: the rate limit counts by token. */
export interface Caller {
  account: Account;
  tokenId: number;
}

export interface Authenticator {
  /** The caller behind an `Authorization` header, or undefined when it is missing or not valid. */
  authenticate(authorization: string | undefined): Promise<Caller | undefined>;
}

/**
 * Token revocation takes effect within this time, as SECURITY.md promises. The worst case is a
 * look-up that began just before the revocation, took as long as it may, and is then remembered.
 */
const REVOKED_WITHIN_MS = 5_000;
/** A look-up by key takes a millisecond. One that takes this long finds the database in trouble. */
const LOOK_UP_WITHIN_MS = 2_000;
/** A good token is remembered, so that a walk through the export does not look it up for every page. */
const REMEMBER_MS = REVOKED_WITHIN_MS - LOOK_UP_WITHIN_MS;
const MAX_REMEMBERED = 10_000;

export function createAuthenticator(db: Db, clock: Clock): Authenticator {
  const remembered = new Map<string, { caller: Caller; untilMs: number }>();

  return {
    async authenticate(authorization) {
      const credentials = parseAuthorization(authorization);
      if (credentials === undefined || !isWellFormedToken(credentials.token)) return undefined;
      const hash = hashToken(credentials.token);
      const key = hash.toString("base64");

      let caller = remembered.get(key);
      if (caller === undefined || caller.untilMs < clock.monotonicMs()) {
        remembered.delete(key);
        const found = await orUnavailable(() => findByTokenHash(db, hash), LOOK_UP_WITHIN_MS);
        if (found === undefined || !timingSafeEqual(found.hash, hash)) return undefined;
        const { tokenId, hash: _, ...account } = found;
        caller = { caller: { account, tokenId }, untilMs: clock.monotonicMs() + REMEMBER_MS };
        if (remembered.size >= MAX_REMEMBERED) remembered.clear();
        remembered.set(key, caller);
      }
      // With Basic, the token must belong to the client id beside it.
      const { clientId } = credentials;
      if (clientId !== undefined && clientId !== caller.caller.account.clientId) return undefined;
      return caller.caller;
    },
  };
}

export interface Credentials {
  token: string;
  /** Only with Basic. */
  clientId?: string;
}

/** `Bearer <token>` or `Basic <base64(client_id:token)>`. Schemes are case-insensitive. */
export function parseAuthorization(header: string | undefined): Credentials | undefined {
  const match = /^([A-Za-z]+) +([^ ]+)$/.exec(header ?? "");
  const [, scheme, value] = match ?? [];
  if (scheme === undefined || value === undefined) return undefined;
  switch (scheme.toLowerCase()) {
    case "bearer":
      return { token: value };
    case "basic": {
      if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined;
      const text = Buffer.from(value, "base64").toString("utf8");
      const colon = text.indexOf(":");
      return colon < 0
        ? undefined
        : { clientId: text.slice(0, colon), token: text.slice(colon + 1) };
    }
    default:
      return undefined;
  }
}
