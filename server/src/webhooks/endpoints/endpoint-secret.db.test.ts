import { createSecrets, transact } from "#platform";
import type { Secrets } from "#platform";
import { addCustomer, testSecrets } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import {
  openForTest,
  resealSecrets,
  rotateSecret,
  secretsThatDoNotOpen,
} from "./endpoint-secret.ts";
import { addEndpoint, removeEndpoint } from "./endpoint.ts";

const HOOK = "https://crm.example.com/svc";

async function add(
  { db }: TestDatabase,
  secrets: Secrets = testSecrets,
): Promise<{ id: string; secret: string }> {
  const { account } = await addCustomer(db);
  const which = { accountId: account.id, url: HOOK, agentIds: null };
  const endpoint = { ...which, replayExhausted: false, rules: {} };
  return transact(db, (trx) => addEndpoint(trx, "ada", "aa", secrets, endpoint));
}

/** The first key seals. */
const secretsUnder = (...ids: [string, ...string[]]): Secrets => {
  const [first, ...older] = ids.map((id) => ({ id, key: Buffer.alloc(32, id) }));
  return createSecrets([first!, ...older]);
};

const opened = async ({ db }: TestDatabase, id: string, secrets = testSecrets): Promise<string[]> =>
  (await transact(db, (trx) => openForTest(trx, "ada", secrets, id))).secrets;

const audited = async ({ pool }: TestDatabase, action: string): Promise<unknown[]> => {
  const { rows } = await pool.query("SELECT subject, detail FROM audit WHERE action = $1", [
    action,
  ]);
  return rows;
};

describe("a secret that is rotated", () => {
  databaseTest("is signed with beside the old one for a day", async ({ database }) => {
    const { db, pool } = database;
    const { id, secret: old } = await add(database);
    const { secret, previousUntil } = await transact(db, (trx) =>
      rotateSecret(trx, "ada", testSecrets, id),
    );
    expect(secret).not.toBe(old);
    expect(await opened(database, id)).toEqual([secret, old]);
    const hours = (previousUntil.getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
    await pool.query("UPDATE webhook_endpoints SET previous_until = now() - interval '1 s'");
    expect(await opened(database, id)).toEqual([secret]);
    const entries = await audited(database, "webhook.rotate");
    expect(JSON.stringify(entries)).not.toContain(secret);
    expect(entries).toMatchObject([{ subject: id }]);
  });
});

describe("sealing under a newer key", () => {
  // A12: the drill
  databaseTest("lets the old key be thrown away", async ({ database }) => {
    const { db } = database;
    const { id, secret } = await add(database, secretsUnder("old"));
    const { secret: newest } = await transact(db, (trx) =>
      rotateSecret(trx, "ada", secretsUnder("old"), id),
    );
    const reseal = (secrets: Secrets): Promise<{ resealed: number; total: number }> =>
      transact(db, (trx) => resealSecrets(trx, "ada", secrets));
    await expect(reseal(secretsUnder("new"))).rejects.toMatchObject({ code: "unavailable" });
    expect(await reseal(secretsUnder("new", "old"))).toEqual({ resealed: 1, total: 1 });
    expect(await opened(database, id, secretsUnder("new"))).toEqual([newest, secret]);
    expect(await reseal(secretsUnder("new"))).toEqual({ resealed: 0, total: 1 });
    expect(await audited(database, "webhook.reseal")).toMatchObject([{ detail: { resealed: 1 } }]);
  });
});

// A12
databaseTest(
  "a key that is added last, then put first, never hides a secret",
  async ({ database }) => {
    const { db } = database;
    const steps = [secretsUnder("old"), secretsUnder("old", "new"), secretsUnder("new", "old")];
    await add(database, steps[0]);
    for (const [index, step] of steps.entries()) {
      await add(database, step);
      await transact(db, (trx) => resealSecrets(trx, "ada", step));
      // Some processes have not been restarted yet.
      expect(await secretsThatDoNotOpen(db, steps[index - 1] ?? step)).toEqual([]);
    }
    // The control: put first at once.
    expect(await secretsThatDoNotOpen(db, secretsUnder("old"))).toHaveLength(4);
  },
);

// A12
describe("secrets that do not open", () => {
  databaseTest("are named with their endpoint and the missing key", async ({ database }) => {
    const { db } = database;
    const first = await add(database, secretsUnder("k1"));
    await add(database, secretsUnder("k2"));
    const gone = await add(database, secretsUnder("k1"));
    await transact(db, (trx) => removeEndpoint(trx, "ada", gone.id));
    expect(await secretsThatDoNotOpen(db, secretsUnder("k2", "k1"))).toEqual([]);
    expect(await secretsThatDoNotOpen(db, secretsUnder("k2"))).toEqual([
      { endpointId: first.id, url: HOOK, why: expect.stringContaining("The key k1,") },
    ]);
  });

  databaseTest("include one that was sealed for another row", async ({ database }) => {
    const { db, pool } = database;
    const [first, second] = [await add(database), await add(database)];
    await pool.query(
      "UPDATE webhook_endpoints SET secret = (SELECT secret FROM webhook_endpoints WHERE id = $1) WHERE id = $2",
      [first.id, second.id],
    );
    expect(await secretsThatDoNotOpen(db, testSecrets)).toMatchObject([{ endpointId: second.id }]);
  });
});
