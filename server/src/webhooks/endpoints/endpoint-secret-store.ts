import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { SealedSecrets } from "./sealed-secrets.ts";

/** The secret before keeps signing beside the new one, so that receivers have time to drop it. Nothing is staged then. */
export async function updateSecret(
  trx: Trx,
  id: string,
  change: { secret: string; previousSecret: string | null; overlapSecs: number },
): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    UPDATE webhook_endpoints SET secret = ${change.secret}, staged_secret = NULL, staged_at = NULL, previous_secret = ${change.previousSecret},
      previous_until = CASE WHEN ${change.previousSecret}::text IS NOT NULL THEN clock_timestamp() + make_interval(secs => ${change.overlapSecs}) END
    WHERE id = ${id}
    RETURNING previous_until AS until`.execute(trx);
  return rows[0]!.until;
}

export async function updateStaged(
  trx: Trx,
  id: string,
  stagedSecret: string | null,
): Promise<void> {
  await sql`
    UPDATE webhook_endpoints SET staged_secret = ${stagedSecret},
      staged_at = CASE WHEN ${stagedSecret}::text IS NOT NULL THEN date_trunc('milliseconds', clock_timestamp()) END
    WHERE id = ${id}`.execute(trx);
}

/** The columns of `SealedSecrets` that sign at this moment. */
export const SIGNING: RawBuilder<unknown> = sql`secret, staged_secret AS "stagedSecret", CASE WHEN previous_until > clock_timestamp() THEN previous_secret END AS "previousSecret"`;

/** The secrets that sign now, of one endpoint or of all. Removed endpoints are left out. */
export async function selectSigning(
  db: Db | Trx,
  id?: string,
): Promise<({ id: string; url: string } & SealedSecrets)[]> {
  const { rows } = await sql<{ id: string; url: string } & SealedSecrets>`
    SELECT id, url, ${SIGNING} FROM webhook_endpoints
    WHERE state <> 'removed' AND ${id === undefined ? sql`true` : sql`id = ${id}`}
    ORDER BY account_id, created_at, id`.execute(db);
  return rows;
}

/** The sealed secrets of all endpoints, for resealing under a newer key. */
export async function selectSealed(trx: Trx): Promise<({ id: string } & SealedSecrets)[]> {
  const { rows } = await sql<{ id: string } & SealedSecrets>`
    SELECT id, secret, staged_secret AS "stagedSecret", previous_secret AS "previousSecret" FROM webhook_endpoints FOR UPDATE`.execute(
    trx,
  );
  return rows;
}

export async function updateSealed(trx: Trx, id: string, sealed: SealedSecrets): Promise<void> {
  await sql`
    UPDATE webhook_endpoints SET secret = ${sealed.secret}, staged_secret = ${sealed.stagedSecret}, previous_secret = ${sealed.previousSecret}
    WHERE id = ${id}`.execute(trx);
}
