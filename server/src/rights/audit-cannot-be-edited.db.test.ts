import { randomBytes, randomUUID } from "node:crypto";
import { audit, auditRights, listAudit } from "#accounts";
import { createDb, createLog, createPool, migrate, transact } from "#platform";
import type { Db } from "#platform";
import { importSessions } from "#sessions";
import { addCustomer, jobSenderOf } from "#testing";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { removeAccount } from "./remove-account.ts";

interface Login {
  name: string;
  db: Db;
  /** As that login. */
  pool: pg.Pool;
  /** As the cluster's administrator, in the same database. */
  admin: pg.Pool;
}

/** A database that was set up as the documents say: its owner may create roles, and is no superuser. */
const loginTest = test.extend<{ login: Login }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the parameter's pattern
  login: async ({}, use) => {
    const name = `login_${randomBytes(4).toString("hex")}`;
    const cluster = new pg.Client({ connectionString: inject("clusterUrl") });
    await cluster.connect();
    await cluster.query(`CREATE ROLE ${name} LOGIN CREATEROLE`);
    await cluster.query(`CREATE DATABASE ${name} OWNER ${name}`);
    const { rows } = await cluster.query("SHOW server_version_num");
    // The roles are there already in this cluster: it is as if this login had created them.
    if (Number(rows[0].server_version_num) >= 160_000)
      await cluster.query(
        `GRANT svc_audit, svc_export TO ${name} WITH ADMIN TRUE, INHERIT FALSE, SET FALSE`,
      );
    const url = new URL(inject("clusterUrl"));
    url.pathname = `/${name}`;
    const poolAs = (role: string): pg.Pool => {
      url.username = role;
      const options = { url: url.href, name, maxConnections: 3, statementTimeoutMs: 20_000 };
      return createPool(options, createLog("silent"));
    };
    const admin = poolAs(url.username);
    const pool = poolAs(name);
    const db = createDb(pool);
    await migrate(db, url.href.replace(`//${name}@`, "//svc_export@"), []);
    await use({ name, db, pool, admin });
    await Promise.all([db.destroy(), admin.end()]);
    await cluster.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await cluster.query(`DROP OWNED BY ${name}`);
    await cluster.query(`DROP ROLE ${name}`);
    await cluster.end();
  },
});

const EDITS = [
  "UPDATE audit SET actor = 'os:somebody'",
  "UPDATE audit SET detail = '{}' WHERE id = 1",
  "DELETE FROM audit",
  "TRUNCATE audit",
  "INSERT INTO audit (at, actor, action, subject) VALUES ('2020-01-01', 'os:eve', 'made', 'up')",
  "INSERT INTO audit (id, actor, action, subject) OVERRIDING SYSTEM VALUE VALUES (0, 'os:eve', 'made', 'up')",
  "ALTER TABLE audit ADD COLUMN forged text",
  "ALTER TABLE audit RENAME TO real_audit",
  "CREATE RULE quiet AS ON INSERT TO audit DO INSTEAD NOTHING",
  "GRANT ALL ON audit TO CURRENT_USER",
  "SET ROLE svc_audit",
];

/** Those that PostgreSQL does not refuse. */
async function editsThatWork({ pool }: Login): Promise<string[]> {
  const worked: string[] = [];
  for (const edit of EDITS) {
    const client = await pool.connect();
    await client.query("BEGIN");
    const outcome = await client.query(edit).then(
      () => undefined,
      (error: pg.DatabaseError) => error.code,
    );
    await client.query("ROLLBACK");
    client.release();
    if (outcome !== "42501") worked.push(edit);
  }
  return worked;
}

loginTest("the server's login adds entries and can change none", async ({ login }) => {
  const { db, pool, admin } = login;
  const customer = await addCustomer(db, { name: "Acme" });
  const before = await listAudit(db, { limit: 100 });
  expect(before.length).toBeGreaterThan(0);
  expect(await auditRights(db)).toMatchObject({
    isSuperuser: false,
    mayEdit: false,
    isHidden: false,
  });
  // GRANT on a table of somebody else's is a warning where the login has any right on it.
  expect(await editsThatWork(login)).toEqual(["GRANT ALL ON audit TO CURRENT_USER"]);
  await pool.query("GRANT ALL ON audit TO CURRENT_USER");
  expect(await auditRights(db)).toMatchObject({ mayEdit: false });

  // What changed entries in earlier releases.
  const old = {
    id: randomUUID(),
    agent_id: customer.agent.agentId,
    status: "processed",
    created_at: "2026-03-02T09:15:00.001Z",
  };
  await importSessions(db, jobSenderOf(db), "named:ada", {
    account: customer.account,
    agent: undefined,
    unevaluated: false,
    dryRun: false,
    onProgress: () => {},
    source: {
      name: "old.ndjson",
      canBeReadTwice: true,
      open: async function* () {
        yield Buffer.from(JSON.stringify(old));
      },
    },
  });
  const { rows: stored } = await admin.query("SELECT * FROM audit ORDER BY id");
  await removeAccount(db, "named:ada", customer.account, () => {});
  const { rows: left } = await admin.query("SELECT * FROM audit ORDER BY id");
  expect(left.slice(0, stored.length)).toEqual(stored);
  expect(left.slice(stored.length).map(({ action }) => action)).toEqual([
    "account.close",
    "account.remove",
  ]);
});

loginTest("the server's login hides no entry behind another table", async ({ login }) => {
  const { db, pool, name } = login;
  const note = (actor: string): Promise<void> =>
    transact(db, (trx) => audit(trx, { actor, action: "made", subject: "it" }));
  await note("named:mallory");
  await pool.query("CREATE SCHEMA shade");
  await pool.query(
    "CREATE VIEW shade.audit AS SELECT * FROM public.audit WHERE actor <> 'named:mallory'",
  );
  await pool.query("CREATE RULE quiet AS ON INSERT TO shade.audit DO INSTEAD NOTHING");
  await pool.query(`ALTER ROLE ${name} SET search_path = shade, public`);
  // Those of the pool's connections that are open have the former one.
  await pool.query("SET search_path = shade, public");
  await note("named:mallory");
  const actors = (await listAudit(db, { limit: 10 })).map(({ actor }) => actor);
  expect(actors).toEqual(["named:mallory", "named:mallory"]);
  expect(await auditRights(db)).toMatchObject({ isHidden: true });
});

loginTest("control: with the rights of before, it changes all of them", async ({ login }) => {
  const { db, admin, name } = login;
  await transact(db, (trx) => audit(trx, { actor: "os:ada", action: "made", subject: "it" }));
  await admin.query(`ALTER TABLE audit OWNER TO ${name}`);
  const works = await editsThatWork(login);
  expect(works).toEqual(EDITS.filter((edit) => edit !== "SET ROLE svc_audit"));
  expect(await auditRights(db)).toMatchObject({ mayEdit: true });
});
