import { issueToken } from "#accounts";
import type { ConsoleLogin, ConsoleRole } from "#accounts";
import { transact } from "#platform";
import type { Db } from "#platform";
import {
  addCustomer,
  addReceiver,
  playEvaluated,
  playSession,
  startEventReceiver,
  testSecretKeys,
} from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import document from "@svc/contract/admin-openapi.json" with { type: "json" };
import * as schemas from "@svc/contract/schemas";
import type { LightMyRequestResponse } from "fastify";
import { expect, it, onTestFinished, vi } from "vitest";
import type * as z from "zod";
import { ADMIN_ROUTES } from "./admin-routes.ts";
import type { AdminRoute } from "./admin-request.ts";
import { ConsoleUnderTest, COOKIE } from "./console-under-test.ts";

// Some 40 routes, each asked by 10 kinds of people, for 6 consoles.
vi.setConfig({ testTimeout: 120_000 });

/** How one route is asked, so that whoever may ask it gets what they ask for. */
interface Case {
  url?: string;
  body?: object;
  /** Asked by somebody who does not see the account, it does not exist. */
  hidden?: boolean;
  /** Reading that is written to the audit, as every change is. */
  isAudited?: boolean;
}

/** Two customers, of whom most people see both, and what the routes are asked about. */
class World {
  readonly database: TestDatabase;
  readonly customer: Customer;
  readonly other: Customer;
  readonly receiver: string;

  private constructor(database: TestDatabase, customer: Customer, other: Customer, url: string) {
    this.database = database;
    this.customer = customer;
    this.other = other;
    this.receiver = url;
  }

  static async of(database: TestDatabase): Promise<World> {
    const { url, close } = await startEventReceiver(() => 204);
    onTestFinished(close);
    const customer = await addCustomer(database.db, { name: "Acme" });
    return new World(database, customer, await addCustomer(database.db, { name: "Other" }), url);
  }

