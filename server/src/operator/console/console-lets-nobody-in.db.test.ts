import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeConsoleLink } from "#accounts";
import type { ConsoleLogin, ConsoleRole } from "#accounts";
import { createLog, transact } from "#platform";
import { createRights } from "#rights";
import { addCustomer, addReceiver, jobSenderOf, playEvaluated, playSession } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import document from "@svc/contract/admin-openapi.json" with { type: "json" };
import * as schemas from "@svc/contract/schemas";
import Fastify from "fastify";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import type * as z from "zod";
import { ADMIN_ROUTES } from "./admin-routes.ts";
import { addConsole } from "./console-routes.ts";

const ORIGIN = "https://svc.example.com";
const COOKIE = "__Host-svc_console";

/** A console over a database, and who asks it. */
class Console {
  readonly app: FastifyInstance = Fastify();
  readonly database: TestDatabase;

  constructor(database: TestDatabase, folder = "/nowhere") {
    this.database = database;
    const { db } = database;
    const log = createLog("silent");
    const rights = createRights({ db, log });
    const jobs = jobSenderOf(db);
    addConsole(this.app, {
      db,
      jobs,
      rights,
      log,
      publicUrl: `${ORIGIN}/`,
      oidc: undefined,
      folder,
    });
  }

  async link(login: ConsoleLogin): Promise<string> {
    const made = transact(this.database.db, (trx) => makeConsoleLink(trx, "os:root", login));
    return (await made).token;
  }

  async signIn(login: ConsoleLogin): Promise<string> {
    return cookieIn(await this.use(await this.link(login)));
  }

  /** Presses the button of a link's page. */
  async use(token: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    return this.app.inject({
      method: "POST",
      url: "/console/sign-in",
      headers: { origin: ORIGIN, "content-type": FORM, ...headers },
      payload: new URLSearchParams({ token }).toString(),
    });
  }

  async ask(
    method: "GET" | "POST",
    url: string,
    cookie?: string,
    {
      origin = method === "POST" ? ORIGIN : undefined,
      body,
    }: { origin?: string; body?: object } = {},
  ): Promise<LightMyRequestResponse> {
    return this.app.inject({
      method,
      url,
      headers: {
        ...(cookie !== undefined && { cookie }),
        ...(origin !== undefined && { origin }),
      },
      ...(body !== undefined && { payload: body }),
    });
  }

  async audited(): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ line: string }>(
      "SELECT actor || ' ' || action AS line FROM audit WHERE actor LIKE 'console:%' ORDER BY id",
    );
    return rows.map(({ line }) => line);
  }
}

const FORM = "application/x-www-form-urlencoded";

function cookieIn({ headers }: LightMyRequestResponse): string {
  return String(headers["set-cookie"]).split(";", 1)[0]!;
}

/** What each route is asked, and of whom a viewer of another account learns nothing. */
async function askedOf(
  database: TestDatabase,
  customer: Customer,
): Promise<Record<string, { url?: string; body?: object; hidden: boolean }>> {
  const { db, pool } = database;
  await addReceiver(db, customer, "https://receiver.example.com/hook");
  const { id } = await playEvaluated(db, customer);
  const erased = await playSession(db, customer);
  const { rows } = await pool.query<{ id: string }>(
    "UPDATE deliveries SET state = 'exhausted', finished_at = now() RETURNING id",
  );
  const delivery = rows[0]!.id;
  return {
    "GET /admin/v1/me": { hidden: false },
    "GET /admin/v1/accounts": { hidden: false },
    "GET /admin/v1/agents": { hidden: false },
    "GET /admin/v1/funnel": {
      url: "/admin/v1/funnel?by=agent&since=2026-01-01T00:00:00Z",
      hidden: false,
    },
    "GET /admin/v1/agents/:id/gaps": {
      url: `/admin/v1/agents/${customer.agent.agentId}/gaps?since=2026-01-01T00:00:00Z`,
      hidden: true,
    },
    "GET /admin/v1/status": { hidden: false },
    "GET /admin/v1/sessions": { url: "/admin/v1/sessions?text=twelve", hidden: false },
    "GET /admin/v1/sessions.csv": { hidden: false },
    "GET /admin/v1/sessions/:id": { url: `/admin/v1/sessions/${id}`, hidden: true },
    "POST /admin/v1/sessions/:id/evaluate": {
      url: `/admin/v1/sessions/${id}/evaluate`,
      hidden: true,
    },
    "POST /admin/v1/sessions/:id/erase": {
      url: `/admin/v1/sessions/${erased.id}/erase`,
      hidden: true,
    },
    "GET /admin/v1/endpoints": { hidden: false },
    "GET /admin/v1/deliveries": { hidden: false },
    "GET /admin/v1/deliveries/:id": { url: `/admin/v1/deliveries/${delivery}`, hidden: true },
    "POST /admin/v1/deliveries/replay": { body: { ids: [Number(delivery)] }, hidden: true },
  };
}

const RANK: Record<ConsoleRole, number> = { viewer: 0, operator: 1, admin: 2 };

/** What the documentation says of the answer; a file has no schema. */
function documentedSchema(
  method: string,
  path: string,
): { least: string; schema: z.ZodType | undefined } {
  const paths = document.paths as Record<string, Record<string, Documented>>;
  const operation = paths[path.replace(":id", "{id}")]![method.toLowerCase()]!;
  const { $ref = "" } = operation.responses["200"].content["application/json"]?.schema ?? {};
  const { [$ref.split("/").at(-1)!]: schema } = { ...schemas } as Record<string, unknown>;
  return { least: operation["x-least-role"], schema: schema as z.ZodType | undefined };
}

