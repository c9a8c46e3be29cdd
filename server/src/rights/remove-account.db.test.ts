import { changeSettings, findAccount, makeConsoleLink } from "#accounts";
import { EXAMPLE_AGENT, findAgent, mintPreviewToken } from "#agents";
import { FunnelCounter } from "#engagement";
import { createLog, transact } from "#platform";
import { digestDue } from "#sessions";
import {
  addCustomer,
  addReceiver,
  applyFolder,
  playEvaluated,
  playSession,
  start,
  tracesOf,
} from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { accountHoldings, removeAccount } from "./remove-account.ts";
import { createRights } from "./rights.ts";

const log = createLog("silent");

/** An account with a row in every table that can name it. */
async function fullAccount({ db, pool }: TestDatabase, name: string): Promise<Customer> {
  const customer = await addCustomer(db, { name });
  const { account, agent } = customer;
  await applyFolder(db, account.id, EXAMPLE_AGENT);
  await addReceiver(db, customer, "https://hooks.example/svc");
  const timed = await playEvaluated(db, customer);
  await pool.query(
    `INSERT INTO session_events (session_at, session_id, seq, at, kind, detail) VALUES ($1, $2, 1000, now(), 'reply', '{"answer_ms": 800}')`,
    [timed.createdAt, timed.id],
  );
  await playEvaluated(db, customer, {
    metadata: { email: `ada@${name}.example` },
    emailVerified: true,
  });
  const gone = await playSession(db, customer);
  await createRights({ db, log }).eraseSession({ sessionId: gone.id, askedBy: "operator:ada" });
  const going = await start(db, customer);
  await transact(db, async (trx) => {
    await changeSettings(trx, "ada", account.id, { defaultAgentId: agent.agentId });
    const token = { label: "preview", expiresInSecs: 60 };
    await mintPreviewToken(trx, "ada", "aa", await findAgent(trx, agent.agentId), token);
    await makeConsoleLink(trx, "ada", { name, role: "viewer", accounts: [account.id] });
  });
  await digestDue(db);
  const funnel = new FunnelCounter({ db, log });
  funnel.count({ agent_id: agent.agentId, event: "opened", entry: "hero" }, "https://a.example");
  await funnel.write();
  const mark = Buffer.alloc(32, account.id);
  await pool.query(
    `INSERT INTO mail_suppressions (account_id, address_mark, source) VALUES ($1, $2, 'operator')`,
    [account.id, mark],
  );
  await pool.query(
    `INSERT INTO follow_ups (session_id, account_id, address_mark, due_at, give_up_at, created_at) VALUES ($1, $2, $3, now(), now(), now())`,
    [going.id, account.id, mark],
  );
  await pool.query(
    `INSERT INTO visits (session_id, account_id, agent_id, start_key, request_sha256, address) VALUES ($1, $2, $3, gen_random_uuid(), '', '192.0.2.1')`,
    [going.id, account.id, agent.agentId],
  );
  await pool.query("INSERT INTO erased_mails VALUES ($1, $2, NULL, now())", [
    account.id,
    Buffer.alloc(32),
  ]);
  await pool.query("INSERT INTO agent_days (agent_id, day, starts) VALUES ($1, now(), 1)", [
    agent.agentId,
  ]);
  return customer;
}

/** The number of rows in each table that name the account, one of its agents or of its receivers. */
async function rowsOf(
  { pool }: TestDatabase,
  { account }: Customer,
  ids: { agents: string[]; receivers: string[] },
): Promise<Map<string, number>> {
  const { rows: columns } = await pool.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> 'audit'
       AND column_name IN ('account_id', 'agent_id', 'endpoint_id') ORDER BY 1, 2`,
  );
  const values: Record<string, (string | number)[]> = {
    account_id: [account.id],
    agent_id: ids.agents,
    endpoint_id: ids.receivers,
  };
  const counts = new Map<string, number>();
  for (const { table, column } of columns) {
    const { rows } = await pool.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM ${table} WHERE ${column} = ANY ($1)`,
      [values[column]],
    );
    counts.set(`${table}.${column}`, rows[0]!.n);
  }
  return counts;
}

