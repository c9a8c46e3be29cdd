import { changeSettings } from "#accounts";
import { createLog, transact } from "#platform";
import { addCustomer } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { FunnelCounter } from "./funnel-counter.ts";

const log = createLog("silent");

async function counts({ pool }: TestDatabase): Promise<unknown[]> {
  const { rows } = await pool.query<{ event: string; origin: string; count: string }>(
    "SELECT event, origin, count FROM funnel_counts ORDER BY agent_id, event, origin",
  );
  return rows.map(({ event, origin, count }) => [event, origin, Number(count)]);
}

describe("the funnel", () => {
  databaseTest("adds up what happened, per event and origin", async ({ database }) => {
    const { db } = database;
    const { account, agent } = await addCustomer(db);
    const defaultAgentId = agent.agentId;
    await transact(db, (trx) => changeSettings(trx, "ada", account.id, { defaultAgentId }));
    const counter = new FunnelCounter({ db, log });
    const opened = (agent_id: string) => ({ agent_id, event: "opened" }) as const;
    for (let round = 0; round < 2; round++) {
      counter.count(opened(agent.agentId), "https://a.example");
      counter.count(opened(agent.agentId), "https://a.example");
      counter.count(opened(account.clientId), "https://a.example");
      counter.count(opened(agent.agentId), null);
      counter.count({ agent_id: agent.agentId, event: "started" }, "https://a.example");
      counter.count(opened("agent_nobody"), "https://a.example");
      await counter.write();
    }
    expect(await counts(database)).toEqual([
      ["opened", "https://a.example", 6],
      ["opened", "null", 2],
      ["started", "https://a.example", 2],
    ]);
  });

  databaseTest("is written by itself within a second or so", async ({ database }) => {
    const { agent } = await addCustomer(database.db);
    const counter = new FunnelCounter({ db: database.db, log });
    counter.count({ agent_id: agent.agentId, event: "declined" }, null);
    await expect.poll(() => counts(database), { timeout: 5_000 }).toHaveLength(1);
  });

  databaseTest(
    "gives the first 200 origins of a day a row, whoever writes",
    async ({ database }) => {
      const { db, pool } = database;
      const { agent } = await addCustomer(db);
      const writers = Array.from({ length: 4 }, () => new FunnelCounter({ db, log }));
      for (let n = 0; n < 300; n++) {
        for (const writer of writers)
          writer.count({ agent_id: agent.agentId, event: "opened" }, `https://${n}.example`);
      }
      await Promise.all(writers.map((writer) => writer.write()));
      writers[0]!.count({ agent_id: agent.agentId, event: "opened" }, "https://new.example");
      await writers[0]!.write();
      const { rows } = await pool.query(
        "SELECT count(*) FILTER (WHERE origin <> 'other')::integer AS origins, sum(count)::integer AS total, (max(count) FILTER (WHERE origin = 'other'))::integer AS others FROM funnel_counts",
      );
      expect(rows).toEqual([{ origins: 200, total: 1_201, others: 401 }]);
    },
  );

  databaseTest("keeps what could not be written, and is bounded", async ({ database }) => {
    const { db, pool } = database;
    const { agent } = await addCustomer(db);
    const counter = new FunnelCounter({ db, log, maxAtOnce: 2 });
    await pool.query("ALTER TABLE funnel_counts RENAME TO away");
    for (const origin of ["https://a.example", "https://b.example", "https://c.example"])
      counter.count({ agent_id: agent.agentId, event: "opened" }, origin);
    await counter.write();
    await pool.query("ALTER TABLE away RENAME TO funnel_counts");
    counter.count({ agent_id: agent.agentId, event: "opened" }, "https://a.example");
    await counter.write();
    expect(await counts(database)).toEqual([
      ["opened", "https://a.example", 2],
      ["opened", "https://b.example", 1],
    ]);
  });

  // G3
  databaseTest("has no place for an address, an id or a time of day", async ({ database }) => {
    const { rows } = await database.pool.query<{ column_name: string }>(
      "SELECT column_name FROM information_schema.columns WHERE table_name = 'funnel_counts'",
    );
    expect(rows.map((row) => row.column_name).toSorted()).toEqual([
      "agent_id",
      "count",
      "day",
      "event",
      "origin",
    ]);
  });
});
