import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/**
 * - `viewer` reads.
 * - `operator` also issues credentials, registers receivers, pauses, evaluates again and replays deliveries.
 * - `admin` also erases, and sees the audit; always of all accounts.
 */
export const CONSOLE_ROLES = ["viewer", "operator", "admin"] as const;
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];

/** A person who uses the console. */
export interface ConsoleUser {
  id: number;
  name: string;
  role: ConsoleRole;
  /** The accounts they see; undefined for all. */
  accounts: { id: number; clientId: string; name: string }[] | undefined;
}

export interface ListedConsoleUser extends ConsoleUser {
  createdAt: Date;
  /** When they last used the console, of the sign-ins that still count. */
  usedAt: Date | null;
}

export const USER: RawBuilder<unknown> = sql`u.id, u.name, u.role, CASE WHEN NOT u.all_accounts THEN coalesce((
    SELECT jsonb_agg(jsonb_build_object('id', a.id, 'clientId', a.client_id, 'name', a.name) ORDER BY a.name, a.id)
    FROM console_user_accounts JOIN accounts AS a ON a.id = account_id WHERE user_id = u.id
  ), '[]') END AS accounts`;

export type Stored<User> = Omit<User, "accounts"> & { accounts: ConsoleUser["accounts"] | null };

export function toUser<User extends ConsoleUser>({ accounts, ...rest }: Stored<User>): User {
  return { ...rest, accounts: accounts ?? undefined } as User;
}

export async function selectUser(trx: Trx, name: string): Promise<ConsoleUser | undefined> {
  const { rows } = await sql<Stored<ConsoleUser>>`
    SELECT ${USER} FROM console_users AS u WHERE name = ${name} FOR UPDATE`.execute(trx);
  return rows[0] && toUser<ConsoleUser>(rows[0]);
}

export async function selectUsers(db: Db): Promise<ListedConsoleUser[]> {
  const { rows } = await sql<Stored<ListedConsoleUser>>`
    SELECT ${USER}, u.created_at AS "createdAt",
      (SELECT max(used_at) FROM console_sessions WHERE user_id = u.id) AS "usedAt"
    FROM console_users AS u ORDER BY u.name`.execute(db);
  return rows.map((row) => toUser<ListedConsoleUser>(row));
}

/** Inserts the person, or gives them this role and these accounts. */
export async function writeUser(
  trx: Trx,
  { name, role, accounts }: { name: string; role: ConsoleRole; accounts: number[] | undefined },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO console_users (name, role, all_accounts) VALUES (${name}, ${role}, ${accounts === undefined})
    ON CONFLICT (name) DO UPDATE SET role = excluded.role, all_accounts = excluded.all_accounts
    RETURNING id`.execute(trx);
  const { id } = rows[0]!;
  await sql`DELETE FROM console_user_accounts WHERE user_id = ${id}`.execute(trx);
  await sql`
    INSERT INTO console_user_accounts (user_id, account_id)
    SELECT ${id}, unnest(${accounts ?? []}::integer[])`.execute(trx);
  return id;
}

/** Their links and sign-ins go with them. */
export async function deleteUser(trx: Trx, name: string): Promise<boolean> {
  const { numAffectedRows = 0n } =
    await sql`DELETE FROM console_users WHERE name = ${name}`.execute(trx);
  return numAffectedRows > 0n;
}

/** An earlier link of the same person stops working: only the newest that was printed does. */
export async function insertLink(
  trx: Trx,
  userId: number,
  hash: Buffer,
  minutes: number,
): Promise<Date> {
  await sql`DELETE FROM console_links WHERE user_id = ${userId} OR expires_at < clock_timestamp()`.execute(
    trx,
  );
  const { rows } = await sql<{ at: Date }>`
    INSERT INTO console_links (hash, user_id, expires_at)
    VALUES (${hash}, ${userId}, clock_timestamp() + make_interval(mins => ${minutes}))
    RETURNING expires_at AS at`.execute(trx);
  return rows[0]!.at;
}

const LINK_WORKS = sql`expires_at > clock_timestamp()`;

export async function selectNameOfLink(db: Db, hash: Buffer): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM console_links JOIN console_users ON id = user_id WHERE hash = ${hash} AND ${LINK_WORKS}`.execute(
    db,
  );
  return rows[0]?.name;
}

/** Deleting is what makes it work once: of two at the same moment one gets the row. */
export async function takeLink(trx: Trx, hash: Buffer): Promise<ConsoleUser | undefined> {
  const { rows } = await sql<Stored<ConsoleUser>>`
    WITH taken AS (DELETE FROM console_links WHERE hash = ${hash} AND ${LINK_WORKS} RETURNING user_id)
    SELECT ${USER} FROM taken JOIN console_users AS u ON u.id = user_id`.execute(trx);
  return rows[0] && toUser<ConsoleUser>(rows[0]);
}

export interface SessionAges {
  idleMinutes: number;
  absoluteMinutes: number;
}

const lives = ({ idleMinutes, absoluteMinutes }: SessionAges) => sql`
  used_at > clock_timestamp() - make_interval(mins => ${idleMinutes})
  AND s.created_at > clock_timestamp() - make_interval(mins => ${absoluteMinutes})`;

export async function insertSession(
  trx: Trx,
  userId: number,
  hash: Buffer,
  ages: SessionAges,
): Promise<void> {
  await sql`DELETE FROM console_sessions AS s WHERE NOT (${lives(ages)})`.execute(trx);
  await sql`INSERT INTO console_sessions (hash, user_id) VALUES (${hash}, ${userId})`.execute(trx);
}

export async function selectUserOfSession(
  db: Db,
  hash: Buffer,
  ages: SessionAges,
): Promise<(ConsoleUser & { isStale: boolean }) | undefined> {
  const { rows } = await sql<Stored<ConsoleUser & { isStale: boolean }>>`
    SELECT ${USER}, used_at < clock_timestamp() - interval '1 minute' AS "isStale"
    FROM console_sessions AS s JOIN console_users AS u ON u.id = s.user_id
    WHERE hash = ${hash} AND ${lives(ages)}`.execute(db);
  return rows[0] && toUser<ConsoleUser & { isStale: boolean }>(rows[0]);
}

export async function touchSession(db: Db, hash: Buffer): Promise<void> {
  await sql`UPDATE console_sessions SET used_at = clock_timestamp() WHERE hash = ${hash}`.execute(
    db,
  );
}

export async function deleteSession(db: Db | Trx, hash: Buffer): Promise<void> {
  await sql`DELETE FROM console_sessions WHERE hash = ${hash}`.execute(db);
}
