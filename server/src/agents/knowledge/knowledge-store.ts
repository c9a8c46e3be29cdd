import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { Generated } from "kysely";

type KnowledgeTables = {
  knowledge_sections: {
    sha256: Buffer;
    section: number;
    heading: string;
    body: string;
    words: Generated<string>;
  };
};

const tables = (db: Db | Trx) => db.withTables<KnowledgeTables>();

/** Sections depend on the file's bytes alone, so a second writer changes nothing. */
export async function insertSections(
  db: Db | Trx,
  hash: string,
  sections: { heading: string; body: string }[],
): Promise<void> {
  if (sections.length === 0) return;
  const sha256 = Buffer.from(hash, "hex");
  await tables(db)
    .insertInto("knowledge_sections")
    .values(sections.map((one, section) => ({ sha256, section, ...one })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The hashes, in hex, of those files that have sections. */
export async function selectStoredHashes(db: Db | Trx, hashes: string[]): Promise<Set<string>> {
  const rows = await tables(db)
    .selectFrom("knowledge_sections")
    .select("sha256")
    .where("sha256", "in", bytes(hashes))
    .where("section", "=", 0)
    .execute();
  return new Set(rows.map(({ sha256 }) => sha256.toString("hex")));
}

export interface FoundSection {
  hash: string;
  heading: string;
  body: string;
}

/**
 * The sections that match a query, the best first. The query is parsed with each of the
 * configurations, because one of them may fit the language of the text.
 */
export async function selectFitting(
  db: Db,
  hashes: string[],
  query: string,
  configurations: string[],
  limit: number,
): Promise<FoundSection[]> {
  const readings = configurations.map(
    (name) => sql`websearch_to_tsquery(${name}::regconfig, ${query})`,
  );
  const anyReading = sql<string>`(${sql.join(readings, sql` || `)})`;
  const rows = await tables(db)
    .selectFrom("knowledge_sections")
    .select(["sha256", "heading", "body"])
    .where("sha256", "in", bytes(hashes))
    .where(sql<boolean>`words @@ ${anyReading}`)
    .orderBy(sql`ts_rank(words, ${anyReading})`, "desc")
    .orderBy("sha256")
    .orderBy("section")
    .limit(limit)
    .execute();
  return rows.map(({ sha256, heading, body }) => ({ hash: sha256.toString("hex"), heading, body }));
}

function bytes(hashes: string[]): Buffer[] {
  return hashes.map((hash) => Buffer.from(hash, "hex"));
}
