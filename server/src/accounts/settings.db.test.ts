import { transact } from "#platform";
import { addCustomer } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { DEFAULT_LIMITS } from "./limits.ts";
import { changeSettings, readSettings, RETENTION_DAYS } from "./settings.ts";
import type { ChangedSetting, SettingsChange } from "./settings.ts";

async function change(
  database: TestDatabase,
  accountId: number,
  settings: SettingsChange,
): Promise<ChangedSetting[]> {
  return transact(database.db, (trx) => changeSettings(trx, "ada", accountId, settings));
}

async function audited(database: TestDatabase): Promise<unknown[]> {
  const { rows } = await database.pool.query<{ detail: unknown }>(
    "SELECT detail FROM audit WHERE action = 'account.set' ORDER BY id",
  );
  return rows.map(({ detail }) => detail);
}

describe("an account's settings", () => {
  databaseTest("start as the service has them", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    expect(await readSettings(database.db, account.id)).toEqual({
      exportMode: "settled_prefix",
      defaultAgentId: null,
      contactEmail: null,
      retentionDays: RETENTION_DAYS.default,
      followUp: false,
      confirmTranscript: true,
      limits: {},
    });
  });

  databaseTest("change one by one, and tell what they were", async ({ database }) => {
    const { account, agent } = await addCustomer(database.db);
    expect(await change(database, account.id, { retentionDays: 90, followUp: true })).toEqual([
      { setting: "retention_days", from: 365, to: 90 },
      { setting: "follow_up", from: false, to: true },
    ]);
    expect(await change(database, account.id, { defaultAgentId: agent.agentId })).toEqual([
      { setting: "default_agent", from: null, to: agent.agentId },
    ]);
    expect(await readSettings(database.db, account.id)).toMatchObject({
      retentionDays: 90,
      followUp: true,
      defaultAgentId: agent.agentId,
    });
    expect(await audited(database)).toEqual([
      { retention_days: { from: 365, to: 90 }, follow_up: { from: false, to: true } },
      { default_agent: { from: null, to: agent.agentId } },
    ]);
  });

  databaseTest("set to what they are change nothing and audit nothing", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    const same = { retentionDays: 365, limits: { at_once_per_agent: 40 } };
    expect(await change(database, account.id, same)).toEqual([]);
    expect(await audited(database)).toEqual([]);
  });

  databaseTest("keep the contact's address out of the audit", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    await change(database, account.id, { contactEmail: "ops@acme.example" });
    await change(database, account.id, { contactEmail: null });
    expect(await audited(database)).toEqual([{ contact: "set" }, { contact: "removed" }]);
  });

  databaseTest("refuse nonsense and stay as they were", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    const other = await addCustomer(database.db, { name: "Other" });
    const nonsense: SettingsChange[] = [
      { retentionDays: 0 },
      { retentionDays: 3_651 },
      { retentionDays: 1.5 },
      { contactEmail: "nobody" },
      { contactEmail: "a@b.example, c@d.example" },
      { limits: { at_once_per_agent: 0 } },
      { limits: { at_once_per_agent: Number.NaN } },
      { limits: { at_once_per_planet: 5 } },
      { limits: { constructor: 5 } },
      { defaultAgentId: "agent_aaaaaaaaaaaaaaaaaaaaaa" },
      { defaultAgentId: other.agent.agentId },
    ];
    for (const settings of nonsense) {
      await expect(
        change(database, account.id, settings),
        JSON.stringify(settings),
      ).rejects.toThrow(/\. .*\. .*\.$/);
    }
    await expect(change(database, 404, { followUp: true })).rejects.toThrow("no account 404");
    expect(await readSettings(database.db, account.id)).toMatchObject({ limits: {} });
    expect(await audited(database)).toEqual([]);
  });

  databaseTest("do not make a session's start wait for them", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    await transact(database.db, async (trx) => {
      await changeSettings(trx, "ada", account.id, { followUp: true });
      // The lock that inserting a session takes on its account.
      await database.pool.query("SELECT FROM accounts WHERE id = $1 FOR KEY SHARE NOWAIT", [
        account.id,
      ]);
    });
  });
});

describe("limits", () => {
  databaseTest("keep only what differs from the defaults", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    const limits = async () => (await readSettings(database.db, account.id)).limits;

    const changed = await change(database, account.id, {
      limits: {
        at_once_per_agent: 200,
        at_once_per_address: "none",
        daily_starts_per_agent: 5_000,
      },
    });
    expect(changed).toEqual([
      { setting: "limits.at_once_per_address", from: 5, to: null },
      { setting: "limits.at_once_per_agent", from: 40, to: 200 },
      { setting: "limits.daily_starts_per_agent", from: 1_000, to: 5_000 },
    ]);
    expect(await limits()).toEqual({
      at_once_per_address: null,
      at_once_per_agent: 200,
      daily_starts_per_agent: 5_000,
    });

    await change(database, account.id, {
      limits: {
        at_once_per_agent: "default",
        daily_starts_per_agent: "default",
        at_once_per_address: DEFAULT_LIMITS.at_once_per_address!,
      },
    });
    expect(await limits()).toEqual({});
  });
});
