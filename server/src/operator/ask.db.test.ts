import type { AddressInfo } from "node:net";
import { makeConsoleLink, makeConsoleToken } from "#accounts";
import type { ConsoleRole } from "#accounts";
import { startPresence, transact } from "#platform";
import {
  addCustomer,
  captureLog,
  createFakeClock,
  playEvaluated,
  start,
  testSecretKeys,
} from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished } from "vitest";
import { commandLineUnderTest } from "./command-line-under-test.ts";
import type { CommandLine } from "./command-line-under-test.ts";
import type { Operator } from "./operator.ts";
import { ConsoleUnderTest } from "./console/console-under-test.ts";

type Settings = Operator["serverSettings"];

/** `svc` of somebody who has a token and no database. */
async function atServer(
  database: TestDatabase,
  { role = "operator", accounts }: { role?: ConsoleRole; accounts?: Customer[] } = {},
): Promise<CommandLine & { token: string; url: string; serverSettings: Settings }> {
  const { app } = new ConsoleUnderTest(database, {
    secretKeys: testSecretKeys,
    receivers: { allowPlainHttp: true, allowPrivate: true },
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => app.close());
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const { token } = await transact(database.db, async (trx) => {
    const seen = accounts?.map(({ account }) => account.id);
    const login = { name: "Ada", role, ...(seen && { accounts: seen }) };
    const { user } = await makeConsoleLink(trx, "os:root", login);
    return makeConsoleToken(trx, "os:root", "aa", user, "laptop");
  });
  const serverSettings: Settings = () => ({ url, token });
  return { ...commandLineUnderTest({ serverSettings }), token, url, serverSettings };
}

describe("svc with a server in place of the database", () => {
  databaseTest("does what its person may do, under their name", async ({ database }) => {
    const customer = await addCustomer(database.db, { name: "Acme" });
    const { id } = await playEvaluated(database.db, customer);
    const { svc, json } = await atServer(database);
    const { token, id: number } = await json("tokens", "issue", "acme", "--label", "warehouse");
    expect(token).toMatch(/^svc_aa/);
    expect((await svc("tokens", "list", "acme")).out).toContain("warehouse");
    await json("tokens", "revoke", String(number));
    const hook = ["https://crm.example.com/svc", "--account", "acme"];
    const { id: endpoint } = await json("webhooks", "add", ...hook);
    await json("webhooks", "rotate", String(endpoint));
    await json("webhooks", "pause", String(endpoint));
    expect(await json("webhooks", "list")).toMatchObject({ endpoints: [{ state: "paused" }] });
    await json("webhooks", "remove", String(endpoint));
    await json("agents", "pause", "guide");
    expect(await json("agents", "list")).toMatchObject({ agents: [{ state: "paused" }] });
    expect(await json("evaluate", id)).toMatchObject({ session: { outcome: "not_awaited" } });
    expect((await svc("sessions", "show", id)).out).toContain(id);
    const { rows } = await database.pool.query<{ action: string }>(
      "SELECT action FROM audit WHERE actor = 'console:Ada' ORDER BY id",
    );
    expect(rows.map(({ action }) => action)).toEqual([
      "token.issue",
      "token.revoke",
      "webhook.add",
      "webhook.rotate",
      "webhook.pause",
      "webhook.remove",
      "agent.pause",
      "session.evaluate",
      "session.read",
    ]);
  });

  databaseTest("prints what it prints with the database's login", async ({ database }) => {
    const { db } = database;
    const customer = await addCustomer(db, { name: "Acme" });
    await addCustomer(db, { name: "Quiet" });
    const { id } = await playEvaluated(db, customer);
    await playEvaluated(db, customer, { test: true });
    await start(db, customer);
    const presence = await startPresence({
      db,
      log: captureLog().log,
      // Its pulse would change what is printed between the two.
      clock: createFakeClock(),
      role: "all",
      version: "1.2.3",
      instance: "one:4711",
      pid: 4_711,
      services: {},
      isDraining: () => false,
      load: () => ({ sessions: 1, capacity: 40, jobs: 0, jobSlots: 540 }),
    });
    onTestFinished(() => presence.stop());
    const { serverSettings } = await atServer(database, { role: "admin" });
    const terminal = { nowMs: Date.now() };
    const there = commandLineUnderTest({ serverSettings }, terminal);
    const here = commandLineUnderTest({ db: () => db }, terminal);
    for (const line of [
      "accounts list",
      "agents list --account acme",
      "tokens list acme",
      "sessions list",
      "sessions list --limit 1",
      "sessions list --account acme --agent guide --status processed --since 1h",
      "sessions list --test",
      "sessions list --agent nobody",
      `sessions show ${id}`,
      "webhooks list",
      "deliveries list",
      "erasures list",
      "status",
    ]) {
      for (const how of [[], ["--json"]]) {
        const argv = [...line.split(" "), ...how];
        expect(await there.svc(...argv), line).toEqual(await here.svc(...argv));
      }
    }
  });

  databaseTest("tells who sees one account nothing of the others", async ({ database }) => {
    const { db } = database;
    const [acme, other] = [
      await addCustomer(db, { name: "Acme" }),
      await addCustomer(db, { name: "Other" }),
    ];
    const own = await start(db, acme);
    await start(db, other);
    const { svc, json } = await atServer(database, { role: "viewer", accounts: [acme] });
    expect(await json("accounts", "list")).toMatchObject({ accounts: [{ name: "Acme" }] });
    // Both accounts have an agent of that name.
    expect(await json("sessions", "list", "--agent", "guide")).toMatchObject({
      sessions: [{ id: own.id }],
    });
    const theirs = await svc("sessions", "list", "--agent", other.agent.agentId);
    expect(theirs.err).toContain("There is no agent");
    const { out } = await svc("status");
    expect(out).toContain("shown to people who see all accounts");
    expect(out).not.toMatch(/deliveries +\d|oldest unsettled/);
  });

  databaseTest("is refused in words: role, account, database, token", async ({ database }) => {
    const [acme, other] = [
      await addCustomer(database.db, { name: "Acme" }),
      await addCustomer(database.db),
    ];
    const { svc, token, url } = await atServer(database, { accounts: [acme] });
    const unseen = await svc("tokens", "list", other.account.clientId);
    expect([unseen.exitCode, unseen.err]).toEqual([
      1,
      expect.stringContaining("There is no account"),
    ]);
    const erased = await svc("erase", "--email", "ada@example.com");
    expect(erased.err).toContain("this takes admin");
    expect((await svc("db", "status")).err).toContain("`svc db status` needs the database.");
    // A token makes no tokens, whatever cookie comes with it, and does not outlive its person.
    const make = await fetch(`${url}/admin/v1/me/tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ label: "x" }),
    });
    expect(make.status).toBe(403);
    const { rows } = await database.pool.query("SELECT * FROM console_tokens");
    expect(JSON.stringify(rows)).not.toContain(token);
    await database.pool.query("UPDATE console_tokens SET expires_at = now()");
    expect((await svc("webhooks", "list")).err).toContain("Nobody is signed in");
    const far = { serverSettings: () => ({ url: "http://svc.example.com", token }) };
    const plain = await commandLineUnderTest(far).svc("webhooks", "list");
    expect(plain.err).toContain("A token goes over https only");
    const nobody = { serverSettings: () => ({ url, token: undefined }) };
    expect((await commandLineUnderTest(nobody).svc("webhooks", "list")).err).toContain(
      "SVC_SERVER_TOKEN is not set",
    );
  });
});
