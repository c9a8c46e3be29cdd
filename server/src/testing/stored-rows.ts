import type { TestDatabase } from "./database.ts";

type Row = Record<string, unknown>;

/** A session as it is stored, column by column. */
export async function sessionRow(database: TestDatabase, id: string): Promise<Row> {
  const { rows } = await database.pool.query<Row>("SELECT * FROM sessions WHERE id = $1", [id]);
  const [row] = rows;
  if (row === undefined) throw new Error(`no session ${id}`);
  return row;
}

/** What the export reads of it, if it may. */
export async function exportRow(database: TestDatabase, id: string): Promise<Row | undefined> {
  const { rows } = await database.pool.query<Row>("SELECT * FROM session_exports WHERE id = $1", [
    id,
  ]);
  return rows[0];
}

/** Its evaluations, the oldest first. */
export async function evaluationRows(database: TestDatabase, id: string): Promise<Row[]> {
  const { rows } = await database.pool.query<Row>(
    "SELECT * FROM evaluations WHERE session_id = $1 ORDER BY version",
    [id],
  );
  return rows;
}
