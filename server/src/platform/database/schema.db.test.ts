import { readFile } from "node:fs/promises";
import { dumpSchema } from "#testing";
import { databaseTest } from "#testing/database-test";
import pg from "pg";
import { expect } from "vitest";

const SCHEMA = new URL("../../../schema.sql", import.meta.url);

databaseTest(
  "schema.sql is what the migrations make, on this version of PostgreSQL",
  async ({ database }) => {
    const migrated = await catalog(database.url);

    const empty = await emptyDatabase(database.pool, database.url);
    const loaded = new pg.Client({ connectionString: empty });
    await loaded.connect();
    // psql's own commands guard a dump against hostile objects; a plain connection does not know them.
    const text = (await readFile(SCHEMA, "utf8")).replace(/^\\(?:un)?restrict .*$/gm, "");
    await loaded.query(text);
    await loaded.end();

    expect(await catalog(empty)).toEqual(migrated);
  },
);

databaseTest("schema.sql is up to date: run `npm run schema`", async ({ database, skip }) => {
  const { rows } = await database.pool.query<{ server_version: string }>("SHOW server_version");
  if (!rows[0]!.server_version.startsWith("15.")) skip("the dump is made by PostgreSQL 15");
  expect(await dumpSchema(database.url)).toBe(await readFile(SCHEMA, "utf8"));
});

async function emptyDatabase(pool: pg.Pool, url: string): Promise<string> {
  const name = `${new URL(url).pathname.slice(1)}_empty`;
  await pool.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  const empty = new URL(url);
  empty.pathname = `/${name}`;
  return empty.href;
}

/** Everything that matters, one line each, in words that PostgreSQL 15 and 18 agree on. */
async function catalog(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ line: string }>(`
    SELECT concat_ws(' ', 'column', table_name, ordinal_position, column_name, data_type, datetime_precision, is_nullable, column_default, is_identity) AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    UNION ALL SELECT concat_ws(' ', 'index', indexname, indexdef) FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT concat_ws(' ', 'function', proname, pg_get_functiondef(oid)) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', 'trigger', tgname, pg_get_triggerdef(oid)) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT concat_ws(' ', 'policy', tablename, policyname, roles, cmd, qual, with_check) FROM pg_policies
    UNION ALL SELECT concat_ws(' ', 'row security', relname, relrowsecurity, relforcerowsecurity, reloptions) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    UNION ALL SELECT concat_ws(' ', 'grant', grantee, table_name, column_name, privilege_type) FROM information_schema.column_privileges WHERE grantee = 'svc_export'`);
  await client.end();
  return rows
    .map(({ line }) => line)
    .filter((line) => !/\bmigrations(?:_lock)?(?:_pkey)?\b/.test(line))
    .toSorted();
}