  /** Made anew for everybody who asks, because some of it can be asked once only. */
  readonly cases: Record<string, () => Promise<Case>> = {
    "GET /admin/v1/me": async () => ({}),
    "GET /admin/v1/me/tokens": async () => ({}),
    "POST /admin/v1/me/tokens": async () => ({ body: { label: "laptop" } }),
    "POST /admin/v1/me/tokens/:id/revoke": async () => {
      const { rows } = await this.database.pool.query<{ id: number }>(
        `INSERT INTO console_tokens (hash, user_id, label, expires_at)
         SELECT gen_random_uuid()::text::bytea, max(id), 'old', now() + interval '1 day' FROM console_users RETURNING id`,
      );
      return { url: `/admin/v1/me/tokens/${rows[0]!.id}/revoke` };
    },
    "GET /admin/v1/accounts": async () => ({}),
    "GET /admin/v1/accounts/:id/tokens": async () => this.#ofAccount("/tokens"),
    "POST /admin/v1/accounts/:id/tokens": async () => ({
      ...this.#ofAccount("/tokens"),
      body: { label: "warehouse" },
    }),
    "POST /admin/v1/tokens/:id/revoke": async () => {
      const { db } = this.database;
      const { id } = await transact(db, (trx) =>
        issueToken(trx, "test", "aa", this.customer.account.id, "old"),
      );
      return { url: `/admin/v1/tokens/${id}/revoke`, hidden: true };
    },
    "GET /admin/v1/agents": async () => ({}),
    "POST /admin/v1/agents/:id/pause": async () => this.#agent("live", "pause"),
    "POST /admin/v1/agents/:id/resume": async () => this.#agent("paused", "resume"),
    "GET /admin/v1/funnel": async () => ({
      url: "/admin/v1/funnel?by=agent&since=2026-01-01T00:00:00Z",
    }),
    "GET /admin/v1/agents/:id/gaps": async () => ({
      url: `/admin/v1/agents/${this.customer.agent.agentId}/gaps?since=2026-01-01T00:00:00Z`,
      hidden: true,
      isAudited: true,
    }),
    "GET /admin/v1/figures": async () => ({ url: "/admin/v1/figures?since=2026-01-01T00:00:00Z" }),
    "GET /admin/v1/status": async () => ({}),
    "GET /admin/v1/sessions": async () => ({
      url: "/admin/v1/sessions?text=twelve",
      isAudited: true,
    }),
    "GET /admin/v1/sessions.csv": async () => ({ isAudited: true }),
    "GET /admin/v1/sessions/:id": async () => ({
      url: `/admin/v1/sessions/${(await this.#session()).id}`,
      hidden: true,
      isAudited: true,
    }),
    "POST /admin/v1/sessions/:id/evaluate": async () => ({
      url: `/admin/v1/sessions/${(await this.#session()).id}/evaluate`,
      hidden: true,
    }),
    "GET /admin/v1/endpoints": async () => ({}),
    "POST /admin/v1/endpoints": async () => ({
      body: { account: this.customer.account.clientId, url: this.receiver },
      hidden: true,
    }),
    "GET /admin/v1/endpoints/:id": () => this.#endpoint(""),
    "POST /admin/v1/endpoints/:id/pause": () => this.#endpoint("/pause"),
    "POST /admin/v1/endpoints/:id/resume": () => this.#endpoint("/resume", "paused"),
    "POST /admin/v1/endpoints/:id/remove": () => this.#endpoint("/remove"),
    "POST /admin/v1/endpoints/:id/rotate": async () => ({
      ...(await this.#endpoint("/rotate")),
      body: { step: "stage" },
    }),
    "POST /admin/v1/endpoints/:id/test": () => this.#endpoint("/test"),
    "GET /admin/v1/deliveries": async () => ({}),
    "GET /admin/v1/deliveries/:id": async () => ({
      url: `/admin/v1/deliveries/${await this.#delivery()}`,
      hidden: true,
    }),
    "POST /admin/v1/deliveries/replay": async () => ({
      body: { ids: [await this.#delivery()] },
      hidden: true,
    }),
    "GET /admin/v1/erasures": async () => ({}),
    "POST /admin/v1/erasures": async () => ({
      body: { session_id: (await playSession(this.database.db, this.customer)).id },
    }),
  };

  /** What people of the console did, the oldest first: `console:Ada session.read`. */
  async audited(): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ line: string }>(
      "SELECT actor || ' ' || action AS line FROM audit WHERE actor LIKE 'console:%' ORDER BY id",
    );
    return rows.map(({ line }) => line);
  }

  #ofAccount(rest: string): Case {
    return { url: `/admin/v1/accounts/${this.customer.account.clientId}${rest}`, hidden: true };
  }

  async #agent(state: string, verb: string): Promise<Case> {
    await this.database.pool.query("UPDATE agents SET state = $1", [state]);
    return { url: `/admin/v1/agents/${this.customer.agent.agentId}/${verb}`, hidden: true };
  }

  async #endpoint(rest: string, state = "live"): Promise<Case> {
    const { id } = await addReceiver(this.database.db, this.customer, this.receiver);
    await this.database.pool.query("UPDATE webhook_endpoints SET state = $2 WHERE id = $1", [
      id,
      state,
    ]);
    return { url: `/admin/v1/endpoints/${id}${rest}`, hidden: true };
  }

  async #session(): Promise<{ id: string }> {
    return playEvaluated(this.database.db, this.customer);
  }

  async #delivery(): Promise<number> {
    const { db, pool } = this.database;
    const { id: endpoint } = await addReceiver(db, this.customer, this.receiver);
    const { id } = await this.#session();
    const { rows } = await pool.query<{ id: string }>(
      `UPDATE deliveries SET state = 'exhausted', finished_at = now()
       WHERE session_id = $1 AND endpoint_id = $2 RETURNING id`,
      [id, endpoint],
    );
    return Number(rows[0]!.id);
  }
}

interface Documented {
  "x-least-role": ConsoleRole;
  responses: Record<string, { content: Record<string, { schema: { $ref?: string } }> }>;
}

