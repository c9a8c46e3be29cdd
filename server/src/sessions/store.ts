import type { Metadata, SessionStatus, SettledStatus } from "@svc/contract/types";
import { sql } from "kysely";
import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { Db, Trx } from "#platform";
import type { ExportColumns, Turn } from "./session-object.ts";

type SessionsTables = {
  sessions: {
    id: string;
    account_id: number;
    agent_id: string;
    agent_version: number;
    test: boolean;
    status: Generated<SessionStatus>;
    created_at: Date;
    connect_by: Date;
    ended_at: Date | null;
    end_reason: string | null;
    evaluate_by: Date | null;
    settled_at: Date | null;
    metadata: JSONColumnType<Metadata>;
    email: string | null;
    email_verified: boolean | null;
    duration_secs: number | null;
  };
  turns: {
    session_at: Date;
    session_id: string;
    item_id: string;
    seq: Generated<string>;
    role: Turn["role"];
    content: string;
    interrupted: boolean;
    at: ColumnType<Date, Date | string, never>;
  };
  session_exports: ExportColumns & {
    account_id: number;
    created_at: Date;
    id: string;
    agent_id: string;
    status: SettledStatus;
    email: string | null;
    email_verified: boolean | null;
    duration_secs: number | null;
  };
};

const tables = (db: Db | Trx) => db.withTables<SessionsTables>();
const NOW = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;

export interface NewSession {
  id: string;
  accountId: number;
  agentId: string;
  agentVersion: number;
  test: boolean;
  metadata: Metadata;
  email: string | undefined;
}

/** Allots the stamp and inserts the session in one statement, so the account's clock is locked as late as can be. */
export async function insertSession(
  trx: Trx,
  session: NewSession,
  connectWithinSecs: number,
): Promise<Date> {
  const { rows } = await sql<{ created_at: Date }>`
    WITH stamp AS (
      UPDATE account_clocks
      SET (last_at, in_second) = (SELECT at, count FROM next_stamp(last_at, in_second, clock_timestamp()))
      WHERE account_id = ${session.accountId}
      RETURNING last_at
    )
    INSERT INTO sessions (id, account_id, agent_id, agent_version, test, created_at, connect_by, metadata, email)
    SELECT ${session.id}, ${session.accountId}, ${session.agentId}, ${session.agentVersion}, ${session.test},
      stamp.last_at, clock_timestamp() + make_interval(secs => ${connectWithinSecs}), ${JSON.stringify(session.metadata)}, ${session.email ?? null}
    FROM stamp
    RETURNING created_at`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error(`account ${session.accountId} has no clock`);
  return row.created_at;
}

export interface SessionRow {
  id: string;
  accountId: number;
  agentId: string;
  test: boolean;
  status: SessionStatus;
  createdAt: Date;
  endedAt: Date | null;
  settledAt: Date | null;
  metadata: Metadata;
  email: string | null;
  emailVerified: boolean | null;
  durationSecs: number | null;
}

/** Locks the session, so that the verbs of one session follow each other. */
export async function lockSession(trx: Trx, id: string): Promise<SessionRow | undefined> {
  return tables(trx)
    .selectFrom("sessions")
    .select([
      "id",
      "account_id as accountId",
      "agent_id as agentId",
      "test",
      "status",
      "created_at as createdAt",
      "ended_at as endedAt",
      "settled_at as settledAt",
      "metadata",
      "email",
      "email_verified as emailVerified",
      "duration_secs as durationSecs",
    ])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateEnded(
  trx: Trx,
  id: string,
  end: { reason: string; durationSecs: number | undefined; evaluateWithinSecs: number | undefined },
): Promise<void> {
  await tables(trx)
    .updateTable("sessions")
    .set({
      ended_at: NOW,
      end_reason: end.reason,
      duration_secs: end.durationSecs ?? null,
      evaluate_by:
        end.evaluateWithinSecs === undefined
          ? null
          : sql<Date>`clock_timestamp() + make_interval(secs => ${end.evaluateWithinSecs})`,
    })
    .where("id", "=", id)
    .execute();
}

/** Settled once is settled for ever: a re-evaluation changes the status and never the time. */
export async function updateSettled(trx: Trx, id: string, status: SettledStatus): Promise<void> {
  await tables(trx)
    .updateTable("sessions")
    .set({ status, settled_at: sql<Date>`coalesce(settled_at, ${NOW})` })
    .where("id", "=", id)
    .execute();
}

export async function updateEmail(
  trx: Trx,
  id: string,
  email: { address: string | null; verified: boolean | null; metadata: Metadata },
): Promise<void> {
  await tables(trx)
    .updateTable("sessions")
    .set({
      email: email.address,
      email_verified: email.verified,
      metadata: JSON.stringify(email.metadata),
    })
    .where("id", "=", id)
    .execute();
}

/** The same item twice is one turn: a live process that lost the answer to its insert sends it again. */
export async function insertTurn(
  trx: Trx,
  session: { id: string; createdAt: Date },
  turn: Turn & { itemId: string; at: Date },
): Promise<void> {
  await tables(trx)
    .insertInto("turns")
    .values({
      session_at: session.createdAt,
      session_id: session.id,
      item_id: turn.itemId,
      role: turn.role,
      content: turn.content,
      interrupted: turn.interrupted,
      at: turn.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function selectTurns(
  db: Db | Trx,
  session: { id: string; createdAt: Date },
): Promise<(Turn & { at: Date })[]> {
  return tables(db)
    .selectFrom("turns")
    .select(["role", "content", "interrupted", "at"])
    .where("session_at", "=", session.createdAt)
    .where("session_id", "=", session.id)
    .orderBy("seq")
    .execute();
}

export async function insertExportRow(
  trx: Trx,
  session: SessionRow,
  status: SettledStatus,
  columns: ExportColumns,
): Promise<void> {
  await tables(trx)
    .insertInto("session_exports")
    .values({
      account_id: session.accountId,
      created_at: session.createdAt,
      id: session.id,
      agent_id: session.agentId,
      status,
      ...columns,
      email: session.email,
      email_verified: session.emailVerified,
      duration_secs: session.durationSecs,
    })
    .execute();
}

/** Leaves the transcript as it stands: its turns may be gone from the live log by now. */
export async function updateExportRow(
  trx: Trx,
  session: SessionRow,
  change: Partial<
    Omit<ExportColumns, "transcript"> & {
      status: SettledStatus;
      email: string | null;
      email_verified: boolean | null;
    }
  >,
): Promise<void> {
  await tables(trx)
    .updateTable("session_exports")
    .set(change)
    .where("account_id", "=", session.accountId)
    .where("created_at", "=", session.createdAt)
    .where("id", "=", session.id)
    .execute();
}

export async function makeLogPartitions(db: Db, daysAhead: number): Promise<void> {
  for (let day = 0; day <= daysAhead; day++) {
    await sql`SELECT make_log_partitions((now() AT TIME ZONE 'UTC')::date + ${day}::integer)`.execute(
      db,
    );
  }
}
