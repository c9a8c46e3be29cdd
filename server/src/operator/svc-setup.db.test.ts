import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { transact } from "#platform";
import {
  addCustomer,
  addReceiver,
  playEvaluated,
  playSession,
  start,
  startScriptedDns,
  startServerProcess,
  SvcUnderTest,
  testSecrets,
  writeBuilt,
} from "#testing";
import type { SvcDesk, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { stageSecret } from "#webhooks";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";

const under = new SvcUnderTest("setup");
const desk: SvcUnderTest["desk"] = (...given) => under.desk(...given);
afterAll(() => under.close());
// Dozens of processes in one test, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });
const NOT_UNDERSTOOD = "This command line was not understood.";

interface Examination {
  checks: { name: string; state: string; fix?: string }[];
}

describe("the surroundings", () => {
  databaseTest("are named where they are at fault, not the command", async ({ database }) => {
    const well = desk(database);
    const { environment } = well.surroundings;
    const at = (change: Partial<URL>): SvcDesk =>
      desk(database, { SVC_DATABASE_URL: Object.assign(new URL(database.url), change).href });
    const nothing = well.with({ environment: {} });
    const development = join(under.directory, "development");
    await mkdir(join(development, ".dev"), { recursive: true });
    const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(development, ".dev", "svc.env"), settings.join(""));

    const away = at({ port: "1" });
    await away.refuses(["accounts list", 3, "The database cannot be reached."]);
    await away.tells("doctor", ["fail  database", "skip  migrations"], 1);
    await at({ username: "stranger" }).refuses(["audit list", 3, "The database refused"]);
    await at({ pathname: "/nowhere" }).refuses(["agents list", 3, "The database does not exist."]);
    const unknown = "svc does not know which database to use.";
    await nothing.refuses(["accounts list", 2, unknown]);
    await desk(database, { SVC_DATABASE_URL: "canary-of-the-owner" }).refuses([
      "tokens list x",
      2,
      unknown,
    ]);
    await nothing.with({ directory: development }).tells("db status", ["MIGRATION"]);
    await well.refuses(
      ["acounts list", 2, NOT_UNDERSTOOD],
      ["accounts lst", 2, NOT_UNDERSTOOD],
      ["accounts list --all", 2, NOT_UNDERSTOOD],
      ["accounts list acme", 2, NOT_UNDERSTOOD],
    );
    await well.tells("", ["Usage: svc"]);
    await well.tells("accounts", ["Usage: svc accounts"]);
    await well.tells("completion bash", ["complete -o default -F _svc svc"]);
    await well.answers("completion fish");
    const built = well.with({ environment: { SVC_COMMIT: "0a1b2c3" } });
    await built.tells("--version", ["svc 0.1.0 (commit 0a1b2c3)"]);
  });

  databaseTest("are examined by the doctor", async ({ database }) => {
    const sdk = join(under.directory, "sdk");
    await mkdir(sdk);
    await writeBuilt(sdk, "sdk.js", 'var s={version:"1.2.3"};');
    const server = await startServerProcess(database, { SVC_SDK_DIR: sdk });
    onTestFinished(async () => void (await server.stop()));
    const names = await startScriptedDns(() => "nxdomain");
    onTestFinished(() => names.close());
    const healthy = desk(database, {
      SVC_SDK_DIR: sdk,
      SVC_PUBLIC_URL: server.url,
      SVC_DNS_SERVERS: names.server,
    });
    const { checks } = await healthy.answers<Examination>("doctor");
    expect(checks.filter(({ state, fix }) => state === "fail" || fix !== undefined)).toEqual([]);
    expect(checks.length).toBeGreaterThanOrEqual(30);

    await database.pool.query("ALTER TABLE session_exports DISABLE ROW LEVEL SECURITY");
    const { SVC_PUBLIC_URL: _, ...incomplete } = healthy.surroundings.environment;
    const found = ["fail  configuration", "SVC_PUBLIC_URL", "sees every account", "2 failed"];
    await healthy.with({ environment: incomplete }).tells("doctor", found, 1);
  });

  databaseTest("are missed while nothing runs", async ({ database }) => {
    const svc = desk(database);
    await svc.tells("status", ["No process has reported", "no process with the role api"], 1);
    await svc.answers("status", 1);
  });

  databaseTest("of a database without a schema lead to its migration", async ({ database }) => {
    const name = `${new URL(database.url).pathname.slice(1)}_fresh`;
    await database.pool.query(`CREATE DATABASE ${name}`);
    const [url, exportUrl] = [database.url, database.exportUrl].map((one) =>
      one.replace(/[^/]+$/, name),
    ) as [string, string];
    const fresh = desk({ ...database, url, exportUrl });
    await fresh.refuses(["accounts list", 3, "The database's schema does not fit"]);
    const { checks } = await fresh.answers<Examination>("doctor", 1);
    const failed = checks.filter(({ state }) => state === "fail").map((check) => check.name);
    expect(failed).toEqual(expect.arrayContaining(["migrations", "export login"]));
    await fresh.tells("db status", ["missing", "Run `svc db migrate`."], 1);
    const before = await fresh.answers<{ migrations: unknown[] }>("db status", 1);
    const { applied } = await fresh.answers<{ applied: string[] }>("db migrate");
    expect(applied).toHaveLength(before.migrations.length);
    await fresh.tells("db migrate", ["The schema is up to date."]);
    await fresh.tells("db status", applied);
    await writeFile(join(under.directory, "api.log"), "");
    await fresh.tells("db restored --erased api.log", ["No erasure was named."]);
    await fresh.answers("db restored");
    await fresh.tells("accounts list", ["No accounts yet. Add one: svc accounts add"]);
  });
});

