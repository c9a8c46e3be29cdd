import type { TestDatabase } from "@svc/server/testing";

/** @param from what follows FROM: a table and its conditions. */
export async function countRows(
  { pool }: TestDatabase,
  from: string,
  values: unknown[] = [],
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::integer FROM ${from}`,
    values,
  );
  return rows[0]!.count;
}
