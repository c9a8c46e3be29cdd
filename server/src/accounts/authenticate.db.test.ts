import { newToken, transact } from "#platform";
import type { Db } from "#platform";
import { addCustomer, countLockWaiters, createFakeClock, whileLocked } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, vi } from "vitest";
import { createAuthenticator } from "./authenticate.ts";
import { changeSettings } from "./settings.ts";
import { issueToken, revokeToken } from "./tokens.ts";

const bearer = (token: string): string => `Bearer ${token}`;
const basic = (clientId: string, token: string): string =>
  `Basic ${Buffer.from(`${clientId}:${token}`).toString("base64")}`;

/** A database that fails the test when it is queried. */
const untouchable = new Proxy(
  {},
  {
    get: (_target, name) => {
      throw new Error(`the database was asked: ${String(name)}`);
    },
  },
) as Db;

describe("who is asking", () => {
  databaseTest("is known by token alone, and by client id and token", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const { authenticate } = createAuthenticator(database.db, createFakeClock());
    const caller = { account: customer.account, tokenId: customer.tokenId };
    expect(await authenticate(bearer(customer.token))).toEqual(caller);
    expect(await authenticate(basic(customer.account.clientId, customer.token))).toEqual(caller);
    expect(await authenticate(`bEARER ${customer.token}`)).toEqual(caller);
    expect(
      await authenticate(
        basic(customer.account.clientId, customer.token).replace("Basic", "BASIC"),
      ),
    ).toEqual(caller);
  });

  // A1
  databaseTest(
    "is nobody with the client id of one account and the token of another",
    async ({ database }) => {
      const [a, b] = [await addCustomer(database.db), await addCustomer(database.db)];
      const { authenticate } = createAuthenticator(database.db, createFakeClock());
      for (let asked = 0; asked < 2; asked++) {
        expect(await authenticate(basic(a.account.clientId, b.token))).toBeUndefined();
        expect(await authenticate(basic("", b.token))).toBeUndefined();
        expect(
          await authenticate(basic(a.account.clientId.toUpperCase(), a.token)),
        ).toBeUndefined();
        // In the second round both tokens are cached.
        await authenticate(bearer(a.token));
        await authenticate(bearer(b.token));
      }
    },
  );

  databaseTest("is nobody with a token that was never issued", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const { authenticate } = createAuthenticator(database.db, createFakeClock());
    expect(await authenticate(bearer(newToken("aa")))).toBeUndefined();
    expect(await authenticate(basic(customer.account.clientId, newToken("aa")))).toBeUndefined();
  });

  databaseTest(
    "is told without asking the database when the token is cut, mistyped or missing",
    async ({ database }) => {
      const { token, account } = await addCustomer(database.db);
      const { authenticate } = createAuthenticator(untouchable, createFakeClock());
      const mistyped = token.slice(0, -10) + (token.at(-10) === "x" ? "y" : "x") + token.slice(-9);
      for (const header of [
        undefined,
        "",
        bearer(""),
        bearer(token.slice(0, -1)),
        bearer(mistyped),
        basic(account.clientId, ""),
        "Basic !",
      ]) {
        expect(await authenticate(header)).toBeUndefined();
      }
      await expect(authenticate(bearer(token))).rejects.toThrow("the database was asked");
    },
  );

  databaseTest("is remembered for three seconds", async ({ database }) => {
    const { token, account } = await addCustomer(database.db);
    const clock = createFakeClock();
    const { authenticate } = createAuthenticator(database.db, clock);
    const modeAfter = async (ms: number) => {
      clock.advance(ms);
      return (await authenticate(bearer(token)))?.account.exportMode;
    };
    expect(await modeAfter(0)).toBe("settled_prefix");
    await transact(database.db, (trx) =>
      changeSettings(trx, "test", account.id, { exportMode: "as_available" }),
    );
    expect(await modeAfter(2_999)).toBe("settled_prefix");
    expect(await modeAfter(2)).toBe("as_available");
  });

  // A4
  databaseTest(
    "is refused with a revoked token at most three seconds later",
    async ({ database }) => {
      const { token, tokenId, account } = await addCustomer(database.db);
      const other = await transact(database.db, (trx) =>
        issueToken(trx, "test", "aa", account.id, "other"),
      );
      const clock = createFakeClock();
      const { authenticate } = createAuthenticator(database.db, clock);
      expect(await authenticate(bearer(token))).toBeDefined();
      await transact(database.db, (trx) => revokeToken(trx, "test", tokenId));
      clock.advance(3_001);
      expect(await authenticate(bearer(token))).toBeUndefined();
      expect(await authenticate(basic(account.clientId, token))).toBeUndefined();
      expect(await authenticate(bearer(other.token))).toMatchObject({ tokenId: other.id });
      // A process that has not cached it refuses it at once.
      expect(
        await createAuthenticator(database.db, clock).authenticate(bearer(token)),
      ).toBeUndefined();
    },
  );

  // P6
  databaseTest(
    "is not known right now when the database does not answer in time",
    async ({ database }) => {
      const { token } = await addCustomer(database.db);
      const { authenticate } = createAuthenticator(database.db, createFakeClock());
      await whileLocked(database, "tokens", async () => {
        await expect(authenticate(bearer(token))).rejects.toMatchObject({ code: "unavailable" });
      });
      expect(await authenticate(bearer(token))).toBeDefined();
    },
  );

  // P3
  databaseTest("is not known right now when the connection is lost", async ({ database }) => {
    const { token } = await addCustomer(database.db);
    const { authenticate } = createAuthenticator(database.db, createFakeClock());
    await whileLocked(database, "tokens", async () => {
      const asked = authenticate(bearer(token)).catch((error: unknown) => error);
      await vi.waitUntil(async () => (await countLockWaiters(database, "test")) === 1, {
        timeout: 1_500,
      });
      await database.pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      expect(await asked).toMatchObject({ code: "unavailable", retryable: true });
    });
    expect(await authenticate(bearer(token))).toBeDefined();
  });
});
