import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import { toUser, USER } from "./console-users-store.ts";
import type { ConsoleUser, Stored } from "./console-users-store.ts";

/** A token of a person for the command line, without the token itself. */
export interface ConsoleToken {
  id: number;
  label: string;
  createdAt: Date;
  usedAt: Date | null;
  expiresAt: Date;
}

const TOKEN = sql`id, label, created_at AS "createdAt", used_at AS "usedAt", expires_at AS "expiresAt"`;

/** Those that have ended go. */
export async function insertConsoleToken(
  trx: Trx,
  token: { userId: number; hash: Buffer; label: string; days: number },
): Promise<ConsoleToken> {
  await sql`DELETE FROM console_tokens WHERE expires_at < clock_timestamp()`.execute(trx);
  const { rows } = await sql<ConsoleToken>`
    INSERT INTO console_tokens (user_id, hash, label, expires_at)
    VALUES (${token.userId}, ${token.hash}, ${token.label}, clock_timestamp() + make_interval(days => ${token.days}))
    RETURNING ${TOKEN}`.execute(trx);
  return rows[0]!;
}

export async function selectConsoleTokens(db: Db, userId: number): Promise<ConsoleToken[]> {
  const { rows } = await sql<ConsoleToken>`
    SELECT ${TOKEN} FROM console_tokens
    WHERE user_id = ${userId} AND expires_at > clock_timestamp() ORDER BY id DESC`.execute(db);
  return rows;
}

export async function deleteConsoleToken(
  trx: Trx,
  userId: number,
  id: number,
): Promise<ConsoleToken | undefined> {
  const { rows } = await sql<ConsoleToken>`
    DELETE FROM console_tokens WHERE id = ${id} AND user_id = ${userId} RETURNING ${TOKEN}`.execute(
    trx,
  );
  return rows[0];
}

export async function selectUserOfToken(
  db: Db,
  hash: Buffer,
): Promise<(ConsoleUser & { isStale: boolean }) | undefined> {
  const { rows } = await sql<Stored<ConsoleUser & { isStale: boolean }>>`
    SELECT ${USER}, coalesce(t.used_at < clock_timestamp() - interval '1 minute', true) AS "isStale"
    FROM console_tokens AS t JOIN console_users AS u ON u.id = t.user_id
    WHERE hash = ${hash} AND t.expires_at > clock_timestamp()`.execute(db);
  return rows[0] && toUser<ConsoleUser & { isStale: boolean }>(rows[0]);
}

export async function touchToken(db: Db, hash: Buffer): Promise<void> {
  await sql`UPDATE console_tokens SET used_at = clock_timestamp() WHERE hash = ${hash}`.execute(db);
}
