import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { Generated } from "kysely";

type PreviewTables = {
  preview_tokens: {
    id: Generated<number>;
    agent_id: string;
    hash: Buffer;
    label: string;
    created_by: string;
    expires_at: Date;
  };
};

export async function insertPreviewToken(
  trx: Trx,
  token: {
    agentId: string;
    hash: Buffer;
    label: string;
    createdBy: string;
    expiresInSecs: number;
  },
): Promise<{ id: number; expiresAt: Date }> {
  return trx
    .withTables<PreviewTables>()
    .insertInto("preview_tokens")
    .values({
      agent_id: token.agentId,
      hash: token.hash,
      label: token.label,
      created_by: token.createdBy,
      expires_at: sql<Date>`date_trunc('milliseconds', now()) + make_interval(secs => ${token.expiresInSecs})`,
    })
    .returning(["id", "expires_at as expiresAt"])
    .executeTakeFirstOrThrow();
}

export async function isPreviewTokenLive(db: Db, agentId: string, hash: Buffer): Promise<boolean> {
  const found = await db
    .withTables<PreviewTables>()
    .selectFrom("preview_tokens")
    .select("id")
    .where("hash", "=", hash)
    .where("agent_id", "=", agentId)
    .where("expires_at", ">", sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return found !== undefined;
}
