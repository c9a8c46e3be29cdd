import { inject, test as plainTest } from "vitest";
import type { TestAPI } from "vitest";
import { cloneDatabase } from "./database.ts";
import type { TestDatabase } from "./database.ts";

/** A test that owns its database. Shared fixtures are where flaky tests come from. */
export const databaseTest: TestAPI<{ database: TestDatabase }> = plainTest.extend<{
  database: TestDatabase;
}>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the parameter's pattern
  database: async ({}, use) => {
    const database = await cloneDatabase(inject("clusterUrl"));
    await use(database);
    await database.drop();
  },
});
