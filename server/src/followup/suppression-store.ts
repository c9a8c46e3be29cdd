import type { Db, Trx } from "#platform";
import { sql } from "kysely";

/** One person, as one account knows them. */
export interface Recipient {
  accountId: number;
  marks: [Buffer, ...Buffer[]];
}

export type SuppressionSource = "unsubscribed" | "operator";

/** False when the suppression already existed. */
export async function insertSuppression(
  db: Db | Trx,
  { accountId, marks, source }: Recipient & { source: SuppressionSource },
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO mail_suppressions (account_id, address_mark, source)
    SELECT ${accountId}, ${marks[0]}, ${source}
    WHERE NOT EXISTS (
      SELECT FROM mail_suppressions WHERE account_id = ${accountId} AND address_mark = ANY (${marks}))
    ON CONFLICT DO NOTHING
    RETURNING at`.execute(db);
  return rows.length > 0;
}

export async function hasSuppression(
  db: Db | Trx,
  { accountId, marks }: Recipient,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM mail_suppressions WHERE account_id = ${accountId} AND address_mark = ANY (${marks})`.execute(
    db,
  );
  return rows.length > 0;
}

/** False when there was no suppression. */
export async function deleteSuppression(
  db: Db | Trx,
  { accountId, marks }: Recipient,
): Promise<boolean> {
  const { rows } = await sql`
    DELETE FROM mail_suppressions WHERE account_id = ${accountId} AND address_mark = ANY (${marks})
    RETURNING at`.execute(db);
  return rows.length > 0;
}

export interface SuppressionDay {
  day: string;
  source: SuppressionSource;
  count: number;
}

/** The number of suppressions per day (UTC), the newest day first. Whose they are is not known here. */
export async function selectSuppressionDays(db: Db, accountId: number): Promise<SuppressionDay[]> {
  const { rows } = await sql<SuppressionDay>`
    SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, source, count(*)::integer AS count
    FROM mail_suppressions WHERE account_id = ${accountId}
    GROUP BY 1, 2 ORDER BY 1 DESC, 2`.execute(db);
  return rows;
}
