import { changeSettings } from "#accounts";
import { transact } from "#platform";
import { openMailHarness, start } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { expectMail } from "./expect-mail.ts";
import type { ExpectedMail } from "./expect-mail.ts";
import { suppress } from "./suppression.ts";

const ADA = "ada@example.com";
const MAIL = { hasMailServer: true };

databaseTest("a mail is expected where one will be sent", async ({ database }) => {
  const { db, pool } = database;
  const { customer } = await openMailHarness(database);
  const { id } = await start(db, customer, { metadata: { email: ADA } });
  const expected = { isOn: true, address: ADA, verified: null };
  expect(await expectMail(db, id, MAIL)).toEqual(expected);
  await pool.query("UPDATE sessions SET email_verified = true WHERE id = $1", [id]);
  expect(await expectMail(db, id, MAIL)).toEqual({ ...expected, verified: true });

  const nameless = await start(db, customer);
  const possible = { isOn: true, address: undefined, verified: null };
  expect(await expectMail(db, nameless.id, MAIL)).toEqual(possible);
  expect(await expectMail(db, id, { hasMailServer: false })).toMatchObject({ isOn: false });
});

databaseTest("no mail is expected for tests, or where it is off", async ({ database }) => {
  const { db } = database;
  const { customer } = await openMailHarness(database);
  const test = await start(db, customer, { test: true });
  expect(await expectMail(db, test.id, MAIL)).toMatchObject({ isOn: false });
  const objecting = await openMailHarness(database, { agent: { agent: { followUp: false } } });
  const { id } = await start(db, objecting.customer, { metadata: { email: ADA } });
  expect(await expectMail(db, id, MAIL)).toMatchObject({ isOn: false, address: ADA });

  const session = await start(db, customer);
  const accountId = customer.account.id;
  await transact(db, (trx) => changeSettings(trx, "test", accountId, { followUp: false }));
  expect(await expectMail(db, session.id, MAIL)).toMatchObject({ isOn: false });
});

databaseTest(
  "who talks learns nothing of an address that unsubscribed or had enough",
  async ({ database }) => {
    const { db } = database;
    const harness = await openMailHarness(database);
    const { customer, marks } = harness;
    const expectation = async (email: string): Promise<ExpectedMail> => {
      const { id } = await start(db, customer, { metadata: { email } });
      return expectMail(db, id, MAIL);
    };
    const accountId = customer.account.id;
    await suppress(db, { accountId, marks: marks.marks("bo@example.com"), source: "unsubscribed" });
    for (let mails = 0; mails < 6; mails += 1) await harness.play(ADA);
    await harness.runAll();
    expect(harness.finished).toContain("skipped");
    for (const address of [ADA, "bo@example.com", "new@example.com"])
      expect(await expectation(address)).toEqual({ isOn: true, address, verified: null });
  },
);
