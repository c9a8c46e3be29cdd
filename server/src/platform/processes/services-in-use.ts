import { createHash } from "node:crypto";
import type { Db } from "../database/db.ts";
import { LEASE_SECS } from "./processes-store.ts";
import type { ProcessPart } from "./processes-store.ts";
import { selectServices, upsertServices } from "./services-store.ts";
import type { ServiceInUse } from "./services-store.ts";

export type { ServiceInUse, ServicePurpose } from "./services-store.ts";

/** What each part that a process runs uses. */
export type PartServices = Partial<Record<ProcessPart, ServiceInUse[]>>;

/** Says that this process still uses them. */
export async function reportServices(db: Db, parts: PartServices): Promise<void> {
  for (const [part, services] of Object.entries(parts) as [ProcessPart, ServiceInUse[]][]) {
    const text = JSON.stringify(services);
    const sha256 = createHash("sha256").update(text).digest();
    await upsertServices(db, { part, sha256, services: text });
  }
}

/**
 * Everything that running processes use; of a part that no process runs, what the last one used. Undefined while no
 * process that holds conversations, or none that evaluates them, has ever said so.
 */
export async function servicesInUse(db: Db): Promise<ServiceInUse[] | undefined> {
  const rows = await selectServices(db, LEASE_SECS);
  const isKnown = (part: ProcessPart): boolean => rows.some((row) => row.part === part);
  if (!isKnown("live") || !isKnown("pipeline")) return undefined;
  return rows.flatMap(({ services }) => services);
}
