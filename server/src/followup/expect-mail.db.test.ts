import { changeSettings } from "#accounts";
import { transact } from "#platform";
import { openMailHarness, start } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { expectMail } from "./expect-mail.ts";
import { suppress } from "./suppression.ts";

const ADA = "ada@example.com";

databaseTest("a mail is expected where one will be sent", async ({ database }) => {
  const { db, pool } = database;
  const { customer, marks } = await openMailHarness(database);
  const { id } = await start(db, customer, { metadata: { email: ADA } });
  const expected = { isOn: true, address: ADA, verified: null };
  expect(await expectMail(db, id, marks)).toEqual(expected);
  await pool.query("UPDATE sessions SET email_verified = true WHERE id = $1", [id]);
  expect(await expectMail(db, id, marks)).toEqual({ ...expected, verified: true });

  const nameless = await start(db, customer);
  const possible = { isOn: true, address: undefined, verified: null };
  expect(await expectMail(db, nameless.id, marks)).toEqual(possible);
  expect(await expectMail(db, id, undefined)).toMatchObject({ isOn: false });
});

databaseTest("no mail is expected for tests, or where it is off", async ({ database }) => {
  const { db } = database;
  const { customer, marks } = await openMailHarness(database);
  const test = await start(db, customer, { test: true });
  expect(await expectMail(db, test.id, marks)).toMatchObject({ isOn: false });
  const objecting = await openMailHarness(database, { agent: { agent: { followUp: false } } });
  const { id } = await start(db, objecting.customer, { metadata: { email: ADA } });
  expect(await expectMail(db, id, marks)).toMatchObject({ isOn: false, address: ADA });

  const session = await start(db, customer);
  const accountId = customer.account.id;
  await transact(db, (trx) => changeSettings(trx, "test", accountId, { followUp: false }));
  expect(await expectMail(db, session.id, marks)).toMatchObject({ isOn: false });
});

databaseTest("no mail is expected by who unsubscribed or had enough", async ({ database }) => {
  const { db } = database;
  const harness = await openMailHarness(database);
  const { customer, marks } = harness;
  const accountId = customer.account.id;
  const isOn = async (email: string): Promise<boolean> => {
    const { id } = await start(db, customer, { metadata: { email } });
    return (await expectMail(db, id, marks)).isOn;
  };
  await suppress(db, { accountId, marks: marks.marks("bo@example.com"), source: "unsubscribed" });
  expect(await isOn("bo@example.com")).toBe(false);

  for (let mails = 0; mails < 5; mails += 1) {
    expect(await isOn(ADA)).toBe(true);
    await harness.play(ADA);
    await harness.runAll();
  }
  expect(await isOn(ADA)).toBe(false);
});
