import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EvaluationModels } from "#evaluation";
import { addCustomer, applyFolder, playSession } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished } from "vitest";
import { commandLineUnderTest } from "../command-line-under-test.ts";
import type { CommandLine } from "../command-line-under-test.ts";

interface Desk extends CommandLine {
  customer: Customer;
  folder: string;
}

const AGENT = `name: Guide
questions:
  team_size: How many people would use it?
insights:
  pain: What costs them time.
qualification:
  qualified: Has a sales team.
`;

/** Hears that the visitor wants a demo for twelve people, and nothing else, and believes every claim. */
const models: EvaluationModels = {
  first: {
    name: "scripted",
    isThere: async () => true,
    ask: async ({ name, schema }) => ({
      text: JSON.stringify(
        name === "claims"
          ? allShown(schema)
          : {
              language: "en",
              customer_name: null,
              questions: { team_size: { asked: null, answered: null } },
              insights: {
                pain: {
                  turn: 2,
                  quote: "We need a demo for our sales team",
                  value: "a demo is missing",
                },
              },
              prospect_questions: [],
              objections: [],
              qualification: {
                items: { qualified: { because: [], verdict: "unknown" } },
                reasoning: "",
              },
              conversation_summary: "They talked.",
              summary: "They talked.",
              prospect_summary: "Thank you.",
            },
      ),
      usage: { inputTokens: 0, outputTokens: 0, costMicros: 0 },
    }),
  },
  fallback: undefined,
};

function allShown(schema: object | undefined): object {
  const { required = [] } = (schema ?? {}) as { required?: string[] };
  return Object.fromEntries(required.map((number) => [number, "yes"]));
}

async function desk({ db }: TestDatabase): Promise<Desk> {
  const directory = await mkdtemp(join(tmpdir(), "svc-rubric-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const folder = join(directory, "guide");
  const customer = await addCustomer(db, { name: "Acme" });
  const given = { db: () => db, directory, models: () => models };
  const commandLine = commandLineUnderTest(given, { nowMs: 0 });
  await commandLine.svc("agents", "init", folder);
  await writeFile(join(folder, "agent.yaml"), AGENT);
  const { agentId, version } = await applyFolder(db, customer.account.id, folder);
  return { customer: { ...customer, agent: { agentId, version } }, folder, ...commandLine };
}

/** Every row of every table, in one value. */
async function contents({ pool }: TestDatabase): Promise<unknown> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  expect(tables.length).toBeGreaterThan(10);
  return Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await pool.query(
        `SELECT count(*), md5(string_agg(t::text, '' ORDER BY t::text)) FROM ${name} AS t`,
      );
      return [name, rows[0]];
    }),
  );
}

const evaluation = {
  language: "en",
  qualification: { status: "qualified" as const },
  questions: { team_size: { was_asked: true, was_answered: true, answer: "twelve" } },
};
const settlement = { status: "processed" as const, summary: "A demo.", evaluation };

describe("trying a changed rubric", () => {
  databaseTest("shows what would change, and changes nothing", async ({ database }) => {
    const { customer, folder, svc, json } = await desk(database);
    const older = await playSession(database.db, customer, { settlement });
    const newer = await playSession(database.db, customer, { settlement });
    await playSession(database.db, customer, { test: true, settlement });
    await playSession(database.db, customer, { turns: [] });
    const yaml = await readFile(join(folder, "agent.yaml"), "utf8");
    await writeFile(join(folder, "agent.yaml"), yaml.replace("Has a sales team.", "Sells abroad."));

    const before = await contents(database);
    const tried = await json("rubric", "try", folder, "--account", "acme");
    expect(await contents(database)).toEqual(before);

    const changes = {
      qualification: { from: "qualified", to: "not_enough_data" },
      answered: { gained: [], lost: ["team_size"] },
      insights: { gained: ["pain"], lost: [] },
    };
    expect(tried).toMatchObject({
      slug: "guide",
      model: "scripted",
      judged: 2,
      failed: 0,
      changed: 2,
      qualification: [{ from: "qualified", to: "not_enough_data", sessions: 2 }],
      answered: [{ key: "team_size", gained: 0, lost: 2 }],
      insights: [{ key: "pain", gained: 2, lost: 0 }],
      sessions: [
        { id: newer.id, ...changes },
        { id: older.id, ...changes },
      ],
    });

    const { exitCode, out } = await svc("rubric", "try", folder, "--account=acme", "--last=1");
    expect(exitCode).toBe(0);
    expect(out).toContain("scripted judged 1 session of guide again: 1 would change.");
    expect(out).toContain("Nothing was written.");
    expect(out).toMatch(/^qualified → not_enough_data +1$/m);
    expect(out).toMatch(/^team_size +0 +1$/m);
    expect(out).toContain(newer.id);
    expect(out).not.toContain(older.id);
  });

  databaseTest("has nothing to show for an agent without evaluations", async ({ database }) => {
    const { folder, svc } = await desk(database);
    const { exitCode, out } = await svc("rubric", "try", folder, "--account", "acme");
    expect([exitCode, out]).toEqual([0, "guide has no evaluated session yet."]);
  });

  databaseTest("refuses an agent that is not there", async ({ database }) => {
    const { svc } = await desk(database);
    await svc("agents", "init", "other");
    const { exitCode, err } = await svc("rubric", "try", "other", "--account", "acme");
    expect([exitCode, err]).toEqual([1, expect.stringContaining('There is no agent "other".')]);
  });
});

describe("scoring a model", () => {
  databaseTest("tells what it misses, and that it is not good enough", async ({ database }) => {
    const { svc, jsonAt } = await desk(database);
    const score = await jsonAt(1, "rubric", "score", "--model", "scripted");
    expect(score).toMatchObject({ model: "scripted", fixtures: 20, unjudged: [] });
    const { exitCode, out } = await svc("rubric", "score");
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^was_asked +\d+ of \d+ +[\d.]+ %$/m);
    expect(out).toContain("en-cafe-rosters: answers (team_size)");
    expect(out).toContain('sarcasm: claims ("90 people" from "Sure, and next week we hire');
    expect(out).not.toContain("a lower bound: claims");
    expect(out).toContain('expected  "12|twelve", never "20|twenty"');
  });
});
