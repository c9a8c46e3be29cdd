import { transact } from "#platform";
import type { Db, Trx } from "#platform";
import type { AgentConfig } from "../config/agent-config.ts";
import type { AgentSource } from "../file/read-agent.ts";
import { insertFiles, selectFiles } from "../versions/store.ts";
import { sectionName, sectionsOf } from "./knowledge-sections.ts";
import type { KnowledgeSection } from "./knowledge-sections.ts";
import { insertSections, selectFitting, selectStoredHashes } from "./knowledge-store.ts";

/**
 * The sections of an agent's knowledge that match a query, the best first, at most four.
 *
 * @param language the language of the query.
 */
export async function searchKnowledge(
  db: Db,
  config: Pick<AgentConfig, "knowledge" | "recordLanguage">,
  query: string,
  language: string,
): Promise<KnowledgeSection[]> {
  const paths = new Map(config.knowledge.map(({ sha256, path }) => [sha256, path]));
  const hashes = [...paths.keys()];
  const words = query.slice(0, MAX_QUERY_CHARACTERS).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (hashes.length === 0 || words.length === 0) return [];
  await storeSections(db, hashes);
  const configurations = [configurationOf(language), configurationOf(config.recordLanguage)];
  const find = (what: string) =>
    selectFitting(db, hashes, what, [...new Set([...configurations, "simple"])], MAX_SECTIONS);
  const all = await find(words.join(" "));
  const found = all.length > 0 ? all : await find(words.join(" or "));
  return found.map(({ hash, heading, body }) => ({
    name: sectionName(paths.get(hash) ?? "", heading),
    text: body,
  }));
}

/**
 * Stores the sections of knowledge files so that they can be searched. Called for every search,
 * because old versions were applied before sections existed.
 */
export async function storeSections(db: Db | Trx, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return;
  const stored = await selectStoredHashes(db, hashes);
  const files = await selectFiles(
    db,
    hashes.filter((hash) => !stored.has(hash)),
  );
  for (const [hash, bytes] of files)
    await insertSections(db, hash, sectionsOf(bytes.toString("utf8")));
}

const MAX_SECTIONS = 4;
const MAX_QUERY_CHARACTERS = 400;

/** The text search configurations that `knowledge_sections.words` is made with. */
const CONFIGURATIONS = new Map([
  ["en", "english"],
  ["de", "german"],
  ["fr", "french"],
  ["es", "spanish"],
]);

function configurationOf(language: string): string {
  return CONFIGURATIONS.get(language.split("-")[0] ?? "") ?? "simple";
}

/**
 * Searches the knowledge of a folder, whether or not it was applied. Everything that it stores is
 * rolled back.
 */
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
