import { randomUUID } from "node:crypto";
import type { Session } from "@svc/contract/types";
import { addCustomer, seedSettled } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";

/** What the proof knows of the account it asks for. */
export interface KnownAccount {
  token: string;
  clientId: string;
  /** When its sessions started, oldest first. */
  startedAtMs: number[];
  /** Works for another account. */
  foreignToken: string;
  revokedToken: string;
  /** Cursors that the server gave, and how many sessions lie before each. */
  cursors: { text: string; passed: number }[];
}

/** More than the largest page holds. */
const SESSIONS = 130;
const FIRST_AT_MS = Date.UTC(2026, 2, 2, 9, 15);

export async function seedAccount({
  db,
  pool,
}: TestDatabase): Promise<Omit<KnownAccount, "cursors">> {
  const customer = await addCustomer(db);
  const foreign = await addCustomer(db);
  const revoked = await addCustomer(db);
  await pool.query("UPDATE tokens SET revoked_at = now() WHERE id = $1", [revoked.tokenId]);
  const sessions = Array.from({ length: SESSIONS }, (_, index): Session => ({
    id: randomUUID(),
    agent_id: customer.agent.agentId,
    status: "processed",
    summary: `Session ${index}`,
    created_at: new Date(FIRST_AT_MS + index * 777 + 1).toISOString(),
  }));
  await seedSettled(pool, customer, sessions);
  return {
    token: customer.token,
    clientId: customer.account.clientId,
    startedAtMs: sessions.map((session) => Date.parse(session.created_at)),
    foreignToken: foreign.token,
    revokedToken: revoked.token,
  };
}

/** Cursors from `Link` headers, which are the only ones that clients may use. */
export async function fetchCursors(url: string, token: string): Promise<KnownAccount["cursors"]> {
  const headers = { authorization: `Bearer ${token}` };
  return Promise.all(
    [1, 7, 50, 100].map(async (passed) => {
      const answer = await fetch(`${url}/v1/sessions.json?fields=&limit=${passed}`, { headers });
      const [, next] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("link") ?? "") ?? [];
      if (next === undefined) throw new Error(`no next page: ${answer.headers.get("link")}`);
      return { text: new URL(next).searchParams.get("cursor")!, passed };
    }),
  );
}
