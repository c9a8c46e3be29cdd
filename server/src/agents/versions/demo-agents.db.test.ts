import { addCustomer } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { DemoAgents } from "./demo-agents.ts";

databaseTest("a version is one object, as long as it is kept", async ({ database }) => {
  const { agent } = await addCustomer(database.db);
  const { agent: other } = await addCustomer(database.db, { name: "Other" });
  const agents = new DemoAgents(database.db, 1);
  const first = await agents.read(agent);
  expect(first.config.name).toBe("Guide");
  expect(await agents.read(agent)).toBe(first);
  await agents.read(other);
  expect(await agents.read(agent)).not.toBe(first);
});

databaseTest("a version that could not be read is asked for again", async ({ database }) => {
  const { agent } = await addCustomer(database.db);
  const agents = new DemoAgents(database.db);
  const missing = { ...agent, version: 99 };
  await expect(agents.read(missing)).rejects.toThrow("no version 99");
  await expect(agents.read(missing)).rejects.toThrow("no version 99");
  expect((await agents.read(agent)).config.name).toBe("Guide");
});
