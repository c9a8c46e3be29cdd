import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  addCustomer,
  applyFolder,
  playSession,
  startRehearsedModels,
  SvcUnderTest,
} from "#testing";
import { databaseTest } from "#testing/database-test";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";

const under = new SvcUnderTest("agents");
const desk: SvcUnderTest["desk"] = (...given) => under.desk(...given);
afterAll(() => under.close());
// Dozens of processes in one test, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

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

databaseTest("a site becomes an agent's folder that can be applied", async ({ database }) => {
  const page = (title: string, text: string): string =>
    `<html lang="en"><title>${title}</title><a href="/prices">Prices</a><main><h1>${title}</h1><p>${text}</p></main></html>`;
  const pages: Record<string, string> = {
    "/": page("Wheatley Boats", "We rent boats in twelve harbours, all year round and to anybody."),
    "/prices": page("Prices", "A dinghy costs 40 euros a day, and a yacht costs 390 euros a day."),
  };
  const site = createServer(({ url }, response) => {
    response.writeHead(pages[url!] === undefined ? 404 : 200, { "content-type": "text/html" });
    response.end(pages[url!]);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void site.close());
  await once(site, "listening");
  await addCustomer(database.db, { name: "Wheatley" });
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const svc = desk(database);
  await svc.refuses([`agents from ${url} agents/boats`, 2, `${url} cannot be read.`]);
  const how = "--local --delay 0 --pages 20";
  await svc.tells(`agents from ${url} agents/boats ${how}`, [
    "2 pages",
    "svc agents plan",
    "svc agents refresh agents/boats --local",
  ]);
  expect(await svc.answers(`agents from ${url} agents/ships ${how}`)).toMatchObject({ pages: 2 });
  await svc.refuses([
    `agents from ${url} agents/boats ${how}`,
    1,
    "agents/boats is there already.",
  ]);
  await svc.tells("agents apply agents/boats --account wheatley", [
    "# Prices … (",
    `+ allowed_origins      ${new URL(url).origin}`,
    "Version 1 is written.",
  ]);
  pages["/prices"] = page("Prices", "A dinghy costs 45 euros a day, and a yacht costs 390 euros.");
  const refresh = "agents refresh agents/boats --local --delay 0";
  await svc.tells(refresh, [
    "- A dinghy costs 40",
    "+ A dinghy costs 45",
    "Nothing is written yet.",
  ]);
  expect(await svc.answers(`${refresh} --write`)).toMatchObject({ written: true });
  await svc.tells(refresh, ["Nothing has changed at the source."]);
  await svc.tells("agents plan agents/boats --account wheatley", ["~ knowledge/prices.md"]);
  await svc.refuses(["agents refresh agents/none", 1, "agents/none was not made from a site"]);
  const handbook = join(under.directory, "handbook");
  await mkdir(handbook);
  await writeFile(join(handbook, "Opening hours.md"), "# Opening hours\n\nFrom 8 to 18.\n");
  await svc.tells("agents from handbook agents/hours --without-model", ["1 page in"]);
  await svc.refuses(["agents from nowhere agents/never", 2, "nowhere cannot be read."]);
});

async function startSite(answer: (url: string) => [status: number, page: string]): Promise<string> {
  const site = createServer(({ url = "" }, response) => {
    const [status, page] = answer(url);
    response.writeHead(status, { "content-type": "text/html" }).end(page);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void site.close());
  await once(site, "listening");
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

databaseTest("places and actions are looked for in a browser", async ({ database }) => {
  const page = '<script id="svc-sdk"></script><my-plans></my-plans><p id="bare">Plans</p>';
  const own = `<script>document.querySelector("my-plans").attachShadow({mode:"open"}).innerHTML="<b>Team</b>"</script>`;
  const registers = `<script>Svc = {actions: {all: [{"open": {}, "add": {params: {who: {type: "string"}}}}]}}</script>`;
  const all = page + own + registers;
  const site = await startSite((url) => (url === "/prices" ? [200, all] : [404, "Nothing"]));
  const folder = join(under.directory, "agents/atlas");
  await mkdir(folder, { recursive: true });
  const write = (yaml: string): Promise<void> =>
    writeFile(join(folder, "agent.yaml"), `name: Atlas\n${yaml}`);
  const svc = desk(database);
  const check = `agents check agents/atlas ${site}`;
  const plans = "  plans: {path: /prices, selector: my-plans >>> b}\n";
  await write(`places:\n${plans}  gone: {path: /none, selector: p}\n`);
  await svc.tells(check, ["plans  found", "status 404", "1 of 2 places of atlas are found."], 1);
  const names = ["open", "add", "leave"];
  await write(`actions:\n${names.map((name) => `  ${name}: {describe: Acts.}\n`).join("")}`);
  const url = `${site}/prices`;
  const { actions } = await svc.answers<{ actions: object[] }>(`${check}/prices`, 1);
  expect(actions).toEqual([
    { action: "open", url, result: "registered" },
    { action: "add", url, result: "other_params", detail: "the page needs who" },
    { action: "leave", result: "not_registered", detail: `looked at ${url}` },
  ]);
  await svc.refuses(
    [`${check} --browser /nowhere/chromium`, 1, "There is no browser to look with."],
    ["agents check agents/atlas here", 2, '"here" is no address of a site.'],
  );
});

databaseTest("a tour is recorded in a browser", async ({ database }) => {
  const site = await startSite(() => [200, `<h1>Board</h1><label>Job <input id="job"></label>`]);
  const steps = `steps: [{goto: /}, {type: "#job", text: Roof, zoom: h1}]`;
  await writeFile(join(under.directory, "job.yaml"), `url: ${site}\nmask: [h1]\n${steps}\n`);
  const svc = desk(database);
  const record = "tours record job.yaml agents/rover/content/job";
  await svc.tells(record, ["Fill in “Job”.", "file: content/job/tour.yaml"]);
  const entry = "{id: job, title: A job, kind: tour, file: content/job/tour.yaml}";
  await writeFile(join(under.directory, "agents/rover/agent.yaml"), `name: R\ncontent: [${entry}]`);
  await addCustomer(database.db, { name: "Rosetta" });
  await svc.tells("agents plan agents/rover --account rosetta", ["content/job/tour.yaml"]);
  await svc.refuses(
    [record, 1, "agents/rover/content/job has a tour already."],
    [`${record} --replace --browser /nowhere/chromium`, 1, "There is no browser"],
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

databaseTest(
  "what nobody knew is listed, and becomes sections to fill in",
  async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db, { name: "Tyrell" });
    const svc = desk(database);
    const ask = async (question: string, unknown: string, options: { test?: boolean } = {}) => {
      const { id, createdAt } = await playSession(db, customer, {
        ...options,
        turns: [
          { role: "user", content: question },
          { role: "assistant", content: "A person will answer that." },
        ],
      });
      const detail = { name: "unknown", value: unknown, done: true };
      await pool.query(
        `INSERT INTO session_events (session_at, session_id, at, kind, detail)
       VALUES ($1, $2, $1, 'state', '{"language":"de"}'), ($1, $2, $1, 'direction', $3)`,
        [createdAt, id, detail],
      );
      return id;
    };
    await ask("Arbeitet ihr mit Datev?", "integration with Datev");
    await ask("Gut. Gibt es eine Anbindung an Datev?", "Datev integrations");
    const erased = await ask("Was zahlt Roy Batty?", "price for schools");
    await ask("Not counted?", "tests", { test: true });

    const listed = await svc.answers<{ gaps: { draft: string }[] }>("agents gaps guide --since 1h");
    expect(listed).toMatchObject({
      sessions: 3,
      more: 0,
      gaps: [
        {
          about: "Datev integrations",
          sessions: 2,
          languages: ["de"],
          reasons: { not_found: 0, said_unknown: 2, held: 0 },
          quotes: [
            { question: "Gibt es eine Anbindung an Datev?" },
            { question: "Arbeitet ihr mit Datev?" },
          ],
        },
        { about: "price for schools", sessions: 1 },
      ],
    });
    await svc.tells("agents gaps guide --limit 1", ["2 ×  Datev integrations", "1 more"]);
    await svc.answers(`erase --session ${erased} --yes`);
    await svc.answers("agents init agents/guide");
    const into = "agents gaps guide --into agents/guide --without-model";
    expect(await svc.answers(into)).toMatchObject({ written: { added: 1, drafted: 0 } });
    const file = await readFile(
      join(under.directory, "agents/guide/knowledge/asked-by-visitors.md"),
      "utf8",
    );
    expect(file).toMatch(/^# Asked by visitors\n\n## Datev integrations\n\n<!-- Asked in 2/);
    expect(file).not.toContain("Batty");
    await svc.tells("agents gaps guide --into agents/guide", ["have a section in agents/guide"]);
    await svc.refuses(["agents gaps guide --into nowhere", 1, "nowhere is no agent's folder."]);
  },
);

it("every command, flag and choice that the help shows was used", () => under.checkCoverage());

it("no password was printed, and no secret twice", () => under.checkSecrets());
