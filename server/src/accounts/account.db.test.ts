import { isWellFormedToken, transact } from "#platform";
import { addCustomer } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { addAccount, findAccount, listAccounts } from "./account.ts";
import { listAudit } from "./audit.ts";
import { changeSettings } from "./settings.ts";
import type { Account } from "./store.ts";
import { issueToken, listTokens, revokeToken } from "./tokens.ts";

async function add(database: TestDatabase, name: string): Promise<Account> {
  return transact(database.db, (trx) => addAccount(trx, "ada", "aa", name));
}

describe("an account", () => {
  databaseTest(
    "is found by client id, number, whole name or the start of it",
    async ({ database }) => {
      const acme = await add(database, "Acme");
      const robotics = await add(database, "Acme Robotics");
      const percent = await add(database, "100% Digital");
      const found = async (text: string) => (await findAccount(database.db, text)).name;
      expect(await found(acme.clientId)).toBe("Acme");
      expect(await found(String(robotics.id))).toBe("Acme Robotics");
      expect(await found("acme")).toBe("Acme");
      expect(await found(" ACME R ")).toBe("Acme Robotics");
      expect(await found("100%")).toBe(percent.name);
    },
  );

  databaseTest("is not found by something that fits several, or none", async ({ database }) => {
    for (const name of ["Acme East", "Acme West", "Double", "Double"]) await add(database, name);
    await expect(findAccount(database.db, "acme")).rejects.toMatchObject({
      code: "conflict",
      why: expect.stringMatching(/^It could be Acme East \(client_aa.*, Acme West \(client_aa/),
    });
    await expect(findAccount(database.db, "double")).rejects.toMatchObject({ code: "conflict" });
    for (const text of ["", "  ", "zz", "%", "_cme", "999999999", "99999999999999999999"]) {
      await expect(findAccount(database.db, text), text).rejects.toMatchObject({
        code: "not_found",
      });
    }
  });

  databaseTest("names at most four of many that fit", async ({ database }) => {
    for (let i = 0; i < 7; i++) await add(database, `Same ${i}`);
    await expect(findAccount(database.db, "same")).rejects.toMatchObject({
      why: expect.stringMatching(/Same 3 \([^)]+\), and more\.$/),
    });
  });

  databaseTest("has a name on one line, and the audit its actor", async ({ database }) => {
    expect((await add(database, "  Acme  ")).name).toBe("Acme");
    for (const name of ["", "   ", "a\nb", "\u0000", "x".repeat(201), "\ud800"]) {
      await expect(add(database, name), JSON.stringify(name)).rejects.toMatchObject({
        code: "invalid_input",
      });
    }
    expect(await listAccounts(database.db)).toMatchObject([{ name: "Acme", workingTokens: 0 }]);
  });
});

describe("tokens", () => {
  databaseTest(
    "are listed with their state, and only the working ones counted",
    async ({ database }) => {
      const { id } = await add(database, "Acme");
      const issue = (label: string) =>
        transact(database.db, (trx) => issueToken(trx, "ada", "aa", id, label));
      const first = await issue(" warehouse ");
      await issue("ci");
      expect(await transact(database.db, (trx) => revokeToken(trx, "ada", first.id))).toEqual({
        accountId: id,
        label: "warehouse",
      });
      expect(await listTokens(database.db, id)).toMatchObject([
        { id: first.id, label: "warehouse", revokedAt: expect.any(Date) },
        { label: "ci", revokedAt: null },
      ]);
      expect(await listAccounts(database.db)).toMatchObject([{ workingTokens: 1 }]);
      await expect(issue("two\nlines")).rejects.toMatchObject({ code: "invalid_input" });
    },
  );
});

describe("the audit's list", () => {
  databaseTest("is newest first, by account, time and number", async ({ database }) => {
    const acme = await add(database, "Acme");
    const other = await add(database, "Other");
    await transact(database.db, (trx) => issueToken(trx, "ben", "aa", acme.id, "ci"));
    const all = await listAudit(database.db, { limit: 10 });
    expect(all.map(({ actor, action, accountName }) => [actor, action, accountName])).toEqual([
      ["ben", "token.issue", "Acme"],
      ["ada", "account.add", "Other"],
      ["ada", "account.add", "Acme"],
    ]);
    expect(await listAudit(database.db, { limit: 1 })).toEqual(all.slice(0, 1));
    expect(await listAudit(database.db, { accountId: other.id, limit: 10 })).toEqual([all[1]]);
    const since = new Date(all[0]!.at.getTime() + 1);
    expect(await listAudit(database.db, { since, limit: 10 })).toEqual([]);
  });
});

async function audited(database: TestDatabase): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    "SELECT actor, action, account_id, subject, detail FROM audit ORDER BY id",
  );
  return rows;
}

