import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDb, createLog, createPool } from "#platform";
import { addCustomer, playSession } from "#testing";
import { databaseTest } from "#testing/database-test";
import * as schemas from "@svc/contract/schemas";
import { describe, expect, onTestFinished } from "vitest";
import { COOKIE, ConsoleUnderTest, cookieIn, ORIGIN } from "./console-under-test.ts";

describe("signing in", () => {
  databaseTest(
    "takes a link that works once, for ten minutes, by its button",
    async ({ database }) => {
      const console = new ConsoleUnderTest(database);
      const token = await console.link({ name: "<b>Ada</b>", role: "viewer" });
      const [, script] = /<script>([^]*?)<\/script>/.exec(
        (await console.ask("GET", "/console/sign-in")).body,
      )!;
      expect(script).toContain("location.hash");
      const page = await console.use(token, {}, "/console/sign-in/link");
      expect(page.statusCode).toBe(200);
      const hash = createHash("sha256").update(script!).digest("base64");
      expect(page.headers["content-security-policy"]).toContain(`script-src 'sha256-${hash}'`);
      const foreign = { origin: "https://evil.example" };
      expect((await console.use(token, foreign, "/console/sign-in/link")).statusCode).toBe(403);
      expect(page.body).toContain("&#60;b&#62;Ada");
      expect(page.headers["content-security-policy"]).toContain(
        "require-trusted-types-for 'script'",
      );
      // With no-referrer, browsers send `Origin: null` with this form, which is refused.
      expect(page.headers["referrer-policy"]).toBe("same-origin");
      const [first, second] = await Promise.all([console.use(token), console.use(token)]);
      expect(new Set([first.statusCode, second.statusCode])).toEqual(new Set([303, 404]));
      const signed = first.statusCode === 303 ? first : second;
      expect(signed.headers["location"]).toBe("/console");
      expect(signed.headers["set-cookie"]).toMatch(
        /^__Host-svc_console=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      );
      expect((await console.ask("GET", "/console", cookieIn(signed))).body).toContain(
        "viewer of all",
      );

      const late = await console.link({ name: "Late", role: "viewer" });
      await database.pool.query("UPDATE console_links SET expires_at = now()");
      expect((await console.use(late)).statusCode).toBe(404);
      const [older, newer] = [
        await console.link({ name: "Late" }),
        await console.link({ name: "Late" }),
      ];
      expect((await console.use(older)).statusCode).toBe(404);
      expect((await console.use(newer, { origin: "https://evil.example" })).statusCode).toBe(403);
      expect((await console.use(newer, { origin: "null" })).statusCode).toBe(403);
      expect((await console.use(newer)).statusCode).toBe(303);
      const stored = await database.pool.query("SELECT * FROM console_sessions");
      expect(JSON.stringify(stored.rows)).not.toContain(cookieIn(signed).split("=")[1]);
    },
  );

  databaseTest("says on a page that the database is away", async () => {
    const options = { url: "postgres://x@127.0.0.1:1/x", name: "svc", maxConnections: 1 };
    const pool = createPool({ ...options, statementTimeoutMs: 1_000 }, createLog("silent"));
    onTestFinished(() => pool.end());
    const console = new ConsoleUnderTest({ db: createDb(pool) });
    const cookie = `${COOKIE}=${"a".repeat(43)}`;
    const page = await console.ask("GET", "/console/sessions", cookie);
    expect(page.statusCode).toBe(503);
    expect(page.headers["content-type"]).toContain("text/html");
    expect(page.body).toContain("cannot reach its database");
    // A program is answered as before.
    const answer = await console.ask("GET", "/admin/v1/me", cookie);
    expect(answer.headers["content-type"]).toContain("application/json");
  });

  databaseTest("gives a new id, whatever cookie the browser brings", async ({ database }) => {
    const console = new ConsoleUnderTest(database);
    const planted = await console.signIn({ name: "Mallory", role: "viewer" });
    const token = await console.link({ name: "Ada", role: "admin" });
    const own = cookieIn(await console.use(token, { cookie: planted }));
    expect(own).not.toBe(planted);
    expect((await console.ask("GET", "/admin/v1/me", planted)).statusCode).toBe(401);
    expect((await console.ask("GET", "/admin/v1/me", own)).json()).toEqual({
      name: "Ada",
      role: "admin",
    });
  });

  databaseTest(
    "leads on to the console alone, whatever address is asked for",
    async ({ database }) => {
      const console = new ConsoleUnderTest(database);
      const evil = [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
      ];
      for (const address of evil) {
        const token = await console.link({ name: "Ada", role: "viewer" });
        const query = new URLSearchParams(
          ["next", "return_to", "redirect", "redirect_uri"].map((key): [string, string] => [
            key,
            address,
          ]),
        ).toString();
        const headers = {
          host: "evil.example",
          "x-forwarded-host": "evil.example",
          referer: address,
        };
        const link = await console.use(token, headers, `/console/sign-in/link?${query}`);
        expect(link.body).not.toContain("evil.example");
        const signed = await console.use(token, headers, `/console/sign-in?${query}`);
        expect([signed.statusCode, signed.headers["location"]]).toEqual([303, "/console"]);
        const out = await console.app.inject({
          method: "POST",
          url: `/console/sign-out?${query}`,
          headers: { ...headers, origin: ORIGIN, cookie: cookieIn(signed) },
        });
        expect([out.statusCode, out.headers["location"]]).toEqual([303, "/console"]);
      }
    },
  );

  databaseTest("ends when it is idle, old, signed out or taken away", async ({ database }) => {
    const { pool } = database;
    const console = new ConsoleUnderTest(database);
    const signedIn = async () => console.signIn({ name: "Ada", role: "operator" });
    const status = async (cookie: string) =>
      (await console.ask("GET", "/admin/v1/me", cookie)).statusCode;
    const idle = await signedIn();
    await pool.query("UPDATE console_sessions SET used_at = now() - interval '59 minutes'");
    expect(await status(idle)).toBe(200);
    // That request counted as use.
    await pool.query("UPDATE console_sessions SET used_at = used_at - interval '59 minutes'");
    expect(await status(idle)).toBe(200);
    await pool.query("UPDATE console_sessions SET created_at = now() - interval '12 hours'");
    expect(await status(idle)).toBe(401);

    const out = await signedIn();
    expect((await console.ask("POST", "/console/sign-out", out)).statusCode).toBe(303);
    expect(await status(out)).toBe(401);

    const demoted = await signedIn();
    await console.link({ name: "Ada", role: "viewer" });
    expect((await console.ask("GET", "/admin/v1/me", demoted)).json()).toMatchObject({
      role: "viewer",
    });
    await pool.query("DELETE FROM console_users");
    expect(await status(demoted)).toBe(401);
  });

  databaseTest("shows nothing to who sees no account any more", async ({ database }) => {
    const customer = await addCustomer(database.db);
    await playSession(database.db, customer);
    const console = new ConsoleUnderTest(database);
    const cookie = await console.signIn({
      name: "Ada",
      role: "viewer",
      accounts: [customer.account.id],
    });
    const list = async () =>
      (await console.ask("GET", "/admin/v1/sessions", cookie)).json().sessions;
    expect(await list()).toHaveLength(1);
    await database.pool.query("DELETE FROM console_user_accounts");
    expect(await list()).toEqual([]);
  });
});

