import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { transact } from "#platform";
import {
  addCustomer,
  addReceiver,
  applyFolder,
  playEvaluated,
  playSession,
  start,
  startRehearsedModels,
  startScriptedDns,
  startServerProcess,
  SvcUnderTest,
  testSecrets,
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
    for (const ending of ["", ".br", ".gz"])
      await writeFile(join(sdk, `sdk.js${ending}`), 'var s={version:"1.2.3"};');
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
databaseTest("agents go from an example to a page", async ({ database }) => {
  const { account } = await addCustomer(database.db, { name: "Aperture" });
  const svc = desk(database);
  await svc.tells("agents init agents/turret", ["Wrote", "agent.yaml"]);
  await svc.answers("agents init agents/cube");
  const turret = "agents/turret --account aperture";
  await svc.tells(`agents plan ${turret}`, ["Nothing has changed yet."]);
  const plan = await svc.answers<{ changes: unknown[] }>(`agents plan ${turret}`);
  expect(plan.changes.length).toBeGreaterThan(0);
  const applied = await svc.answers<{ agent_id: string }>(`agents apply ${turret}`);
  expect(applied).toMatchObject({ applied: true, version: 1 });
  await svc.tells(`agents apply ${turret}`, ["Nothing to do."]);
  const id = applied.agent_id;
  const stored = async (): Promise<unknown> =>
    (await database.pool.query("SELECT account_id, slug, state FROM agents WHERE id = $1", [id]))
      .rows[0];
  const row = { account_id: account.id, slug: "turret" };
  expect(await stored()).toEqual({ ...row, state: "live" });

  await svc.tells("agents list", ["turret", id]);
  expect(await svc.answers("agents list --account aperture")).toMatchObject({
    agents: [{ slug: "guide" }, { slug: "turret" }],
  });
  await svc.tells(`agents show ${id}`, ["turret", "Aperture"]);
  await svc.answers("agents show turret");
  await svc.tells("agents pause turret", ["turret is paused"]);
  expect(await stored()).toEqual({ ...row, state: "paused" });
  await svc.answers("agents pause turret");
  await svc.answers("agents resume turret");
  expect(await stored()).toEqual({ ...row, state: "live" });
  await svc.tells("agents resume turret", ["turret is live"]);
  await svc.tells("agents snippet turret", [id, "svc-sdk"]);
  await svc.tells("agents snippet turret --short", ["SvcConfig", "sdk.js"]);
  await svc.answers(`agents snippet ${id}`);
  const minted = await svc.answers<{ token: string }>(
    "agents preview turret --expires 7d --label review",
  );
  expect(minted.token.length).toBeGreaterThan(20);
  await svc.tells("agents preview turret", ["shown this once"]);

  await svc.tells("agents remove turret", ["Nothing has been changed.", "Run it again with --yes"]);
  expect(await svc.answers("agents remove turret --yes")).toMatchObject({ removed: true, id });
  await svc.refuses(["agents show turret", 1, 'The agent "turret" was removed.']);
  await svc.tells(`agents plan ${turret}`, ["was removed, with version 1"]);
  await svc.tells(`agents apply ${turret}`, ["It is back.", id]);

  const cube = join(under.directory, "agents/cube/agent.yaml");
  await writeFile(cube, `${await readFile(cube, "utf8")}\nnmae: Cube\nlangages: x\n`);
  await svc.refuses(
    ["agents show glados", 1, 'There is no agent "glados".'],
    ["agents pause glados", 1, 'There is no agent "glados".'],
    ["agents plan nothing --account aperture", 1, "nothing"],
    ["agents apply agents/cube --account aperture", 2, "agents/cube"],
  );
});

databaseTest("places are visited in a browser", async ({ database }) => {
  const site = createServer(({ url }, response) => {
    const page = '<script id="svc-sdk"></script><my-plans></my-plans><p id="bare">Plans</p>';
    const own = `<script>document.querySelector("my-plans").attachShadow({mode:"open"}).innerHTML="<b>Team</b>"</script>`;
    response.writeHead(url === "/prices" ? 200 : 404, { "content-type": "text/html" });
    response.end(url === "/prices" ? page + own : "Nothing here");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void site.close());
  await once(site, "listening");
  const { port } = site.address() as AddressInfo;
  const folder = join(under.directory, "agents/atlas");
  await mkdir(folder, { recursive: true });
  const places = `  plans: {path: /prices, selector: my-plans >>> b}\n  gone: {path: /none, selector: p}\n`;
  await writeFile(join(folder, "agent.yaml"), `name: Atlas\nplaces:\n${places}`);
  const svc = desk(database);
  const check = `agents check agents/atlas http://127.0.0.1:${port}`;
  await svc.tells(check, ["plans  found", "status 404", "1 of 2 places of atlas are found."], 1);
  await svc.refuses(
    [`${check} --browser /nowhere/chromium`, 1, "There is no browser to look with."],
    ["agents check agents/atlas here", 2, '"here" is no address of a site.'],
  );
});

const GREETING = "Good evening, an AI speaks.";
const scenario = (name: string, expected: string): string =>
  `name: ${name}\nvisitor: {says: [Hello]}\nexpect: {must_say: ["${expected}"]}\n`;

databaseTest("models are tried on an agent and on a rubric", async ({ database }) => {
  const { db } = database;
  const folder = join(under.directory, "agents/holly");
  await mkdir(join(folder, "scenarios"), { recursive: true });
  const yaml = `name: Holly\nlanguages: {en: {greeting: "${GREETING}"}}\nquestions: {team: Who?}\n`;
  await writeFile(join(folder, "agent.yaml"), yaml);
  await writeFile(join(folder, "scenarios/greets.yaml"), scenario("It greets", "an AI speaks"));
  await writeFile(join(folder, "scenarios/sings.yaml"), scenario("It sings", "la la la"));
  const { rehearsal } = await startRehearsedModels();
  onTestFinished(() => rehearsal.close());
  await rehearsal.setFaults([{ kind: "refusal", model: "mute" }]);
  const modelless = desk(database);
  const svc = desk(database, {
    SVC_MODEL_URL: rehearsal.baseUrl,
    SVC_CONVERSATION_MODEL: "rehearsal",
    SVC_EVALUATION_MODEL: "rehearsal",
  });

  const all = "agents rehearse agents/holly";
  const failing = ["holly passed 0 of 1 scenarios", 'to hear "la la la"', `agent ${GREETING}`];
  await svc.tells(`${all} --only sings`, failing, 1);
  const passing = ["holly passed 1 of 1 scenarios with rehearsal."];
  await svc.tells(`${all} --only greets`, passing);
  const other = `${all} --only greets --model other --at-once 1 --model-url ${rehearsal.baseUrl}`;
  const played = await svc.answers<{ scenarios: { transcript: unknown[] }[] }>(other);
  expect(played).toMatchObject({ model: "other", passed: 1, failed: 0 });
  expect(played.scenarios[0]!.transcript[0]).toEqual({ role: "assistant", content: GREETING });
  const away = `${all} --only greets --model-url http://127.0.0.1:1/v1`;
  await svc.refuses(
    [`${all} --at-once 0`, 2, '"0" is no number of conversations.'],
    [`${all} --model-url here`, 2, '"here" is no address of a model.'],
    [away, 1, "The model left every visitor without an answer."],
  );

  const customer = await addCustomer(db, { name: "Tyrell" });
  const { agentId, version } = await applyFolder(db, customer.account.id, folder);
  const session = await playSession(db, { ...customer, agent: { agentId, version } });
  await svc.tells("rubric score", ["100 % of what rehearsal says", "was_answered"]);
  const score = await svc.answers<{ agreed: number; compared: number }>("rubric score");
  expect(score.agreed).toBe(score.compared);
  expect(score.agreed).toBeGreaterThan(0);
  const tryIt = "rubric try agents/holly --account tyrell";
  await svc.tells(tryIt, ["rehearsal judged 1 session of holly", "Nothing was written."]);
  expect(await svc.answers(`${tryIt} --last 5 --model other`)).toMatchObject({
    judged: 1,
    sessions: [{ id: session.id }],
  });
  await svc.refuses(
    ["rubric score --model mute", 1, "mute judged no conversation."],
    [`${tryIt} --last 0`, 2, '"0" is no number of sessions.'],
    [`${tryIt} --model mute`, 1, "mute judged no conversation."],
  );
  const unknown = "svc does not know which model to ask.";
  await modelless.refuses([all, 2, unknown], ["rubric score", 2, unknown]);
});

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
    "https://svc.example.com/console/sign-in?token=",
  ]);
  await svc.tells(`${login} miles --role operator`, ["miles, operator of all accounts."]);
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
