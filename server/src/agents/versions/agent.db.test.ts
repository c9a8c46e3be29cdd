import { transact } from "#platform";
import { addCustomer } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { plainConfig } from "../file/resolve-config.ts";
import { addAgent, addAgentVersion } from "./agent.ts";

describe("an agent", () => {
  databaseTest(
    "has an opaque id that names its cell, and a first version",
    async ({ database }) => {
      const { account } = await addCustomer(database.db);
      const agent = await transact(database.db, (trx) =>
        addAgent(trx, "ada", "b2", account.id, "sales", plainConfig("Sales")),
      );
      expect(agent).toEqual({
        agentId: expect.stringMatching(/^agent_b2[a-z2-7]{20}$/),
        version: 1,
      });
    },
  );

  databaseTest("is one of its kind in its account", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    const again = transact(database.db, (trx) =>
      addAgent(trx, "ada", "aa", account.id, "guide", plainConfig("Guide")),
    );
    await expect(again).rejects.toMatchObject({ code: "conflict" });
  });

  databaseTest(
    "gets versions numbered one after another, however many are written at once",
    async ({ database }) => {
      const { account, agent } = await addCustomer(database.db);
      const written = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          transact(database.db, (trx) =>
            addAgentVersion(trx, "ada", account.id, agent.agentId, plainConfig(`Guide ${n}`)),
          ),
        ),
      );
      expect(written.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual([
        2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
      ]);
    },
  );

  databaseTest(
    "gets no version from another account, or when there is none",
    async ({ database }) => {
      const [a, b] = [await addCustomer(database.db), await addCustomer(database.db)];
      for (const agentId of [b.agent.agentId, "agent_aa00000000000000000000"]) {
        const work = transact(database.db, (trx) =>
          addAgentVersion(trx, "ada", a.account.id, agentId, plainConfig("Guide")),
        );
        await expect(work).rejects.toMatchObject({ code: "not_found" });
      }
    },
  );

  databaseTest("has versions that never change: the database refuses it", async ({ database }) => {
    const { agent } = await addCustomer(database.db);
    for (const change of ["config = '{}'", "version = 7", "created_at = now()"]) {
      const update = database.pool.query(
        `UPDATE agent_versions SET ${change} WHERE agent_id = $1`,
        [agent.agentId],
      );
      await expect(update).rejects.toMatchObject({
        code: "23001",
        message: expect.stringContaining("never change"),
      });
    }
    const { rows } = await database.pool.query(
      "SELECT version, config FROM agent_versions WHERE agent_id = $1",
      [agent.agentId],
    );
    expect(rows).toEqual([{ version: 1, config: plainConfig("Guide") }]);
  });

  databaseTest("leaves an audit entry for itself and for each version", async ({ database }) => {
    const { account, agent } = await addCustomer(database.db);
    await transact(database.db, (trx) =>
      addAgentVersion(trx, "ben", account.id, agent.agentId, plainConfig("Guide")),
    );
    const { rows } = await database.pool.query(
      "SELECT actor, action, detail FROM audit WHERE subject = $1 ORDER BY id",
      [agent.agentId],
    );
    expect(rows).toEqual([
      { actor: "test", action: "agent.add", detail: { slug: "guide" } },
      { actor: "test", action: "agent.version", detail: { version: 1 } },
      { actor: "ben", action: "agent.version", detail: { version: 2 } },
    ]);
  });
});
