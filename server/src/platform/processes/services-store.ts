import { sql } from "kysely";
import type { Db } from "../database/db.ts";
import type { NamedService } from "../settings/service-names.ts";
import type { ProcessPart } from "./processes-store.ts";

/** What a service does, which says what it gets of visitors. */
export type ServicePurpose =
  | "answers"
  | "assessment"
  | "hearing"
  | "voice"
  | "sound"
  | "search"
  | "mail";

/** A service outside this process that gets something of what visitors say. */
export interface ServiceInUse extends NamedService {
  purpose: ServicePurpose;
}

export async function upsertServices(
  db: Db,
  { part, sha256, services }: { part: ProcessPart; sha256: Buffer; services: string },
): Promise<void> {
  await sql`
    INSERT INTO services_in_use (part, sha256, services, used_at)
    VALUES (${part}, ${sha256}, ${services}, clock_timestamp())
    ON CONFLICT (part, sha256) DO UPDATE SET used_at = excluded.used_at`.execute(db);
}

/** Those of the last `withinSecs`, and of a part without any the last ones. */
export async function selectServices(
  db: Db,
  withinSecs: number,
): Promise<{ part: ProcessPart; services: ServiceInUse[] }[]> {
  const { rows } = await sql<{ part: ProcessPart; services: ServiceInUse[] }>`
    SELECT part, services FROM (
      SELECT part, services, sha256, used_at, max(used_at) OVER (PARTITION BY part) AS last_at FROM services_in_use
    ) AS uses
    WHERE used_at = last_at OR used_at > clock_timestamp() - make_interval(secs => ${withinSecs})
    ORDER BY part, sha256`.execute(db);
  return rows;
}
