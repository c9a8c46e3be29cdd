import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { Generated, JSONColumnType } from "kysely";
import type { AgentConfig } from "../config/agent-config.ts";
import type { FileWithBytes } from "../file/load-files.ts";

type AgentsTables = {
  agents: {
    id: string;
    account_id: number;
    slug: string;
    state: Generated<AgentState>;
    current_version: number | null;
    created_at: Generated<Date>;
    removed_at: Date | null;
  };
  agent_versions: {
    agent_id: string;
    version: number;
    config: JSONColumnType<AgentConfig>;
    created_at: Generated<Date>;
    created_by: string;
  };
  agent_version_files: { agent_id: string; version: number; path: string; sha256: Buffer };
  agent_files: { sha256: Buffer; bytes: Buffer };
};

export type AgentState = "live" | "paused";

const tables = (db: Db | Trx) => db.withTables<AgentsTables>();

/** False when the account has an agent of that name. */
export async function insertAgent(
  trx: Trx,
  agent: { id: string; accountId: number; slug: string },
): Promise<boolean> {
  const result = await tables(trx)
    .insertInto("agents")
    .values({ id: agent.id, account_id: agent.accountId, slug: agent.slug })
    .onConflict((conflict) => conflict.columns(["account_id", "slug"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

interface LockedAgent {
  id: string;
  currentVersion: number | null;
  state: AgentState;
  removedAt: Date | null;
}

/** Holds the agent's row until the end of the transaction, so that two writers get two versions. */
export async function lockAgent(
  trx: Trx,
  accountId: number,
  by: { id: string } | { slug: string },
): Promise<LockedAgent | undefined> {
  return tables(trx)
    .selectFrom("agents")
    .select(["id", "current_version as currentVersion", "state", "removed_at as removedAt"])
    .where("account_id", "=", accountId)
    .where((where) => ("id" in by ? where("id", "=", by.id) : where("slug", "=", by.slug)))
    .forUpdate()
    .executeTakeFirst();
}

/** Adds the next version of an agent that is locked, and makes it the current one. */
export async function insertNextVersion(
  trx: Trx,
  agentId: string,
  version: { config: AgentConfig; files: FileWithBytes[]; createdBy: string },
): Promise<number> {
  const newest = await tables(trx)
    .selectFrom("agent_versions")
    .select("version")
    .where("agent_id", "=", agentId)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  const number = (newest?.version ?? 0) + 1;
  await tables(trx)
    .insertInto("agent_versions")
    .values({
      agent_id: agentId,
      version: number,
      config: JSON.stringify(version.config),
      created_by: version.createdBy,
    })
    .execute();
  await insertFiles(trx, version.files);
  for (const { path, sha256 } of version.files) {
    await tables(trx)
      .insertInto("agent_version_files")
      .values({ agent_id: agentId, version: number, path, sha256: Buffer.from(sha256, "hex") })
      .execute();
  }
  await tables(trx)
    .updateTable("agents")
    .set({ current_version: number })
    .where("id", "=", agentId)
    .execute();
  return number;
}

/** Stores the bytes of files that are not stored yet. */
async function insertFiles(trx: Trx, files: FileWithBytes[]): Promise<void> {
  for (const { sha256, bytes } of files) {
    await tables(trx)
      .insertInto("agent_files")
      .values({ sha256: Buffer.from(sha256, "hex"), bytes })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export interface CurrentVersion {
  agentId: string;
  version: number;
  config: AgentConfig;
  removedAt: Date | null;
}

export async function selectCurrentVersion(
  db: Db | Trx,
  accountId: number,
  slug: string,
): Promise<CurrentVersion | undefined> {
  return tables(db)
    .selectFrom("agents")
    .innerJoin("agent_versions as v", (join) =>
      join.onRef("v.agent_id", "=", "agents.id").onRef("v.version", "=", "agents.current_version"),
    )
    .select(["agents.id as agentId", "v.version", "v.config", "agents.removed_at as removedAt"])
    .where("agents.account_id", "=", accountId)
    .where("agents.slug", "=", slug)
    .executeTakeFirst();
}

export async function selectVersion(
  db: Db | Trx,
  agentId: string,
  version: number,
): Promise<AgentConfig | undefined> {
  const row = await tables(db)
    .selectFrom("agent_versions")
    .select("config")
    .where("agent_id", "=", agentId)
    .where("version", "=", version)
    .executeTakeFirst();
  return row?.config;
}

/** The bytes of files by their hash in hex. */
export async function selectFiles(db: Db | Trx, hashes: string[]): Promise<Map<string, Buffer>> {
  if (hashes.length === 0) return new Map();
  const rows = await tables(db)
    .selectFrom("agent_files")
    .select(["sha256", "bytes"])
    .where(
      "sha256",
      "in",
      hashes.map((hash) => Buffer.from(hash, "hex")),
    )
    .execute();
  return new Map(rows.map(({ sha256, bytes }) => [sha256.toString("hex"), bytes]));
}

export interface AgentRow {
  id: string;
  accountId: number;
  slug: string;
  state: AgentState;
  createdAt: Date;
  version: number;
  config: AgentConfig;
  /** When its current version was written. */
  versionAt: Date;
  /** Removed agents are kept for the sessions that they ran. */
  removedAt: Date | null;
}

/** All, or those of one account, or those with that id or slug. Removed ones come last. */
export async function selectAgents(
  db: Db | Trx,
  which: { accountId?: number; named?: string } = {},
): Promise<AgentRow[]> {
  let query = tables(db)
    .selectFrom("agents")
    .innerJoin("agent_versions as v", (join) =>
      join.onRef("v.agent_id", "=", "agents.id").onRef("v.version", "=", "agents.current_version"),
    )
    .select([
      "agents.id",
      "agents.account_id as accountId",
      "agents.slug",
      "agents.state",
      "agents.created_at as createdAt",
      "v.version",
      "v.config",
      "v.created_at as versionAt",
      "agents.removed_at as removedAt",
    ])
    .orderBy(sql`agents.removed_at IS NOT NULL`)
    .orderBy("agents.account_id")
    .orderBy("agents.slug");
  const { accountId, named } = which;
  if (accountId !== undefined) query = query.where("agents.account_id", "=", accountId);
  if (named !== undefined)
    query = query.where((where) =>
      where.or([where("agents.id", "=", named), where("agents.slug", "=", named)]),
    );
  return query.execute();
}

export interface VersionRow {
  version: number;
  createdAt: Date;
  createdBy: string;
}

/** The newest first. */
export async function selectVersions(
  db: Db,
  agentId: string,
  limit: number,
): Promise<VersionRow[]> {
  return tables(db)
    .selectFrom("agent_versions")
    .select(["version", "created_at as createdAt", "created_by as createdBy"])
    .where("agent_id", "=", agentId)
    .orderBy("version", "desc")
    .limit(limit)
    .execute();
}

export async function updateState(trx: Trx, agentId: string, state: AgentState): Promise<void> {
  await tables(trx).updateTable("agents").set({ state }).where("id", "=", agentId).execute();
}

/** A removed agent is also paused, because the previous release knows no other way to start nothing. */
export async function updateRemoved(trx: Trx, agentId: string, removed: boolean): Promise<void> {
  await tables(trx)
    .updateTable("agents")
    .set({
      removed_at: removed ? sql<Date>`date_trunc('milliseconds', now())` : null,
      state: removed ? "paused" : "live",
    })
    .where("id", "=", agentId)
    .execute();
}
