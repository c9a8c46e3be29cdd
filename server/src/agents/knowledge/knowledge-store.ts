import type { Db, Trx } from "#platform";
import { sql } from "kysely";

/** What the dictionaries of PostgreSQL make of each word, without duplicates; nothing if one of them knows it as a word that says nothing. */
export async function selectStems(
  db: Db | Trx,
  words: string[],
  dictionaries: string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ word: string; stems: string[] }>`
    SELECT word, CASE WHEN bool_or(stems = '{}') THEN '{}' ELSE array_agg(DISTINCT stems[1]) END AS stems
    FROM unnest(${words}::text[]) AS word, unnest(${dictionaries}::text[]) AS dictionary,
      ts_lexize(dictionary::regdictionary, word) AS stems
    GROUP BY word`.execute(db);
  return new Map(rows.map(({ word, stems }) => [word, stems]));
}
