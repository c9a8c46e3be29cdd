import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  addCustomer,
  playSession,
  start,
  startRehearsedModels,
  startServerProcess,
  SvcUnderTest,
} from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";

const under = new SvcUnderTest("talks");
const desk: SvcUnderTest["desk"] = (...given) => under.desk(...given);
afterAll(() => under.close());
// Dozens of processes in one test, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

interface Sessions {
  sessions: { id: string }[];
  more: boolean;
}

databaseTest("sessions are listed by what is asked for, and told", async ({ database }) => {
  const { db, pool } = database;
  const svc = desk(database);
  const customer = await addCustomer(db, { name: "Wonka" });
  const turns = [
    { role: "assistant" as const, content: "Hello, I am an AI guide. What", interrupted: true },
    { role: "user" as const, content: "What does it cost?" },
  ];
  const processed = await playSession(db, customer, { turns, metadata: { email: "a@b.example" } });
  const abandoned = await playSession(db, customer, { turns: [] });
  const failed = await playSession(db, customer, {
    settlement: { status: "error", reason: "model_output" },
  });
  const active = await start(db, customer);
  const held = await playSession(db, customer);
  const test = await playSession(db, customer, { test: true });
  await pool.query(
    "INSERT INTO session_events (session_at, session_id, at, kind, detail) VALUES ($1, $2, now(), 'card.closed', '{}')",
    [processed.createdAt, processed.id],
  );
  await pool.query(
    "INSERT INTO evaluations (session_id, version, state, requested_at, finished_at, model, evaluation) VALUES ($1, 1, 'written', now(), now(), 'rehearsal', '{}')",
    [processed.id],
  );

  const all = [held.id, active.id, failed.id, abandoned.id, processed.id];
  const { agentId } = customer.agent;
  const lists: [flags: string, ids: string[]][] = [
    ["--account wonka --since 1h", all],
    ["--account wonka --limit 2", all.slice(0, 2)],
    [`--agent ${agentId} --since ${held.createdAt.toISOString()}`, [held.id]],
    ["--account wonka --agent guide --status active", [active.id]],
    ["--status abandoned", [abandoned.id]],
    ["--status processed", [held.id, processed.id]],
    ["--status error", [failed.id]],
    ["--test", [test.id]],
  ];
  for (const [flags, ids] of lists) {
    const { sessions, more } = await svc.answers<Sessions>(`sessions list ${flags}`);
    const listed = sessions.map(({ id }) => id);
    expect([listed, more], flags).toEqual([ids, flags.includes("--limit")]);
  }
  await svc.tells("sessions list --limit 2", ["STATUS", held.id, active.id, "raise --limit"]);

  const states: [id: string, state: string, words: string[]][] = [
    [
      processed.id,
      "exported",
      [
        "In the export.",
        "What — (interrupted)",
        "visitor  What does it cost?",
        "card.closed",
        "rehearsal",
      ],
    ],
    [active.id, "not_settled", ["it waits for the visitor to connect"]],
    [held.id, "held", [`Held at session ${active.id}`]],
    [test.id, "test", ["it is a test session"]],
  ];
  for (const [id, state, words] of states) {
    await svc.tells(`sessions show ${id}`, words);
    expect(await svc.answers(`sessions show ${id}`)).toMatchObject({ export: { state } });
  }
  expect(await svc.answers(`sessions show ${processed.id}`)).toMatchObject({
    conversation: turns,
  });
  for (const by of ["day", "agent", "page", "language", "entry", "version", "device"])
    await svc.answers(`funnel --by ${by} --limit 5 --since 7d`);
  await svc.tells(`funnel guide --account ${customer.account.clientId}`, [
    "opened the demo",
    "started",
  ]);
  for (const by of ["day", "agent", "model"]) await svc.answers(`costs --by ${by} --since 7d`);
  await svc.tells("costs --account wonka --agent guide", ["No session used a model."]);
  await svc.refuses(["funnel nobody", 1, 'There is no agent "nobody".']);
  const nobody = "00000000-0000-7000-8000-000000000000";
  await svc.refuses(
    [`sessions show ${nobody}`, 1, `There is no session ${nobody}.`],
    ["sessions show wonka", 1, "There is no session wonka."],
    ["sessions list --since yesterday", 2, '"yesterday" is no time.'],
    ["sessions list --limit 5000", 2, '"5000" is no number of rows.'],
    ["sessions list --agent nobody", 1, 'There is no agent "nobody".'],
  );
});

databaseTest("sessions of an earlier system are imported once", async ({ database }) => {
  const { pool } = database;
  const { account } = await addCustomer(database.db, { name: "Weyland" });
  const svc = desk(database);
  const id = (number: number): string => `0e0e0e0e-0000-4000-8000-00000000000${number}`;
  const talk = (number: number): object => ({
    id: id(number),
    agent_id: "agent_of_before",
    created_at: `2025-03-0${number}T10:00:00.250Z`,
    transcript: [{ role: "user", content: "Hello" }],
  });
  const evaluated = (number: number): object => ({
    ...talk(number),
    status: "processed",
    duration_secs: 61,
    summary: "A short talk.",
    evaluation: { summary: "A short talk." },
  });
  const write = (name: string, sessions: object[]): Promise<void> =>
    writeFile(join(under.directory, name), sessions.map((one) => JSON.stringify(one)).join("\n"));
  await write("old.ndjson", [1, 2, 3].map(evaluated));
  await write("bad.ndjson", [evaluated(4), { id: 7 }]);
  await write("talks.ndjson", [talk(8), { ...talk(9), status: "error", transcript: undefined }]);
  const file = (name: string): string => `sessions import ${name} --account weyland --agent guide`;
  const stored = async (): Promise<number> =>
    (await pool.query("SELECT FROM sessions WHERE account_id = $1", [account.id])).rowCount!;

  const dry = await svc.answers(`${file("old.ndjson")} --dry-run`);
  expect([dry, await stored()]).toEqual([expect.objectContaining({ ready: 3, imported: 0 }), 0]);
  expect(await svc.answers(file("old.ndjson"))).toMatchObject({ imported: 3 });
  await svc.tells(file("old.ndjson"), ["3 already there"]);
  expect(await stored()).toBe(3);
  expect(await svc.answers(file("bad.ndjson"), 1)).toMatchObject({ refused: 1 });
  const unevaluated = `${file("talks.ndjson")} --unevaluated`;
  expect(await svc.answers(unevaluated)).toMatchObject({ imported: 2, to_evaluate: 1 });
  const { rows } = await pool.query(
    "SELECT status FROM sessions WHERE id IN ($1, $2) ORDER BY id",
    [id(8), id(9)],
  );
  expect(rows).toEqual([{ status: "active" }, { status: "abandoned" }]);
  await svc.tells(unevaluated, ["2 already there"]);
  const judged = await svc.answers(`${file("old.ndjson")} --unevaluated`, 1);
  expect(judged).toMatchObject({ refused: 3 });
  await svc.refuses([file("none.ndjson"), 2, "The file"]);
});

