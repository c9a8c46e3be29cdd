import { addCustomer, playSession } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { commandLineUnderTest } from "../command-line-under-test.ts";

databaseTest("a list of sessions names the agent at 80 columns", async ({ database }) => {
  const { db } = database;
  const customer = await addCustomer(db, { name: "A customer with a rather long name" });
  await playSession(db, customer);
  const at = async (width: number): Promise<string[]> =>
    (await commandLineUnderTest({ db: () => db }, { width }).svc("sessions", "list")).out.split(
      "\n",
    );
  const narrow = await at(80);
  expect(narrow[0]).toMatch(/^ID +STARTED +STATUS +ACCOUNT +AGENT$/);
  expect(narrow[1]).toMatch(/ processed {2}A custo.*… {2}guide v1$/);
  for (const line of narrow) expect(line.length).toBeLessThanOrEqual(80);
  expect((await at(140))[0]).toMatch(/ACCOUNT +AGENT +LENGTH +ENDED$/);
});
