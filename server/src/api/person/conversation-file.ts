import type { KeptConversation } from "./read-kept.ts";

/** What is kept of a conversation as a file: the names that the export has for the same things. */
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
