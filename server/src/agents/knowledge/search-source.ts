import { transact } from "#platform";
import type { Db } from "#platform";
import type { AgentSource } from "../file/read-agent.ts";
import { searchKnowledge } from "./knowledge-search.ts";
import type { KnowledgeSection } from "./knowledge-sections.ts";
import { insertFiles } from "./source-store.ts";

/** What a folder's knowledge says about a few words, applied or not. Nothing of it stays in the database. */
export async function searchSource(
  db: Db,
  { config, files }: AgentSource,
  query: string,
  language: string,
): Promise<KnowledgeSection[]> {
  const knowledge = new Set(config.knowledge.map(({ sha256 }) => sha256));
  const undone = new Error("searched, and undone");
  let found: KnowledgeSection[] = [];
  try {
    await transact(db, async (trx) => {
      await insertFiles(
        trx,
        files.filter(({ sha256 }) => knowledge.has(sha256)),
      );
      found = await searchKnowledge(trx, config, query, language);
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return found;
}