/** What the documentation says of a route. */
function documented({ method, path }: AdminRoute): Documented {
  const paths = document.paths as unknown as Record<string, Record<string, Documented>>;
  return paths[path.replace(":id", "{id}")]![method.toLowerCase()]!;
}

it("documents exactly the routes that there are", () => {
  const told = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace("{id}", ":id")}`),
  );
  const routes = ADMIN_ROUTES.map(({ method, path }) => `${method} ${path}`);
  expect(told.toSorted()).toEqual(routes.toSorted());
});

const RANK: Record<ConsoleRole, number> = { viewer: 0, operator: 1, admin: 2 };

interface Person {
  role: ConsoleRole;
  sees: "all" | "customer" | "other";
}

const PEOPLE: Record<string, Person> = {
  "viewer of another account": { role: "viewer", sees: "other" },
  viewer: { role: "viewer", sees: "all" },
  "viewer of this account": { role: "viewer", sees: "customer" },
  "operator of another account": { role: "operator", sees: "other" },
  "operator of this account": { role: "operator", sees: "customer" },
  operator: { role: "operator", sees: "all" },
  admin: { role: "admin", sees: "all" },
};

/** A console without one of its safeguards. */
interface Fault {
  routes?: AdminRoute[];
  /** What is asked on the way to the console. */
  tamper?: { origin?: undefined; cookie?: string };
  /** Sessions never end. */
  isTimeless?: boolean;
}

/** Asks every route as every kind of person, and tells where an answer is not the documented one. */
async function findGaps(world: World, fault: Fault = {}): Promise<string[]> {
  const { database, customer, other } = world;
  const gaps: string[] = [];
  const expectThat = (fits: boolean, words: string): void => void (fits || gaps.push(words));
  const routes = fault.routes ?? ADMIN_ROUTES;
  const console = new ConsoleUnderTest(database, { secretKeys: testSecretKeys }, routes);
  const expired = await console.signIn({ name: "Expired", role: "admin" });
  if (!fault.isTimeless) {
    await database.pool.query(
      "UPDATE console_sessions SET used_at = now() - interval '61 minutes'",
    );
  }
  const strangers = {
    "no session": undefined,
    expired,
    "an id that never was": `${COOKIE}=${"a".repeat(43)}`,
  };
  const signIn = async (name: string, { role, sees }: Person): Promise<string> => {
    const accounts = sees === "all" ? [] : [(sees === "other" ? other : customer).account.id];
    const login: ConsoleLogin = { name, role, ...(accounts.length > 0 && { accounts }) };
    return console.signIn(login);
  };
  for (const route of routes) {
    const { method, path } = route;
    const key = `${method} ${path}`;
    const { url = path, body } = await world.cases[key]!();
    for (const [who, cookie] of Object.entries(strangers)) {
      const { statusCode } = await console.ask(method, url, cookie, { body });
      expectThat(statusCode === 401, `${key}, ${who}: ${statusCode}`);
    }
  }
  for (const [who, person] of Object.entries(PEOPLE)) {
    const cookie = await signIn(who, person);
    for (const route of routes) {
      const { method, path } = route;
      const key = `${method} ${path}`;
      const { url = path, body, hidden = false, isAudited = false } = await world.cases[key]!();
      const before = (await world.audited()).length;
      const origin = "origin" in (fault.tamper ?? {}) ? undefined : "https://evil.example";
      const foreign = await console.ask(method, url, cookie, { origin, body });
      const isRefused = foreign.statusCode === 403 && codeOf(foreign) === "other_origin";
      expectThat(isRefused, `${key}, ${who}, other origin: ${foreign.statusCode}`);

      const { "x-least-role": least, responses } = documented(route);
      const sees = person.sees !== "other";
      const expected = RANK[person.role] < RANK[least] ? 403 : hidden && !sees ? 404 : 200;
      const answer = await console.ask(method, url, cookie, { body });
      const { statusCode, headers } = answer;
      expectThat(statusCode === expected, `${key}, ${who}: ${statusCode}, not ${expected}`);
      expectThat(sees || !answer.body.includes("Acme"), `${key}, ${who}: tells of Acme`);
      for (const [name, value] of Object.entries(HEADERS)) {
        expectThat(String(headers[name]).includes(value), `${key}, ${who}: header ${name}`);
      }
      expectThat(String(statusCode) in responses, `${key}, ${who}: ${statusCode} is undocumented`);
      const misfit = misfitOf(answer, responses[String(statusCode)]);
      expectThat(misfit === undefined, `${key}, ${who}: ${misfit}`);
      const written = (await world.audited()).slice(before);
      const isWritten = statusCode === 200 && (method === "POST" || isAudited);
      const fits =
        written.length === Number(isWritten) &&
        written.every((line) => line.startsWith(`console:${who} `));
      expectThat(fits, `${key}, ${who}: the audit says ${written.join()}`);
    }
  }
  return gaps;
}

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
  "cross-origin-resource-policy": "same-origin",
};

function codeOf(answer: LightMyRequestResponse): string {
  return (answer.json() as { error?: { code: string } }).error?.code ?? "";
}

/** Why an answer does not fit its documented schema. */
function misfitOf(
  answer: LightMyRequestResponse,
  response: Documented["responses"][string] | undefined,
): string | undefined {
  const { $ref } = response?.content["application/json"]?.schema ?? {};
  if ($ref === undefined) return undefined;
  const { [$ref.split("/").at(-1)!]: schema } = { ...schemas } as unknown as Record<
    string,
    z.ZodType
  >;
  const parsed = schema!.safeParse(answer.json());
  return parsed.success ? undefined : parsed.error.message;
}

databaseTest("every route answers each kind of person as documented", async ({ database }) => {
  const world = await World.of(database);
  expect(Object.keys(world.cases).toSorted()).toEqual(
    ADMIN_ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
  expect(await findGaps(world)).toEqual([]);
});

/** A few routes are enough for a fault to show. */
const SOME = ADMIN_ROUTES.filter(({ path }) =>
  /\/(?:erasures|agents|sessions)(?:\/:id\/\w+)?$/.test(path),
);
const planted = (change: (route: AdminRoute) => Partial<AdminRoute>): AdminRoute[] =>
  SOME.map((route) => ({ ...route, ...change(route) }));

databaseTest.for([
  ["a role too low", { routes: planted(() => ({ least: "viewer" })) }, "viewer: 200, not 403"],
  [
    "accounts that are not compared",
    {
      routes: planted(({ answer }) => ({
        answer: (request) => answer({ ...request, user: { ...request.user, accounts: undefined } }),
      })),
    },
    "viewer of another account: tells of Acme",
  ],
  [
    "an origin that is not compared",
    { tamper: { origin: undefined }, routes: SOME },
    "other origin: 200",
  ],
  ["sessions that never end", { isTimeless: true, routes: SOME }, "expired: 200"],
  [
    "a change that is not written down",
    {
      routes: planted(({ answer }) => ({
        answer: (request) => answer({ ...request, user: { ...request.user, actor: "os:root" } }),
      })),
    },
    "operator: the audit says ",
  ],
] as [string, Fault, string][])("the check reports %s", async ([, fault, gap], { database }) => {
  const gaps = await findGaps(await World.of(database), fault);
  expect(gaps.filter((line) => line.includes(gap))).not.toEqual([]);
});

it("has no other routes than these and the console's pages", async () => {
  const console = new ConsoleUnderTest({ db: {} as Db });
  await console.app.ready();
  expect(console.routes.filter((route) => !route.includes(" /admin/"))).toEqual([
    "GET /console/sign-in",
    "POST /console/sign-in/link",
    "POST /console/sign-in",
    "POST /console/sign-out",
    "GET /console/assets/:name",
    "GET /console",
    "GET /console/*",
  ]);
});
