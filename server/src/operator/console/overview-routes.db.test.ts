import { addCustomer } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { ConsoleUnderTest } from "./console-under-test.ts";

databaseTest(
  "gaps that are only counted are no visitor's words to anybody",
  async ({ database }) => {
    const { agent } = await addCustomer(database.db);
    const console = new ConsoleUnderTest(database);
    const cookie = await console.signIn({ name: "Ada", role: "viewer" });
    const gaps = (limit: number): Promise<{ statusCode: number }> =>
      console.ask(
        "GET",
        `/admin/v1/agents/${agent.agentId}/gaps?since=2026-01-01T00:00:00Z&limit=${limit}`,
        cookie,
      );
    const audited = async (): Promise<number> => {
      const { rows } = await database.pool.query("SELECT FROM audit WHERE action = 'agent.gaps'");
      return rows.length;
    };
    expect(await gaps(0)).toMatchObject({ statusCode: 200 });
    expect(await audited()).toBe(0);
    expect(await gaps(1)).toMatchObject({ statusCode: 200 });
    expect(await audited()).toBe(1);
  },
);
