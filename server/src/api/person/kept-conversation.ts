import { readSettings } from "#accounts";
import { isTranscriptReadable } from "#followup";
import type { Db } from "#platform";
import type { ReadableConversation, Rights } from "#rights";

/** A conversation of somebody who left an address, with whose it is and how long it stays. */
export interface KeptConversation extends ReadableConversation {
  accountId: number;
  email: string;
  keptUntil: Date;
  /** False while the reader of the mail has not confirmed that it was them. */
  isReadable: boolean;
}

const DAY_MS = 86_400_000;

/** Undefined when it never was, or has been erased. */
export async function readKept(
  { db, rights }: { db: Db; rights: Rights },
  sessionId: string,
): Promise<KeptConversation | undefined> {
  const own = await rights.readOwn(sessionId);
  const [holdings] = await rights.lookUp({ sessionId });
  if (own?.email === undefined || holdings === undefined) return undefined;
  const { accountId } = holdings;
  const { retentionDays } = await readSettings(db, accountId);
  const keptUntil = new Date(own.startedAt.getTime() + retentionDays * DAY_MS);
  const isReadable = await isTranscriptReadable(db, sessionId);
  return { ...own, email: own.email, accountId, keptUntil, isReadable };
}

/** Returns what is kept of a conversation as a file, with the field names of the export. */
export function conversationFile(kept: KeptConversation): string {
  const { turns } = kept;
  const file = {
    brand: kept.brandName,
    agent: kept.agentName,
    language: kept.language,
    created_at: kept.startedAt,
    kept_until: kept.keptUntil,
    email: kept.email,
    metadata: kept.metadata,
    summary: kept.summary,
    transcript: turns.map(({ role, content, interrupted, at }) => ({
      role,
      content,
      ...(interrupted && { interrupted }),
      at,
    })),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
