import type { TestDatabase } from "@svc/server/testing";

/**
 * Makes one start and one settlement in a hundred slow to commit, as a busy disk does. A stamp that is
 * allotted long before it is committed is what a reader may pass.
 */
export async function slowSomeCommits(database: TestDatabase): Promise<void> {
  await database.pool.query(`
    CREATE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_sleep(random() * 0.04);
      RETURN NULL;
    END
    $$;
    CREATE CONSTRAINT TRIGGER slow_start AFTER INSERT ON sessions
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (random() < 0.01) EXECUTE FUNCTION commit_slowly();
    CREATE CONSTRAINT TRIGGER slow_settlement AFTER INSERT ON session_exports
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (random() < 0.01) EXECUTE FUNCTION commit_slowly();`);
}
