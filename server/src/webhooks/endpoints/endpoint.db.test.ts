import { transact } from "#platform";
import type { TargetRules } from "#platform";
import { addCustomer, addReceiver, playEvaluated, testSecrets } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { openForTest } from "./endpoint-secret.ts";
import {
  addEndpoint,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  setEndpointState,
} from "./endpoint.ts";

const HOOK = "https://crm.example.com/svc";

async function add(
  { db }: TestDatabase,
  { account }: Customer,
  url: string,
  rules: TargetRules = {},
): Promise<{ id: string; url: string; secret: string }> {
  const options = { accountId: account.id, url, agentIds: null, replayExhausted: false, rules };
  return transact(db, (trx) => addEndpoint(trx, "ada", "aa", testSecrets, options));
}

const audited = async ({ pool }: TestDatabase, action: string): Promise<unknown[]> => {
  const { rows } = await pool.query(
    "SELECT actor, account_id, subject, detail FROM audit WHERE action = $1",
    [action],
  );
  return rows;
};

describe("registering a receiver", () => {
  databaseTest("gives it a secret, which is stored sealed only", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const { id, secret } = await add(database, customer, `${HOOK}#top`);
    expect(id).toMatch(/^hook_aa[a-z2-7]{20}$/);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    const endpoint = await findEndpoint(database.db, id);
    expect(endpoint).toMatchObject({ url: HOOK, state: "live", agentIds: null });
    // A12
    const { rows } = await database.pool.query("SELECT t::text FROM webhook_endpoints AS t");
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
    const { secrets } = await transact(database.db, (trx) =>
      openForTest(trx, "ada", testSecrets, id),
    );
    expect(secrets).toEqual([secret]);
    expect(await audited(database, "webhook.add")).toEqual([
      {
        actor: "ada",
        account_id: customer.account.id,
        subject: id,
        detail: { host: "crm.example.com" },
      },
    ]);
  });

  // W12, S11
  databaseTest("refuses addresses that nothing may be sent to", async ({ database }) => {
    const customer = await addCustomer(database.db);
    for (const url of [
      "crm.example.com",
      "http://crm.example.com",
      "https://ada:secret@crm.example.com",
      "https://127.0.0.1/",
      "https://localhost./",
      "https://169.254.169.254/",
      `https://crm.example.com/${"x".repeat(8_192)}`,
    ]) {
      await expect(add(database, customer, url), url).rejects.toMatchObject({
        code: "invalid_input",
      });
    }
    expect(await listEndpoints(database.db)).toEqual([]);
    const local = await add(database, customer, "http://localhost:8080/hook", {
      allowPlainHttp: true,
      allowPrivate: true,
    });
    expect(local.url).toBe("http://localhost:8080/hook");
  });

  databaseTest("lists an account's own, removed ones left out", async ({ database }) => {
    const { db } = database;
    const [acme, other] = [await addCustomer(db), await addCustomer(db)];
    const first = await add(database, acme, `${HOOK}/1`);
    const second = await add(database, acme, `${HOOK}/2`);
    await add(database, other, HOOK);
    await transact(db, (trx) => removeEndpoint(trx, "ada", first.id));
    const theirs = await listEndpoints(db, acme.account.id);
    expect(theirs.map(({ id }) => id)).toEqual([second.id]);
    expect(await listEndpoints(db)).toHaveLength(2);
    expect(await findEndpoint(db, first.id)).toMatchObject({ state: "removed" });
  });
});

databaseTest("pauses and resumes, and writes only what changed", async ({ database }) => {
  const { db } = database;
  const { id } = await add(database, await addCustomer(db), HOOK);
  const set = (state: "live" | "paused"): Promise<{ changed: boolean }> =>
    transact(db, (trx) => setEndpointState(trx, "ada", id, state));
  expect(await set("paused")).toEqual({ changed: true });
  expect(await set("paused")).toEqual({ changed: false });
  expect(await findEndpoint(db, id)).toMatchObject({ state: "paused" });
  expect(await set("live")).toEqual({ changed: true });
  expect(await audited(database, "webhook.pause")).toHaveLength(1);
  expect(await audited(database, "webhook.resume")).toHaveLength(1);
});

describe("removing a receiver", () => {
  databaseTest("cancels what waits for it, and nothing else", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    const [gone, stays] = [
      await addReceiver(db, customer, `${HOOK}/1`),
      await addReceiver(db, customer, `${HOOK}/2`),
    ];
    await playEvaluated(db, customer);
    await playEvaluated(db, customer);
    expect(await transact(db, (trx) => removeEndpoint(trx, "ada", gone.id))).toEqual({
      cancelled: 2,
    });
    await playEvaluated(db, customer);
    const { rows } = await pool.query(
      "SELECT endpoint_id, state, count(*)::integer AS count FROM deliveries GROUP BY 1, 2 ORDER BY count",
    );
    expect(rows).toEqual([
      { endpoint_id: gone.id, state: "cancelled", count: 2 },
      { endpoint_id: stays.id, state: "waiting", count: 3 },
    ]);
    await expect(transact(db, (trx) => removeEndpoint(trx, "ada", gone.id))).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await audited(database, "webhook.remove")).toMatchObject([{ detail: { cancelled: 2 } }]);
  });

  databaseTest("leaves nothing waiting that is written meanwhile", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    const { id } = await addReceiver(db, customer, HOOK);
    await playEvaluated(db, customer);
    // Holds the endpoint until the evaluations are under way.
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const removing = transact(db, async (trx) => {
      await removeEndpoint(trx, "ada", id);
      await held;
    });
    const evaluating = [playEvaluated(db, customer), playEvaluated(db, customer)];
    await new Promise((resolve) => setTimeout(resolve, 300));
    release();
    await Promise.all([removing, ...evaluating]);
    const { rows } = await pool.query("SELECT DISTINCT state FROM deliveries");
    expect(rows).toEqual([{ state: "cancelled" }]);
  });
});
