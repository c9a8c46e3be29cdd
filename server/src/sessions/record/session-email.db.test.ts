import { transact } from "#platform";
import { addCustomer, jobSenderOf, playSession, start, verifyEmail } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { confirmEmail } from "./session.ts";

async function stored(database: TestDatabase, id: string): Promise<unknown> {
  const { rows } = await database.pool.query(
    "SELECT metadata, email, email_verified FROM sessions WHERE id = $1",
    [id],
  );
  return rows[0];
}

async function exported(database: TestDatabase, id: string): Promise<unknown> {
  const { rows } = await database.pool.query(
    "SELECT metadata::json AS metadata, email, email_verified, status, summary FROM session_exports WHERE id = $1",
    [id],
  );
  return rows[0];
}

const confirm = (database: TestDatabase, id: string, address: string): Promise<void> =>
  transact(database.db, (trx) => confirmEmail(trx, jobSenderOf(database.db), id, address));

describe("a session's email", () => {
  databaseTest(
    "comes from the metadata key, normalised; metadata keeps what the site passed",
    async ({ database }) => {
      const { id } = await start(database.db, await addCustomer(database.db), {
        metadata: { email: " Ada@Example.COM" },
      });
      expect(await stored(database, id)).toEqual({
        metadata: { email: " Ada@Example.COM" },
        email: "ada@example.com",
        email_verified: null,
      });
    },
  );

  // D6
  databaseTest(
    "is absent when the metadata key holds no address, which stays in metadata",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      for (const given of ["not an address", "", "a..b@example.com"]) {
        const { id } = await start(database.db, customer, { metadata: { email: given } });
        expect(await stored(database, id)).toMatchObject({
          metadata: { email: given },
          email: null,
        });
      }
    },
  );

  // L6
  databaseTest("comes from nothing that was said or judged", async ({ database }) => {
    const session = await playSession(database.db, await addCustomer(database.db), {
      turns: [{ role: "user", content: "Write to ada@example.com." }],
      settlement: {
        status: "processed",
        summary: "They asked for mail to ada@example.com.",
        evaluation: {
          insights: { email: { value: "ada@example.com", evidence: "ada@example.com" } },
        },
      },
    });
    expect(await exported(database, session.id)).toMatchObject({ email: null, metadata: null });
  });

  databaseTest("comes from no key but its own", async ({ database }) => {
    const metadata = { Email: "ada@example.com", contact: "ada@example.com" };
    const { id } = await start(database.db, await addCustomer(database.db), { metadata });
    expect(await stored(database, id)).toMatchObject({ metadata, email: null });
  });

  databaseTest(
    "is the latest that the visitor confirmed, in email and in metadata",
    async ({ database }) => {
      const { id } = await start(database.db, await addCustomer(database.db), {
        metadata: { email: "Old@example.com", plan: "trial" },
      });
      await confirm(database, id, "Ada@Example.com ");
      await confirm(database, id, "ben@example.com");
      expect(await stored(database, id)).toEqual({
        metadata: { email: "ben@example.com", plan: "trial" },
        email: "ben@example.com",
        email_verified: null,
      });
    },
  );

  databaseTest(
    "is not known to be verified any more once another is confirmed",
    async ({ database }) => {
      const session = await start(database.db, await addCustomer(database.db), {
        metadata: { email: "ada@example.com" },
      });
      await verifyEmail(database.db, session, "ada@example.com", true);
      await confirm(database, session.id, "ben@example.com");
      expect(await stored(database, session.id)).toMatchObject({ email_verified: null });
    },
  );

  databaseTest(
    "leaves keys alone that a parser could mistake for each other",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      for (const key of ["x\\", "x\t"]) {
        const session = await playSession(database.db, customer, {
          metadata: { plan: "a", [key]: "1" },
        });
        await confirm(database, session.id, "ada@example.com");
        expect(await exported(database, session.id)).toMatchObject({
          metadata: { plan: "a", [key]: "1", email: "ada@example.com" },
        });
      }
    },
  );

  databaseTest("is not replaced by a confirmed text that is no address", async ({ database }) => {
    const { id } = await start(database.db, await addCustomer(database.db), {
      metadata: { email: "ada@example.com" },
    });
    await expect(confirm(database, id, "ben at example")).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect(await stored(database, id)).toMatchObject({ email: "ada@example.com" });
  });

  databaseTest(
    "confirmed after the session was settled reaches its export row",
    async ({ database }) => {
      const session = await playSession(database.db, await addCustomer(database.db), {
        metadata: { email: "old@example.com" },
      });
      await verifyEmail(database.db, session, "old@example.com", true);
      await confirm(database, session.id, "ben@example.com");
      expect(await exported(database, session.id)).toMatchObject({
        metadata: { email: "ben@example.com" },
        email: "ben@example.com",
        email_verified: null,
        status: "processed",
      });
    },
  );

  // S2
  databaseTest(
    "is confirmed beside keys such as __proto__, which stay data",
    async ({ database }) => {
      const metadata = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, unknown>;
      const { id } = await start(database.db, await addCustomer(database.db), { metadata });
      await confirm(database, id, "ada@example.com");
      const { rows } = await database.pool.query<{ text: string }>(
        "SELECT metadata::text AS text FROM sessions WHERE id = $1",
        [id],
      );
      expect(rows[0]?.text).toBe('{"__proto__":"a","constructor":"b","email":"ada@example.com"}');
    },
  );
});

describe("email_verified", () => {
  databaseTest("is stored, true or false", async ({ database }) => {
    const customer = await addCustomer(database.db);
    for (const verified of [true, false]) {
      const session = await start(database.db, customer, {
        metadata: { email: "ada@example.com" },
      });
      await verifyEmail(database.db, session, "ada@example.com", verified);
      expect(await stored(database, session.id)).toMatchObject({ email_verified: verified });
    }
  });

  databaseTest(
    "that comes after the session was settled rewrites its export row, and nothing else in it",
    async ({ database }) => {
      const session = await playSession(database.db, await addCustomer(database.db), {
        metadata: { email: "ada@example.com" },
      });
      const before = (await exported(database, session.id)) as object;
      expect(before).toMatchObject({ email: "ada@example.com", email_verified: null });
      await verifyEmail(database.db, session, "ada@example.com", false);
      expect(await exported(database, session.id)).toEqual({ ...before, email_verified: false });
    },
  );

  databaseTest("of an address that was replaced meanwhile marks nothing", async ({ database }) => {
    const session = await start(database.db, await addCustomer(database.db), {
      metadata: { email: "ada@example.com" },
    });
    await confirm(database, session.id, "ben@example.com");
    await verifyEmail(database.db, session, "ada@example.com", true);
    expect(await stored(database, session.id)).toMatchObject({
      email: "ben@example.com",
      email_verified: null,
    });
  });

  databaseTest("is nothing without an address", async ({ database }) => {
    const session = await playSession(database.db, await addCustomer(database.db));
    await verifyEmail(database.db, session, "ada@example.com", true);
    expect(await exported(database, session.id)).toMatchObject({
      email: null,
      email_verified: null,
    });
  });

  databaseTest("of a test session makes no export row", async ({ database }) => {
    const session = await playSession(database.db, await addCustomer(database.db), {
      test: true,
      metadata: { email: "ada@example.com" },
    });
    await verifyEmail(database.db, session, "ada@example.com", true);
    expect(await exported(database, session.id)).toBeUndefined();
  });
});