async function idsOf({ pool }: TestDatabase, { account }: Customer) {
  const of = async (table: string): Promise<string[]> =>
    (
      await pool.query<{ id: string }>(`SELECT id FROM ${table} WHERE account_id = $1`, [
        account.id,
      ])
    ).rows.map(({ id }) => id);
  return { agents: await of("agents"), receivers: await of("webhook_endpoints") };
}

describe("a removed account", () => {
  databaseTest(
    "leaves nothing but one entry that says how much there was",
    async ({ database }) => {
      const { db, pool } = database;
      const acme = await fullAccount(database, "acme");
      const globex = await fullAccount(database, "globex");
      const [ids, others] = [await idsOf(database, acme), await idsOf(database, globex)];
      const before = await rowsOf(database, acme, ids);
      // A table in which nothing stands would not show that its rows go.
      expect([...before].filter(([, count]) => count === 0)).toEqual([]);
      const kept = await rowsOf(database, globex, others);

      const told: number[] = [];
      await removeAccount(db, "ada", acme.account, (done) => told.push(done));
      expect(told).toEqual([3]);
      const after = await rowsOf(database, acme, ids);
      expect([...after].filter(([, count]) => count > 0)).toEqual([]);
      await expect(findAccount(db, acme.account.clientId)).rejects.toMatchObject({
        code: "not_found",
      });
      expect(await tracesOf(database, "ada@acme.example")).toEqual([]);
      expect(await tracesOf(database, acme.account.clientId)).toEqual(["public.audit"]);
      const { rows } = await pool.query(
        "SELECT actor, account_id, detail FROM audit WHERE action = 'account.remove'",
      );
      const detail = { agents: 2, sessions: 3, tokens: 1, receivers: 1 };
      expect(rows).toEqual([{ actor: "ada", account_id: null, detail }]);

      // The other account has the same files, and all of its own.
      expect(await rowsOf(database, globex, others)).toEqual(kept);
      const files = async (): Promise<number> =>
        (await pool.query("SELECT FROM agent_files")).rowCount!;
      expect(await files()).toBeGreaterThan(0);
      await removeAccount(db, "ada", globex.account, () => {});
      expect(await files()).toBe(0);
    },
  );

  databaseTest("is closed first, and goes on where it was interrupted", async ({ database }) => {
    const { db, pool } = database;
    const customer = await fullAccount(database, "acme");
    await pool.query("ALTER TABLE funnel_steps RENAME TO away");
    await expect(removeAccount(db, "ada", customer.account, () => {})).rejects.toThrow(
      "funnel_steps",
    );
    const { rows: doors } = await pool.query(
      `SELECT (SELECT bool_and(revoked_at IS NOT NULL) FROM tokens) AS tokens,
        (SELECT bool_and(removed_at IS NOT NULL) FROM agents) AS agents,
        (SELECT bool_and(state = 'removed') FROM webhook_endpoints) AS receivers`,
    );
    expect(doors).toEqual([{ tokens: true, agents: true, receivers: true }]);
    expect(await accountHoldings(db, customer.account.id)).toMatchObject({
      agents: 2,
      sessions: 0,
    });
    await pool.query("ALTER TABLE away RENAME TO funnel_steps");
    await removeAccount(db, "ben", customer.account, () => {});
    // The entry tells what there was at first, not what the second run found.
    const { rows } = await pool.query(
      "SELECT actor, detail -> 'sessions' AS sessions FROM audit WHERE action = 'account.remove'",
    );
    expect(rows).toEqual([{ actor: "ben", sessions: 3 }]);
  });

  databaseTest("waits for a session that is being started", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    const starting = await pool.connect();
    await starting.query("BEGIN");
    await starting.query(
      `INSERT INTO sessions (id, account_id, agent_id, agent_version, test, created_at, connect_by, metadata)
       VALUES (gen_random_uuid(), $1, $2, 1, false, date_trunc('second', now()) + interval '1 millisecond', now(), '{}')`,
      [customer.account.id, customer.agent.agentId],
    );
    const removal = removeAccount(db, "ada", customer.account, () => {});
    await new Promise((resume) => setTimeout(resume, 300));
    await starting.query("COMMIT");
    starting.release();
    await removal;
    expect((await pool.query("SELECT FROM accounts")).rowCount).toBe(0);
    expect((await pool.query("SELECT FROM sessions")).rowCount).toBe(0);
  });
});
