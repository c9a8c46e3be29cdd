import { createSecrets, transact } from "#platform";
import type { Secrets } from "#platform";
import { addCustomer, testSecrets } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import {
  activateSecret,
  cancelStagedSecret,
  openForTest,
  resealSecrets,
  rotateSecretNow,
  secretsThatDoNotOpen,
  stageSecret,
} from "./endpoint-secret.ts";
import { addEndpoint, findEndpoint, removeEndpoint } from "./endpoint.ts";

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

const stage = ({ db }: TestDatabase, id: string): Promise<{ secret: string }> =>
  transact(db, (trx) => stageSecret(trx, "ada", testSecrets, id));
const activate = (
  { db }: TestDatabase,
  id: string,
  secrets = testSecrets,
): Promise<{ previousUntil: Date | null }> =>
  transact(db, (trx) => activateSecret(trx, "ada", secrets, id));
const rotateNow = (
  { db }: TestDatabase,
  id: string,
  secrets = testSecrets,
): Promise<{ secret: string; previousUntil: Date | null }> =>
  transact(db, (trx) => rotateSecretNow(trx, "ada", secrets, id));

describe("a secret that is rotated", () => {
  databaseTest(
    "signs second while it is staged, and first once activated",
    async ({ database }) => {
      const { db, pool } = database;
      const { id, secret: old } = await add(database);
      const { secret } = await stage(database, id);
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
      expect(secret).not.toBe(old);
      expect(await opened(database, id)).toEqual([old, secret]);
      const { stagedAt } = await findEndpoint(db, id);
      expect(Math.abs(stagedAt!.getTime() - Date.now())).toBeLessThan(60_000);

      const { previousUntil } = await activate(database, id);
      expect(await opened(database, id)).toEqual([secret, old]);
      expect((previousUntil!.getTime() - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
      expect(await findEndpoint(db, id)).toMatchObject({ stagedAt: null, previousUntil });
      await pool.query("UPDATE webhook_endpoints SET previous_until = now() - interval '1 s'");
      expect(await opened(database, id)).toEqual([secret]);
      const entries = [
        ...(await audited(database, "webhook.rotate")),
        ...(await audited(database, "webhook.activate")),
      ];
      expect(JSON.stringify(entries)).not.toContain(secret);
      expect(entries).toMatchObject([{ subject: id }, { subject: id }]);
    },
  );

  databaseTest("is staged once, and its staging can be cancelled", async ({ database }) => {
    const { db } = database;
    const { id, secret } = await add(database);
    const cancel = (): Promise<void> => transact(db, (trx) => cancelStagedSecret(trx, "ada", id));
    for (const nothing of [cancel, () => activate(database, id)]) {
      await expect(nothing()).rejects.toMatchObject({ code: "conflict" });
    }
    await stage(database, id);
    await expect(stage(database, id)).rejects.toMatchObject({ code: "conflict" });
    await cancel();
    expect(await opened(database, id)).toEqual([secret]);
    expect(await audited(database, "webhook.cancel_rotation")).toHaveLength(1);
    expect(await stage(database, id)).toMatchObject({ secret: expect.any(String) });
  });

  databaseTest("at once signs at once, and forgets a staged one", async ({ database }) => {
    const { id, secret: old } = await add(database);
    await stage(database, id);
    const { secret } = await rotateNow(database, id);
    expect(await opened(database, id)).toEqual([secret, old]);
  });

  databaseTest("after its key was lost does not keep the old one", async ({ database }) => {
    const { id } = await add(database, secretsUnder("lost"));
    const { secret, previousUntil } = await rotateNow(database, id);
    expect(previousUntil).toBeNull();
    expect(await opened(database, id)).toEqual([secret]);
  });

  databaseTest("can be tried before it is activated", async ({ database }) => {
    const { db } = database;
    const { id, secret: old } = await add(database);
    const asActivated = (): Promise<{ secrets: string[] }> =>
      transact(db, (trx) => openForTest(trx, "ada", testSecrets, id, true));
    await expect(asActivated()).rejects.toMatchObject({ code: "conflict" });
    const { secret } = await stage(database, id);
    expect((await asActivated()).secrets).toEqual([secret, old]);
  });

  databaseTest("is still signed with by the release before", async ({ database }) => {
    const { pool } = database;
    const { id, secret } = await add(database);
    await stage(database, id);
    // What the release before reads and writes.
    const { rows } = await pool.query<{ secret: string }>(
      "SELECT secret, CASE WHEN previous_until > clock_timestamp() THEN previous_secret END AS previous FROM webhook_endpoints",
    );
    const place = `webhook_endpoints.secret ${id}`;
    expect(testSecrets.open(rows[0]!.secret, place)).toBe(secret);
    await pool.query(
      "UPDATE webhook_endpoints SET secret = $1, previous_secret = secret, previous_until = now() + interval '1 day'",
      [testSecrets.seal("whsec_next", place)],
    );
    expect((await opened(database, id))[0]).toBe("whsec_next");
  });
});

describe("sealing under a newer key", () => {
  // A12: the drill
  databaseTest("lets the old key be thrown away", async ({ database }) => {
    const { db } = database;
    const { id, secret } = await add(database, secretsUnder("old"));
    const { secret: newest } = await rotateNow(database, id, secretsUnder("old"));
    const { secret: staged } = await transact(db, (trx) =>
      stageSecret(trx, "ada", secretsUnder("old"), id),
    );
    const reseal = (secrets: Secrets): Promise<{ resealed: number; total: number }> =>
      transact(db, (trx) => resealSecrets(trx, "ada", secrets));
    await expect(reseal(secretsUnder("new"))).rejects.toMatchObject({ code: "unavailable" });
    expect(await reseal(secretsUnder("new", "old"))).toEqual({ resealed: 1, total: 1 });
    expect(await opened(database, id, secretsUnder("new"))).toEqual([newest, staged, secret]);
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
