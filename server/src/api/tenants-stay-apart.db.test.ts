import { addCustomer, playSession, start, startServerProcess } from "#testing";
import type { Customer, ServerProcess, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect, onTestFinished } from "vitest";

const ACCOUNTS = 8;
const UNLIMITED = {
  SVC_EXPORT_RATE: "1000000",
  SVC_EXPORT_BURST: "1000000",
  SVC_MIGRATE: "off",
};
/** As a programmer who forgets the account filter would write the export. */
const FORGETFUL = {
  ...UNLIMITED,
  NODE_OPTIONS: `--import ${new URL("../testing/forget-account-filter.ts", import.meta.url).href}`,
};

databaseTest("no account reads another account's sessions", async ({ database }) => {
  const tenants = await addTenants(database, ACCOUNTS);
  const server = await startServer(database, UNLIMITED);
  const { rows, foreign, missing } = await askEverything(server.url, tenants);
  expect(rows).toBeGreaterThan(0);
  expect({ foreign, missing }).toEqual({ foreign: 0, missing: 0 });

  const mixed = tenants.map(({ customer }, index) => {
    const { customer: other } = tenants[(index + 1) % tenants.length]!;
    const authorization = `Basic ${btoa(`${customer.account.clientId}:${other.token}`)}`;
    return fetch(`${server.url}/v1/sessions.json`, { headers: { authorization } });
  });
  for (const { status } of await Promise.all(mixed)) expect(status).toBe(401);
});

