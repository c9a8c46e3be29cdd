import type { TestDatabase } from "@svc/server/testing";

/**
 * A start with this in its metadata is slow to commit, as on a busy disk: a reader may pass a
 * stamp that was allotted long before it can be seen.
 */
export function slowCommit(commitMs: number): Record<string, string> {
  return { commit_ms: String(commitMs) };
}

/** Teaches the database to be slow when asked. */
export async function obeySlowCommits({ pool }: TestDatabase): Promise<void> {
  await pool.query(`
    CREATE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_sleep((NEW.metadata->>'commit_ms')::float8 / 1000);
      RETURN NULL;
    END
    $$;
    CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON sessions DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.metadata->>'commit_ms' IS NOT NULL) EXECUTE FUNCTION commit_slowly();`);
}
