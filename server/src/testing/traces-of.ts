import type { TestDatabase } from "./database.ts";

/** The tables of the whole database, the queue's included, in which a text stands: in any column, bytes too. */
export async function tracesOf({ pool }: TestDatabase, text: string): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables
     WHERE relid NOT IN (SELECT partrelid FROM pg_partitioned_table) ORDER BY 1`,
  );
  const needles = [text, Buffer.from(text).toString("hex")].map((needle) => `%${needle}%`);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await pool.query(
      `SELECT FROM ${name} AS t WHERE lower(t::text) LIKE ANY (SELECT lower(n) FROM unnest($1::text[]) AS n) LIMIT 1`,
      [needles],
    );
    if (rowCount! > 0) found.push(name);
  }
  return found;
}