databaseTest("row-level security alone keeps accounts apart", async ({ database }) => {
  const tenants = await addTenants(database, ACCOUNTS);
  const server = await startServer(database, FORGETFUL);
  const { rows, foreign, missing } = await askEverything(server.url, tenants);
  expect(rows).toBeGreaterThan(0);
  expect({ foreign, missing }).toEqual({ foreign: 0, missing: 0 });
  // A filter that is no longer found would be taken for a policy that holds.
  expect(server.log.filter(({ msg }) => msg === "account filter removed")).not.toEqual([]);

  // Without the filter and without the policies, accounts must be seen to leak into each other.
  for (const table of ["session_exports", "sessions", "account_clocks"]) {
    await database.pool.query(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
  }
  const leaking = await askEverything(server.url, tenants.slice(0, 3));
  expect(leaking.foreign).toBeGreaterThan(0);
});

async function startServer(
  database: TestDatabase,
  environment: Record<string, string>,
): Promise<ServerProcess> {
  const server = await startServerProcess(database, environment);
  onTestFinished(() => void server.stop());
  return server;
}

interface Answers {
  questions: number;
  rows: number;
  /** Ids and texts of another account. */
  foreign: number;
  /** Own sessions that a question for everything did not show. */
  missing: number;
}

const AT_ONCE = 6;

/** Asks every endpoint with every parameter for each tenant, also with cursors and names of the others. */
async function askEverything(url: string, tenants: Tenant[]): Promise<Answers> {
  const owner = new Map(
    tenants.flatMap((tenant) => [...tenant.ids].map((id) => [id, tenant] as const)),
  );
  const sum: Answers = { questions: 0, rows: 0, foreign: 0, missing: 0 };
  for (const [index, tenant] of tenants.entries()) {
    const other = tenants[(index + 1) % tenants.length]!;
    const queries = questions(tenant, other);
    // As many at once as the server reads pages at once: a flood would rightly be told to come back.
    const waiting = queries.values();
    const lane = async (): Promise<void> => {
      for (const query of waiting) await ask(url, tenant, query, owner, sum);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }
  return sum;
}

function questions(tenant: Tenant, other: Tenant): string[] {
  const fields = [
    "id",
    "metadata",
    "transcript",
    "summary",
    "evaluation",
    "email",
    "status,agent_id,id",
    "created_at,id",
  ];
  const positions = [
    "",
    "since=0",
    "since=-9223372036854775808",
    "since=1",
    `cursor=${tenant.cursor}`,
    `cursor=${other.cursor}`,
    "cursor=0.00000000-0000-0000-0000-000000000000",
  ];
  const smuggled = [
    `account_id=${other.customer.account.id}`,
    `client_id=${other.customer.account.clientId}`,
    `svc.account_id=${other.customer.account.id}`,
    `fields=id,account_id,account_id=${other.customer.account.id}`,
    `fields=id%27%20OR%20account_id=${other.customer.account.id}--`,
    `agent_id=${other.customer.agent.agentId}`,
  ];
  const queries = [
    ...positions,
    ...["1", "100"].map((limit) => `limit=${limit}`),
    ...fields.map((names) => `fields=${names}`),
    ...positions.slice(-3).map((position) => `${position}&limit=100&fields=id,metadata,summary`),
    ...smuggled,
  ];
  return queries.flatMap((query) => [`/v1/sessions.json?${query}`, `/v1/sessions.csv?${query}`]);
}

async function ask(
  url: string,
  tenant: Tenant,
  path: string,
  owner: Map<string, Tenant>,
  sum: Answers,
): Promise<void> {
  const basic = Buffer.from(
    `${tenant.customer.account.clientId}:${tenant.customer.token}`,
  ).toString("base64");
  const authorization =
    sum.questions++ % 2 === 0 ? `Bearer ${tenant.customer.token}` : `Basic ${basic}`;
  const response = await fetch(url + path, { headers: { authorization } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);

  const ids = text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
  const marks = text.match(/tenant-\d+-mark(?:-unsettled|-test)?/g) ?? [];
  const agents = text.match(/agent_[a-z0-9]{22}/g) ?? [];
  const foreign =
    ids.filter((id) => owner.get(id) !== tenant).length +
    marks.filter((mark) => mark !== tenant.mark).length +
    agents.filter((agent) => agent !== tenant.customer.agent.agentId).length;
  sum.rows += rowCount(path, text);
  sum.foreign += foreign;
  if (path.endsWith("?")) sum.missing += [...tenant.ids].filter((id) => !text.includes(id)).length;
}

function rowCount(path: string, text: string): number {
  if (path.includes(".csv")) return text.split("\r\n").length - 2;
  return (JSON.parse(text) as { items: unknown[] }).items.length;
}

/** An account whose every text says whose it is. */
interface Tenant {
  customer: Customer;
  mark: string;
  ids: Set<string>;
  /** A cursor behind its first session. */
  cursor: string;
}

const SESSIONS = 4;

async function addTenants(database: TestDatabase, count: number): Promise<Tenant[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => addTenant(database, number)));
}

async function addTenant({ db }: TestDatabase, number: number): Promise<Tenant> {
  const mark = `tenant-${number}-mark`;
  // Every third prefers speed, so that both ways of reading are asked.
  const customer = await addCustomer(db, {
    name: mark,
    exportMode: number % 3 === 0 ? "as_available" : "settled_prefix",
  });
  const played: { id: string; createdAt: Date }[] = [];
  for (let i = 0; i < SESSIONS; i++) {
    played.push(
      await playSession(db, customer, {
        metadata: { mark, email: `visitor@${mark}.example` },
        turns: [
          { role: "assistant", content: `${mark} asks` },
          { role: "user", content: `${mark} answers` },
        ],
        settlement: {
          status: "processed",
          summary: `${mark} summary`,
          evaluation: { summary: `${mark} evaluation` },
        },
      }),
    );
  }
  // Something unsettled and a test session: neither may ever be seen, by anybody.
  await start(db, customer, { metadata: { mark: `${mark}-unsettled` } });
  await playSession(db, customer, { test: true, metadata: { mark: `${mark}-test` } });
  const [first] = played;
  return {
    customer,
    mark,
    ids: new Set(played.map(({ id }) => id)),
    cursor: `${first!.createdAt.getTime()}.${first!.id}`,
  };
}