interface Documented {
  "x-least-role": string;
  responses: { "200": { content: { "application/json"?: { schema: { $ref: string } } } } };
}

it("documents exactly the routes that there are", () => {
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace("{id}", ":id")}`),
  );
  const routes = ADMIN_ROUTES.map(({ method, path }) => `${method} ${path}`);
  expect(documented.toSorted()).toEqual(routes.toSorted());
});

databaseTest("every route answers each kind of person as the table says", async ({ database }) => {
  const customer = await addCustomer(database.db, { name: "Acme" });
  const other = await addCustomer(database.db, { name: "Other" });
  const console = new Console(database);
  const asked = await askedOf(database, customer);
  const routes = ADMIN_ROUTES.map((route) => ({
    ...route,
    key: `${route.method} ${route.path}`,
    ...asked[`${route.method} ${route.path}`]!,
  }));
  expect(Object.keys(asked).toSorted()).toEqual(routes.map(({ key }) => key).toSorted());

  const expired = await console.signIn({ name: "Expired", role: "operator" });
  await database.pool.query("UPDATE console_sessions SET used_at = now() - interval '61 minutes'");
  const strangers = {
    "no session": undefined,
    expired,
    "an id that never was": `${COOKIE}=${"a".repeat(43)}`,
  };
  // Those that change most come last, so that what they erase is still there for the others.
  const people = {
    "viewer of another account": { role: "viewer", accounts: [other.account.id] },
    viewer: { role: "viewer" },
    "viewer of this account": { role: "viewer", accounts: [customer.account.id] },
    "operator of another account": { role: "operator", accounts: [other.account.id] },
    operator: { role: "operator" },
    admin: { role: "admin" },
  } as const satisfies Record<string, Omit<ConsoleLogin, "name">>;

  for (const { method, path, url = path, body, key } of routes) {
    for (const [who, cookie] of Object.entries(strangers)) {
      const { statusCode } = await console.ask(method, url, cookie, body && { body });
      expect(statusCode, `${key}, ${who}`).toBe(401);
    }
  }
  for (const [who, { role, ...scope }] of Object.entries(people)) {
    const accounts = "accounts" in scope ? [...scope.accounts] : undefined;
    const cookie = await console.signIn({ name: who, role, ...(accounts && { accounts }) });
    // What somebody before replayed must not stand in the way of the next.
    await database.pool.query("DELETE FROM deliveries WHERE replay_of IS NOT NULL");
    await database.pool.query("UPDATE deliveries SET followed = false");
    for (const { method, path, url = path, body, key, least, hidden } of routes) {
      const foreign = await console.ask(method, url, cookie, {
        origin: "https://evil.example",
        ...(body && { body }),
      });
      expect(foreign.statusCode, `${key}, ${who}, other origin`).toBe(403);
      expect(foreign.json().error.code).toBe("other_origin");

      const answer = await console.ask(method, url, cookie, body && { body });
      const sees = accounts?.includes(customer.account.id) ?? true;
      const expected = RANK[role] < RANK[least] ? 403 : hidden && !sees ? 404 : 200;
      expect(answer.statusCode, `${key}, ${who}: ${answer.body}`).toBe(expected);
      expect(answer.headers).toMatchObject({
        "cache-control": "no-store",
        "content-security-policy": expect.stringContaining("default-src 'none'"),
        "cross-origin-resource-policy": "same-origin",
      });
      if (!sees) expect(answer.body, `${key}, ${who}`).not.toContain("Acme");
      if (expected !== 200) {
        expect(schemas.AdminErrorBody.parse(answer.json()).error.message.length).toBeGreaterThan(
          40,
        );
        continue;
      }
      const documented = documentedSchema(method, path);
      expect(documented.least).toBe(least);
      documented.schema?.parse(answer.json());
    }
  }
  // Every look at a transcript and every change is written down with the person's name; nothing that was refused is.
  const audited = await console.audited();
  const lists = / session\.(?:search|download)$/;
  expect(audited.filter((line) => lists.test(line))).toHaveLength(2 * Object.keys(people).length);
  const gaps = audited.filter((line) => line.endsWith(" agent.gaps"));
  expect(gaps).toHaveLength(4);
  const told = audited.filter(
    (line) => !line.endsWith("sign_in") && !lists.test(line) && !gaps.includes(line),
  );
  expect(told).toEqual([
    "console:viewer session.read",
    "console:viewer of this account session.read",
    "console:operator session.read",
    "console:operator session.evaluate",
    "console:operator webhook.replay",
    "console:admin session.read",
    ...told.slice(6),
  ]);
  expect(told.slice(6)).toContain("console:admin webhook.replay");
  const { rows } = await database.pool.query("SELECT asked_by FROM erasures");
  expect(rows).toEqual([{ asked_by: "operator:console:admin" }]);
});

describe("signing in", () => {
  databaseTest(
    "takes a link that works once, for ten minutes, by its button",
    async ({ database }) => {
      const console = new Console(database);
      const token = await console.link({ name: "<b>Ada</b>", role: "viewer" });
      const page = await console.ask("GET", `/console/sign-in?token=${token}`);
      expect(page.statusCode).toBe(200);
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

  databaseTest("gives a new id, whatever cookie the browser brings", async ({ database }) => {
    const console = new Console(database);
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

  databaseTest("ends when it is idle, old, signed out or taken away", async ({ database }) => {
    const { pool } = database;
    const console = new Console(database);
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
    const console = new Console(database);
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
  const console = new Console(database, folder);
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
  const console = new Console(database);
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