const COLUMNS =
  "export_mode, default_agent_id AS default_agent, contact_email AS contact, retention_days, follow_up, confirm_transcript, limits";

interface ShownAccount {
  client_id: string;
  name: string;
  settings: Record<string, unknown>;
  sessions: unknown;
  tokens: { id: number }[];
  edge?: { session_id: string; held: number };
}

databaseTest("accounts are added, shown and changed", async ({ database }) => {
  const { db, pool } = database;
  const svc = desk(database);
  const stored = async (clientId: string): Promise<unknown> =>
    (await pool.query(`SELECT ${COLUMNS} FROM accounts WHERE client_id = $1`, [clientId])).rows[0];
  const initech = await svc.answers<ShownAccount>("accounts add Initech");
  expect(await stored(initech.client_id)).toBeDefined();
  await svc.tells("accounts add Initrode", ["Added Initrode.", "client_aa"]);

  const umbrella = await addCustomer(db, { name: "Umbrella" });
  await playSession(db, umbrella);
  const open = await start(db, umbrella);
  await playSession(db, umbrella);
  const { clientId, id } = umbrella.account;
  const { accounts } = await svc.answers<{ accounts: ShownAccount[] }>("accounts list");
  expect(accounts.map(({ name }) => name)).toEqual(["Initech", "Initrode", "Umbrella"]);
  await svc.tells("accounts list", ["Initrode", clientId]);
  expect(await svc.answers<ShownAccount>(`accounts show ${id}`)).toMatchObject({
    client_id: clientId,
    name: "Umbrella",
    edge: { session_id: open.id, held: 1 },
    sessions: { active: 1, last_24_hours: { abandoned: 0, processed: 2, error: 0 } },
    tokens: [{ id: umbrella.tokenId }],
  });
  await svc.tells("accounts show umbr", [clientId, `Held at session ${open.id}`]);

  const set = `accounts set ${clientId}`;
  const { changed } = await svc.answers<{ changed: unknown[] }>(
    `${set} --export-mode as_available --default-agent guide --follow-up on --confirm-transcript off --contact ops@umbrella.example --retention-days 90 --limit at_once_per_agent=200 --limit at_once_per_address=none`,
  );
  expect(changed).toHaveLength(8);
  const set90Days = {
    export_mode: "as_available",
    default_agent: umbrella.agent.agentId,
    contact: "ops@umbrella.example",
    retention_days: 90,
    follow_up: true,
    confirm_transcript: false,
    limits: { at_once_per_agent: 200, at_once_per_address: null },
  };
  expect(await stored(clientId)).toEqual(set90Days);
  const { settings } = await svc.answers<ShownAccount>(`accounts show ${clientId}`);
  expect(settings).toMatchObject({
    contact: "ops@umbrella.example",
    retention_days: 90,
    default_agent: umbrella.agent.agentId,
  });
  const back = `${set} --export-mode settled_prefix --follow-up off --confirm-transcript on --contact none --limit at_once_per_agent=default --default-agent none`;
  await svc.tells(back, ["limits.at_once_per_agent", "200", "settled_prefix"]);
  await svc.tells(back, ["Nothing changed"]);
  const setBack = {
    export_mode: "settled_prefix",
    default_agent: null,
    contact: null,
    retention_days: 90,
    follow_up: false,
    confirm_transcript: true,
    limits: { at_once_per_address: null },
  };
  expect(await stored(clientId)).toEqual(setBack);

  await svc.refuses(
    [["accounts", "show", "initech or so"], 1, "There is no account"],
    ["accounts show init", 1, '"init" fits several accounts.'],
    [["accounts", "add", "  "], 2, "The account's name was not taken."],
    [set, 2, "There is nothing to set."],
    [`${set} --limit at_once=5`, 2, 'There is no limit "at_once".'],
    [`${set} --limit at_once_per_agent=0`, 2, "The limit at_once_per_agent"],
    [`${set} --retention-days 0`, 2, '"0" is no number of days.'],
    [`${set} --contact nobody`, 2, "The contact was not taken."],
    [`${set} --default-agent nobody`, 1, 'There is no agent "nobody".'],
    [`${set} --export-mode fast`, 2, NOT_UNDERSTOOD],
  );
  expect(await stored(clientId)).toEqual(setBack);

  expect(await svc.answers(`accounts rename ${clientId} Raccoon`)).toMatchObject({ to: "Raccoon" });
  await svc.tells("accounts rename raccoon Raccoon", ["Nothing changed"]);
  await svc.tells("accounts remove racc", ["Nothing has been changed.", "3, 1 of them going on"]);
  await svc.refuses(["accounts remove racc --yes", 2, "The account was not removed."]);
  expect(await stored(clientId)).toBeDefined();
  expect(await svc.answers("accounts remove raccoon --yes")).toMatchObject({
    removed: true,
    sessions: 3,
  });
  expect(await stored(clientId)).toBeUndefined();
  await svc.refuses([`accounts show ${clientId}`, 1, "There is no account"]);
});