databaseTest("shows its page at every address, to who is signed in", async ({ database }) => {
  const folder = await mkdtemp(join(tmpdir(), "console-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of [
    ["index.html", "<div id=root>"],
    ["index-AbC123.js", "run()"],
  ] as const) {
    for (const end of ["", ".br", ".gz"]) await writeFile(join(folder, name + end), text);
  }
  const console = new ConsoleUnderTest(database, { folder });
  const cookie = await console.signIn({ name: "Ada", role: "viewer" });
  for (const url of ["/console", "/console/", "/console/sessions/7?text=x", "/console/a/../b"]) {
    const page = await console.ask("GET", url, cookie);
    expect([page.statusCode, page.body], url).toEqual([200, "<div id=root>"]);
    expect(page.headers["cache-control"]).toBe("no-store");
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("script-src 'self'; style-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toContain("unsafe");
    const stranger = await console.ask("GET", url);
    expect([stranger.statusCode, stranger.body.includes("id=root")], url).toEqual([401, false]);
  }
  const script = await console.ask("GET", "/console/assets/index-AbC123.js");
  expect([script.statusCode, script.body]).toEqual([200, "run()"]);
  expect(script.headers["cache-control"]).toContain("immutable");
  // The page itself is no file, and nothing above the folder is.
  for (const name of ["index.html", "..%2Fpackage.json", "none.js"]) {
    expect((await console.ask("GET", `/console/assets/${name}`)).statusCode, name).toBe(404);
  }
});

databaseTest("says what is wrong with a request", async ({ database }) => {
  const console = new ConsoleUnderTest(database);
  const cookie = await console.signIn({ name: "Ada", role: "admin" });
  const replay = "/admin/v1/deliveries/replay";
  for (const [method, url, body, status] of [
    ["GET", "/admin/v1/sessions?limit=0", undefined, 400],
    ["GET", "/admin/v1/sessions?other=1", undefined, 400],
    ["GET", "/admin/v1/sessions/7", undefined, 404],
    ["GET", "/admin/v1/deliveries/7", undefined, 404],
    ["GET", "/admin/v1/deliveries/x'", undefined, 404],
    ["POST", replay, undefined, 400],
    ["POST", replay, { ids: [] }, 400],
    ["POST", replay, { ids: [7] }, 404],
    ["POST", replay, { endpoint_id: "hook_x", failed_since: "2026-11-01T00:00:00Z" }, 404],
  ] as const) {
    const answer = await console.ask(method, url, cookie, body && { body });
    expect(answer.statusCode, `${url} ${JSON.stringify(body)}`).toBe(status);
    schemas.AdminErrorBody.parse(answer.json());
  }
});
