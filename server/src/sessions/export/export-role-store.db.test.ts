import { addCustomer, playSession } from "#testing";
import { expect } from "vitest";
import { databaseTest } from "#testing/database-test";
import { askExportRole } from "./export.ts";

databaseTest("the export's login is held to one account at a time", async ({ database }) => {
  await playSession(database.db, await addCustomer(database.db));
  expect(await askExportRole(database.exportUrl)).toMatchObject({
    user: "svc_export",
    held: true,
    seesRows: false,
  });
});

databaseTest("a login that sees everything is told apart", async ({ database }) => {
  await addCustomer(database.db);
  expect(await askExportRole(database.url)).toMatchObject({
    user: "postgres",
    held: false,
    seesRows: true,
  });
});

databaseTest("a policy that lets everything through is seen by its rows", async ({ database }) => {
  await addCustomer(database.db);
  await database.pool.query(
    "CREATE POLICY everything ON account_clocks FOR SELECT TO svc_export USING (true)",
  );
  expect(await askExportRole(database.exportUrl)).toMatchObject({ held: true, seesRows: true });
});

databaseTest("a login that fails says why", async ({ database }) => {
  await expect(askExportRole(database.exportUrl.replace("svc_export", "nobody"))).rejects.toThrow(
    'role "nobody" does not exist',
  );
});