// The tests of commands/evaluate hold what is refused, and what happens without a pipeline.
databaseTest("sessions are evaluated again by the pipeline", async ({ database }) => {
  const { db } = database;
  const customer = await addCustomer(db, { name: "Umbrella" });
  const settlement = { status: "error", reason: "model_output" } as const;
  const first = await playSession(db, customer, { settlement });
  await playSession(db, customer, { settlement });
  const processed = await playSession(db, customer);
  const svc = desk(database);
  await svc.tells(`evaluate ${first.id} --no-wait`, ["A new evaluation is asked for."]);
  expect(await svc.answers(`evaluate ${first.id} --no-wait`)).toMatchObject({
    session: { request: "joined", outcome: "not_awaited" },
  });
  const errors = "evaluate --status error --since 1h --account umbrella";
  expect(await svc.answers(`${errors} --dry-run`)).toMatchObject({
    sessions: { found: 2, requested: 0 },
  });

  const { rehearsal } = await startRehearsedModels();
  onTestFinished(() => rehearsal.close());
  const pipeline = await startServerProcess(database, {
    SVC_ROLE: "pipeline",
    SVC_MODEL_URL: rehearsal.baseUrl,
    SVC_EVALUATION_MODEL: "rehearsal",
  });
  onTestFinished(() => void pipeline.stop());
  const told = ["status processed", "model rehearsal", "tokens"];
  await svc.tells(`evaluate ${processed.id}`, told);
  expect(await svc.answers(`evaluate ${processed.id}`)).toMatchObject({
    session: { outcome: "written", status: "processed", model: "rehearsal" },
  });
  await svc.tells(`evaluate ${first.id}`, told);
  expect(await svc.answers(`${errors} --rate 50`)).toMatchObject({ sessions: { refused: 0 } });
  const again = "evaluate --status processed --since 1h --agent guide --rate 50";
  await svc.tells(again, ["with status processed", "svc_evaluations_total"]);
  expect(await svc.answers(again)).toMatchObject({ sessions: { refused: 0 } });
  await svc.refuses([`${errors} --rate 0`, 2, '"0" is no rate.']);
});

// The tests of commands/erase hold what is kept and what goes.
databaseTest("a person's sessions are given out and erased", async ({ database }) => {
  const { db } = database;
  const email = "ada@oscorp.example";
  const ids: string[] = [];
  const [oscorp, queen] = [
    await addCustomer(db, { name: "Oscorp" }),
    await addCustomer(db, { name: "Queen" }),
  ];
  for (const customer of [oscorp, oscorp, queen])
    ids.push((await playSession(db, customer, { metadata: { email } })).id);
  const svc = desk(database);
  const subject = `subject export --email ${email} --account oscorp --output`;
  expect(await svc.answers(`${subject} ada.jsonl`)).toMatchObject({ conversations: 2 });
  const lines = (await readFile(join(under.directory, "ada.jsonl"), "utf8")).trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  await svc.tells(`${subject} ada-again.jsonl`, ["ada-again.jsonl"]);
  await svc.refuses([`${subject} ada.jsonl`, 1, `${join(under.directory, "ada.jsonl")} cannot be`]);

  const all = `erase --email ${email}`;
  await svc.tells(all, ["Oscorp", "Queen", "Nothing has been changed", "--yes"]);
  expect(await left(database)).toBe(3);
  expect(await svc.answers(`${all} --account queen --yes`)).toMatchObject({
    accounts: [{ session_ids: [ids[2]] }],
  });
  await svc.tells(`erase --session ${ids[0]} --yes`, ["RECEIPT", "Erased."]);
  expect(await svc.answers(`${all} --yes`)).toMatchObject({ erased: true });
  expect(await left(database)).toBe(0);
  await svc.refuses([`${all} --yes`, 1, "Nothing is kept of that address."]);
  const list = "erasures list --account oscorp";
  expect(await svc.answers(`${list} --since 1h`)).toMatchObject({
    erasures: [
      { scope: "person", sessions: 1 },
      { scope: "session", sessions: 1 },
    ],
  });
  expect(await svc.answers(`${list} --limit 1`)).toMatchObject({ more: true });
  await svc.tells(list, ["Oscorp", "person"]);
});

async function left({ pool }: TestDatabase): Promise<number> {
  return (await pool.query("SELECT FROM sessions")).rowCount!;
}

it("every command, flag and choice that the help shows was used", () => under.checkCoverage());

it("no password was printed, and no secret twice", () => under.checkSecrets());
