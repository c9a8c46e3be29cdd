import { createAuthenticator } from "#accounts";
import { createFakeClock } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { commandLineUnderTest } from "../command-line-under-test.ts";

describe("credentials", () => {
  databaseTest("are issued by the operator, and open until revoked", async ({ database }) => {
    const { db } = database;
    const { svc, json } = commandLineUnderTest({ db: () => db });
    const { client_id: clientId } = await json("accounts", "add", "Acme");
    const issued = await json("tokens", "issue", "acme", "--label", "warehouse");
    expect(issued).toMatchObject({ client_id: clientId, label: "warehouse" });

    const basic = `Basic ${Buffer.from(`${String(clientId)}:${String(issued["token"])}`).toString("base64")}`;
    const whoAsks = () => createAuthenticator(db, createFakeClock()).authenticate(basic);
    expect(await whoAsks()).toMatchObject({ account: { clientId } });
    await json("tokens", "revoke", String(issued["id"]));
    expect(await whoAsks()).toBeUndefined();

    const shown = await svc("accounts", "show", "acme");
    expect(shown.out).toContain("warehouse");
    expect(shown.out).not.toContain(String(issued["token"]));
  });
});
