import { changeSettings, DEFAULT_LIMITS } from "#accounts";
import { transact } from "#platform";
import { addCustomer } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { addAgentVersion } from "../versions/agent.ts";
import { plainConfig } from "../file/resolve-config.ts";
import { findStartableAgent } from "./startable-agent.ts";

describe("the agent that a page names", () => {
  databaseTest(
    "is found by its id, in its newest version, with the account's limits",
    async ({ database: { db } }) => {
      const { account, agent } = await addCustomer(db);
      await transact(db, async (trx) => {
        await addAgentVersion(trx, "ada", account.id, agent.agentId, plainConfig("Second"));
        await changeSettings(trx, "ada", account.id, {
          limits: { at_once_per_agent: 3, at_once_per_address: "none" },
        });
      });
      expect(await findStartableAgent(db, agent.agentId)).toEqual({
        agentId: agent.agentId,
        accountId: account.id,
        version: 2,
        state: "live",
        config: plainConfig("Second"),
        accountLimits: { ...DEFAULT_LIMITS, at_once_per_agent: 3, at_once_per_address: null },
      });
    },
  );

  databaseTest(
    "is the account's default agent behind a client id",
    async ({ database: { db } }) => {
      const { account, agent } = await addCustomer(db);
      expect(await findStartableAgent(db, account.clientId)).toBeUndefined();
      await transact(db, (trx) =>
        changeSettings(trx, "ada", account.id, { defaultAgentId: agent.agentId }),
      );
      expect(await findStartableAgent(db, account.clientId)).toMatchObject(agent);
    },
  );

  // A11
  databaseTest("is nobody under a name that nobody has", async ({ database: { db } }) => {
    for (const name of ["", "agent_", "agent_aa", "client_aa", "\0", "none", "agent_\u{1F600}"])
      expect(await findStartableAgent(db, name)).toBeUndefined();
  });
});
