import type { TestDatabase } from "@svc/server/testing";

/** From now on the database notes when a failed evaluation is taken up again. */
export async function watchTakenUp({ pool }: TestDatabase): Promise<void> {
  await pool.query(`
    CREATE TABLE taken_up (at timestamptz);
    CREATE FUNCTION note_taken_up() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO taken_up VALUES (clock_timestamp());
      RETURN NULL;
    END
    $$;
    CREATE TRIGGER note_taken_up AFTER UPDATE ON evaluations FOR EACH ROW
      WHEN (OLD.state = 'failed' AND NEW.state = 'pending') EXECUTE FUNCTION note_taken_up();`);
}

/** In milliseconds, the oldest first. */
export async function takenUpAt({ pool }: TestDatabase): Promise<number[]> {
  const { rows } = await pool.query<{ atMs: number }>(
    `SELECT extract(epoch FROM at)::float8 * 1000 AS "atMs" FROM taken_up ORDER BY at`,
  );
  return rows.map(({ atMs }) => atMs);
}

/** The most a second, over any span of that length. */
export function busiestRate(sortedMs: number[], spanMs: number): number {
  let most = 0;
  let from = 0;
  for (const [to, atMs] of sortedMs.entries()) {
    while (sortedMs[from]! <= atMs - spanMs) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most / (spanMs / 1_000);
}
