import { audit, oneLineText } from "#accounts";
import { AppError, hashToken, newPreviewToken } from "#platform";
import type { Cell, Db, Trx } from "#platform";
import type { ListedAgent } from "../versions/listed-agent.ts";
import { insertPreviewToken, isPreviewTokenLive } from "./preview-store.ts";

export interface PreviewToken {
  id: number;
  label: string;
  expiresAt: Date;
  /** Returned once; only its hash is stored. */
  token: string;
}

const MAX_EXPIRES_SECS = 30 * 86_400;

/**
 * Makes a token that starts test sessions of this agent from any page. Test sessions are never
 * exported, delivered or mailed.
 */
export async function mintPreviewToken(
  trx: Trx,
  actor: string,
  cell: Cell,
  { id: agentId, accountId }: ListedAgent,
  { label, expiresInSecs }: { label: string; expiresInSecs: number },
): Promise<PreviewToken> {
  if (expiresInSecs < 60 || expiresInSecs > MAX_EXPIRES_SECS) {
    throw new AppError("invalid_input", {
      what: "The preview token was not made.",
      why: "It works for 1 minute to 30 days.",
      fix: "Give a time in between, such as --expires 24h.",
    });
  }
  const kept = oneLineText(label, "The label", 100);
  const token = newPreviewToken(cell);
  const { id, expiresAt } = await insertPreviewToken(trx, {
    agentId,
    hash: hashToken(token),
    label: kept,
    createdBy: actor,
    expiresInSecs,
  });
  await audit(trx, {
    actor,
    action: "agent.preview",
    accountId,
    subject: agentId,
    detail: { id, label: kept, expiresAt: expiresAt.toISOString() },
  });
  return { id, label: kept, expiresAt, token };
}

/** Returns whether this token currently makes a session of this agent a test. */
export async function isPreviewToken(db: Db, agentId: string, token: string): Promise<boolean> {
  return isPreviewTokenLive(db, agentId, hashToken(token));
}
