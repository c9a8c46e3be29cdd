import { createHmac } from "node:crypto";
import { listAudit } from "#accounts";
import { deriveKey } from "#platform";
import type { SecretKey } from "#platform";
import { addCustomer } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { createAddressMarks } from "./address-marks.ts";
import {
  countSuppressed,
  isSuppressed,
  setSuppressed,
  suppress,
  unsuppress,
} from "./suppression.ts";

const OLD: SecretKey = { id: "k1", key: Buffer.alloc(32, 1) };
const NEW: SecretKey = { id: "k2", key: Buffer.alloc(32, 2) };

databaseTest("an objection holds for its account, under a newer key too", async ({ database }) => {
  const { db } = database;
  const [{ account }, other] = [await addCustomer(db), await addCustomer(db)];
  const before = createAddressMarks([OLD]).marks("ada@example.com");
  const after = createAddressMarks([NEW, OLD]).marks("ada@example.com");
  const them = { accountId: account.id, marks: after };
  expect(await suppress(db, { ...them, marks: before, source: "unsubscribed" })).toBe(true);
  expect(await suppress(db, { ...them, source: "unsubscribed" })).toBe(false);
  expect(await isSuppressed(db, them)).toBe(true);
  expect(await isSuppressed(db, { accountId: other.account.id, marks: after })).toBe(false);
  const bob = createAddressMarks([NEW, OLD]).marks("bob@example.com");
  expect(await isSuppressed(db, { accountId: account.id, marks: bob })).toBe(false);
  expect(await unsuppress(db, them)).toBe(true);
  expect(await unsuppress(db, them)).toBe(false);
  expect(await isSuppressed(db, them)).toBe(false);
});

databaseTest.for([
  ["ada@example.com", "ada@example.com"],
  ["ada@example.com", "ada+demo@example.com"],
  ["ada+demo@example.com", "ada+demo@example.com"],
  ["a.da@gmail.com", "a.da@gmail.com"],
  ["ada@gmail.com", "a.da+demo@googlemail.com"],
] as const)(
  "an objection of %s from before mailboxes were marked holds for %s",
  async ([before, now], { database }) => {
    const { db, pool } = database;
    const { account } = await addCustomer(db);
    // As earlier releases stored it: of the address as it was typed, with the key itself.
    const mark = createHmac("sha256", OLD.key).update(`svc address mark\n${before}`).digest();
    await pool.query("INSERT INTO mail_suppressions VALUES ($1, $2, now(), 'unsubscribed')", [
      account.id,
      mark,
    ]);
    const marks = createAddressMarks([NEW, OLD]).marks(now);
    expect(await isSuppressed(db, { accountId: account.id, marks })).toBe(true);
    expect(await unsuppress(db, { accountId: account.id, marks })).toBe(true);
    expect(await isSuppressed(db, { accountId: account.id, marks })).toBe(false);
  },
);

databaseTest.for(["ada+demo@mac.com", "shop@ada.fastmail.com"])(
  "an objection of %s from before its provider was known holds",
  async (address, { database }) => {
    const { db, pool } = database;
    const { account } = await addCustomer(db);
    const untagged = address.replace("+demo", "");
    const mark = createHmac("sha256", deriveKey(OLD, "address mark"))
      .update(`svc address mark\n${untagged}`)
      .digest();
    await pool.query("INSERT INTO mail_suppressions VALUES ($1, $2, now(), 'unsubscribed')", [
      account.id,
      mark,
    ]);
    const marks = createAddressMarks([NEW, OLD]).marks(address);
    expect(await isSuppressed(db, { accountId: account.id, marks })).toBe(true);
  },
);

databaseTest("an operator's word is audited, without the address", async ({ database }) => {
  const { db } = database;
  const { account } = await addCustomer(db);
  const { marks } = createAddressMarks([NEW]);
  const change = (email: string, suppressed: boolean) =>
    setSuppressed(db, "ada", account, { marks: marks(email), suppressed });
  expect(await change("victim@example.com", true)).toBe(true);
  expect(await change("victim@example.com", true)).toBe(false);
  expect(await change("other@example.com", true)).toBe(true);
  const day = new Date().toISOString().slice(0, 10);
  expect(await countSuppressed(db, account.id)).toEqual([{ day, source: "operator", count: 2 }]);
  expect(await change("victim@example.com", false)).toBe(true);
  const entries = await listAudit(db, { accountId: account.id, limit: 3 });
  expect(entries).toMatchObject([
    { actor: "ada", action: "mail.allow", subject: account.clientId },
    { actor: "ada", action: "mail.suppress" },
    { actor: "ada", action: "mail.suppress" },
  ]);
  expect(JSON.stringify(entries)).not.toContain("victim");
});
