import { transact } from "#platform";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import type { Account } from "./account.ts";
import { addAccount, findAccount, listAccounts } from "./accounts.ts";
import { listAudit } from "./audit.ts";
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