describe("an account", () => {
  databaseTest("starts with the settled prefix and a clock of its own", async ({ database }) => {
    const account = await transact(database.db, (trx) =>
      addAccount(trx, "ada", "b2", "Example Ltd"),
    );
    expect(account).toEqual({
      id: account.id,
      clientId: expect.stringMatching(/^client_b2/),
      name: "Example Ltd",
      exportMode: "settled_prefix",
    });
    const { rows } = await database.pool.query(
      "SELECT last_at <= clock_timestamp() AS past, last_at > now() - interval '1 minute' AS recent FROM account_clocks",
    );
    expect(rows).toEqual([{ past: true, recent: true }]);
  });

  databaseTest("cannot be changed when there is none", async ({ database }) => {
    const work = transact(database.db, (trx) =>
      changeSettings(trx, "ada", 404, { exportMode: "as_available" }),
    );
    await expect(work).rejects.toMatchObject({ code: "not_found" });
    expect(await audited(database)).toEqual([]);
  });
});

describe("a token", () => {
  // A12
  databaseTest(
    "is stored nowhere: no text of the database holds it, or its random part",
    async ({ database }) => {
      const { token } = await addCustomer(database.db);
      expect(isWellFormedToken(token)).toBe(true);
      const { rows: columns } = await database.pool.query<{ table: string; column: string }>(
        `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns AS c
       JOIN information_schema.tables AS t USING (table_schema, table_name)
       WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'`,
      );
      expect(columns).toContainEqual({ table: "tokens", column: "hash" });
      for (const { table, column } of columns) {
        const { rows } = await database.pool.query(
          `SELECT 1 FROM ${table} WHERE position($1 IN "${column}"::text) > 0 OR position($2 IN "${column}"::text) > 0`,
          [token.slice(6, -6), Buffer.from(token).toString("hex")],
        );
        expect(rows, `${table}.${column}`).toEqual([]);
      }
    },
  );

  databaseTest("cannot be revoked twice", async ({ database }) => {
    const { tokenId } = await addCustomer(database.db);
    const revoke = () => transact(database.db, (trx) => revokeToken(trx, "ada", tokenId));
    await revoke();
    await expect(revoke()).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the audit", () => {
  databaseTest("tells who changed what, and never a secret", async ({ database }) => {
    const { account, issued } = await transact(database.db, async (trx) => {
      const added = await addAccount(trx, "ada", "aa", "Example Ltd");
      return { account: added, issued: await issueToken(trx, "ben", "aa", added.id, "warehouse") };
    });
    await transact(database.db, (trx) =>
      changeSettings(trx, "cleo", account.id, { exportMode: "as_available" }),
    );
    await transact(database.db, (trx) => revokeToken(trx, "dan", issued.id));
    const entries = await audited(database);
    const of = { account_id: account.id };
    expect(entries).toEqual([
      { ...of, actor: "ada", action: "account.add", subject: account.clientId, detail: {} },
      {
        ...of,
        actor: "ben",
        action: "token.issue",
        subject: String(issued.id),
        detail: { label: "warehouse" },
      },
      {
        ...of,
        actor: "cleo",
        action: "account.set",
        subject: account.clientId,
        detail: { export_mode: { from: "settled_prefix", to: "as_available" } },
      },
      { ...of, actor: "dan", action: "token.revoke", subject: String(issued.id), detail: {} },
    ]);
    expect(JSON.stringify(entries)).not.toContain(issued.token);
  });

  databaseTest("is written with the change or not at all", async ({ database }) => {
    const undone = transact(database.db, async (trx) => {
      const { id } = await addAccount(trx, "ada", "aa", "Example Ltd");
      await issueToken(trx, "ada", "aa", id, "warehouse");
      throw new Error("changed my mind");
    });
    await expect(undone).rejects.toThrow("changed my mind");
    for (const table of ["accounts", "account_clocks", "tokens", "audit"]) {
      expect((await database.pool.query(`SELECT 1 FROM ${table}`)).rowCount, table).toBe(0);
    }
  });
});