databaseTest(
  "tokens open the export until they are revoked, and leave a trail",
  async ({ database }) => {
    const server = await startServerProcess(database, { SVC_MIGRATE: "off" });
    onTestFinished(() => void server.stop());
    const svc = desk(database, { SVC_PUBLIC_URL: server.url });
    const { account } = await addCustomer(database.db, { name: "Hooli" });
    const status = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${server.url}/v1/sessions.json`, { headers })).status;
    };
    const issue = "tokens issue hooli --label";
    const { id, token } = await svc.answers<{ id: number; token: string }>(`${issue} warehouse`);
    const printed = await svc.tells([...issue.split(" "), "by hand"], ["curl", "shown this once"]);
    const lines = printed.out.split("\n").filter((line) => /^ {2}(?:SVC_TOKEN=|curl )/.test(line));
    expect(lines).toHaveLength(2);
    const { stdout } = await promisify(execFile)("bash", ["-c", lines.join("\n")]);
    expect(stdout).toMatch(/^\{"items":\[/);

    await svc.tells(`tokens revoke ${id}`, [`Revoked token ${id}`]);
    expect(await status(token)).toBe(401);
    const other = await svc.answers<{ id: number; token: string }>(`${issue} other`);
    expect(await status(other.token)).toBe(200);
    await svc.answers(`tokens revoke ${other.id}`);
    const { tokens } = await svc.answers<{ tokens: { label: string; revoked_at?: string }[] }>(
      `tokens list ${account.clientId}`,
    );
    expect(
      tokens.map(
        ({ label, revoked_at: at }) => `${label}: ${at === undefined ? "works" : "revoked"}`,
      ),
    ).toEqual(
      expect.arrayContaining([
        "by hand: works",
        "other: revoked",
        "test: works",
        "warehouse: revoked",
      ]),
    );
    await svc.tells("tokens list hooli", ["warehouse", "revoked", "by hand", "works"]);
    await svc.refuses(
      [`tokens revoke ${id}`, 1, `There is no working token ${id}.`],
      ["tokens revoke first", 2, '"first" is no token number.'],
      [[...issue.split(" "), " "], 2, "The label was not taken."],
      ["tokens list hooligans", 1, 'There is no account "hooligans".'],
    );

    const list = `audit list --account ${account.clientId}`;
    const { entries } = await svc.answers<{ entries: object[] }>(`${list} --since 1h`);
    expect(entries.slice(0, 2)).toMatchObject([
      { action: "token.revoke", subject: String(other.id), detail: {} },
      { action: "token.issue", subject: String(other.id), detail: { label: "other" } },
    ]);
    const { rowCount } = await database.pool.query("SELECT FROM audit WHERE account_id = $1", [
      account.id,
    ]);
    expect(entries).toHaveLength(rowCount!);
    expect(await svc.answers(`${list} --limit 1`)).toMatchObject({ more: true });
    await svc.tells(`${list} --limit 2`, ["token.revoke", "label other", "raise --limit"]);
    await svc.tells("audit list --since 2099-01-01", ["No change fits."]);
    await svc.refuses(["audit list --account skynet", 1, 'There is no account "skynet".']);
  },
);

// The tests of commands/agents hold what each of these prints.
databaseTest("people are let into the console", async ({ database }) => {
  await addCustomer(database.db, { name: "Cyberdyne" });
  const svc = desk(database, { SVC_PUBLIC_URL: "https://svc.example.com" });
  const login = "console login --name";
  await svc.tells("console list", ["Nobody yet."]);
  await svc.refuses(
    [`${login} sarah`, 2, "There is nobody named sarah yet."],
    [`${login} sarah --role admin --account cyberdyne`, 2, "sarah cannot be admin of some"],
    [`${login} sarah --role viewer --account cyberdyne --all-accounts`, 2, "It is not clear"],
    [`${login} sarah --role viewer --account skynet`, 1, 'There is no account "skynet".'],
    ["console remove sarah", 1, "There is nobody named sarah."],
  );
  await svc.tells(`${login} sarah --role viewer --account cyberdyne`, [
    "sarah, viewer of Cyberdyne.",
    "https://svc.example.com/console/sign-in#",
  ]);
  await svc.tells(`${login} miles --role operator`, ["miles, operator of all accounts."]);
  await svc.tells(`${login} miles --token`, ["SVC_SERVER_TOKEN=operator_"]);
  const { user } = await svc.answers<{ user: object }>(
    `${login} sarah --role admin --all-accounts`,
  );
  expect(user).toEqual({ name: "sarah", role: "admin" });
  await svc.tells("console list", ["miles", "operator", "sarah", "admin", "all accounts"]);
  expect(await svc.answers("console remove miles")).toEqual({ name: "miles" });
  expect(await svc.answers("console list")).toMatchObject({ users: [{ user: { name: "sarah" } }] });
});

describe("the audit", () => {
  databaseTest("says who it was, and how that is known", async ({ database }) => {
    const svc = desk(database);
    await svc.answers("accounts add One");
    await desk(database, { SVC_OPERATOR: "Ada Lovelace" }).answers("accounts add Two");
    const as = ["--as", "ben"];
    await desk(database, { SVC_OPERATOR: "Ada" }).answers(["accounts", "add", "Three", ...as]);
    const { entries } = await svc.answers<{ entries: { actor: string; actor_kind: string }[] }>(
      "audit list",
    );
    const user = userInfo().username;
    expect(entries.map(({ actor, actor_kind: kind }) => [actor, kind])).toEqual([
      ["named:ben", "named"],
      ["named:Ada Lovelace", "named"],
      [`os:${user}`, "os"],
    ]);
    await svc.refuses([["accounts", "add", "Four", "--as", " "], 2, "The name after --as"]);
    const two = desk(database, { SVC_OPERATOR: "two\nlines" });
    await two.refuses(["accounts add Four", 2, "svc does not know who runs it."]);
    // Who only looks is nobody to the audit, and can still look.
    await two.tells("accounts list", ["Three"]);
  });

  databaseTest("is written with every change, or nothing is changed", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db, { name: "Soylent" });
    const session = await playSession(db, customer);
    const endpoint = await addReceiver(db, customer, "http://127.0.0.1:9/hook");
    await transact(db, (trx) => stageSecret(trx, "ada", testSecrets, endpoint.id));
    await playEvaluated(db, customer);
    await pool.query("UPDATE deliveries SET state = 'exhausted', finished_at = now()");
    const svc = desk(database);
    const soylent = "--account soylent";
    await svc.run("agents init agents/green");
    await svc.run(`mail suppress bob@soylent.example ${soylent}`);
    const imported = { id: "0e0e0e0e-0000-4000-8000-0000000000ff", agent_id: "x" };
    await writeFile(
      join(under.directory, "soylent.ndjson"),
      JSON.stringify({ ...imported, status: "abandoned", created_at: "2025-03-01T10:00:00.250Z" }),
    );
    const changes: [argv: string, action: string][] = [
      ["accounts add Second", "account.add"],
      [`accounts set soylent --retention-days 30`, "account.set"],
      ["tokens issue soylent --label unaudited", "token.issue"],
      [`tokens revoke ${customer.tokenId}`, "token.revoke"],
      [`agents apply agents/green ${soylent}`, "agent.add agent.version"],
      ["agents pause guide", "agent.pause"],
      ["agents preview guide", "agent.preview"],
      [`sessions import soylent.ndjson ${soylent} --agent guide`, "session.import"],
      [`evaluate ${session.id} --no-wait`, "session.evaluate"],
      [`webhooks add https://soylent.example/hook ${soylent}`, "webhook.add"],
      [`webhooks rotate ${endpoint.id} --activate`, "webhook.activate"],
      [`webhooks rotate ${endpoint.id} --now`, "webhook.rotate"],
      [`webhooks test ${endpoint.id}`, "webhook.test"],
      [`webhooks pause ${endpoint.id}`, "webhook.pause"],
      ["deliveries replay 1", "webhook.replay"],
      [`webhooks remove ${endpoint.id} --yes`, "webhook.remove"],
      [`mail suppress ada@soylent.example ${soylent}`, "mail.suppress"],
      [`mail allow bob@soylent.example ${soylent}`, "mail.allow"],
      ["console login --name ada --role viewer", "console.link"],
      ["agents remove guide --yes", "agent.remove"],
      ["accounts rename soylent Green", "account.rename"],
      [`accounts remove ${customer.account.clientId} --yes`, "account.close account.remove"],
    ];
    await breakAudit(database);
    const before = await fingerprint(database);
    for (const [argv] of changes) {
      const { exitCode, out, err } = await svc.run(argv);
      expect([exitCode > 0, out, err], argv).toEqual([
        true,
        "",
        expect.stringContaining("The audit is full."),
      ]);
    }
    expect(await fingerprint(database)).toEqual(before);

    // The control: the same commands change something, and tell it, once the audit is back.
    await pool.query("DROP TRIGGER refuse_audit ON audit");
    const told: string[] = [];
    for (const [argv] of changes) {
      const {
        rows: [{ last }],
      } = await pool.query("SELECT max(id) AS last FROM audit");
      await svc.run(argv);
      const { rows } = await pool.query("SELECT action FROM audit WHERE id > $1 ORDER BY id", [
        last,
      ]);
      told.push(rows.map(({ action }) => action).join(" "));
    }
    expect(told).toEqual(changes.map(([, action]) => action));
    expect(await fingerprint(database)).not.toEqual(before);
  });

  async function breakAudit({ pool }: TestDatabase): Promise<void> {
    await pool.query(`
      CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the audit is full';
      END $$;
      CREATE TRIGGER refuse_audit BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION refuse_audit()`);
  }

  /** Everything that is stored: for each table the number of its rows and a hash of them. */
  async function fingerprint({ pool }: TestDatabase): Promise<string[]> {
    const { rows: tables } = await pool.query<{ name: string }>(
      "SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1",
    );
    return Promise.all(
      tables.map(async ({ name }) => {
        const { rows } = await pool.query<{ hash: string }>(
          `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS hash FROM ${name} AS t`,
        );
        return `${name} ${rows[0]!.hash}`;
      }),
    );
  }
});

it("every command, flag and choice that the help shows was used", () => under.checkCoverage());

it("no password was printed, and no secret twice", () => under.checkSecrets());
