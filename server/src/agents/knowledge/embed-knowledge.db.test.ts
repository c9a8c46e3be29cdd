import { ModelAway } from "#models";
import type { EmbeddingModel } from "#models";
import { transact } from "#platform";
import type { Claim, Db } from "#platform";
import { addCustomer, captureLog, createFakeClock, jobSenderOf } from "#testing";
import { databaseTest } from "#testing/database-test";
import { createHash } from "node:crypto";
import { expect } from "vitest";
import { addAgentVersion } from "../versions/agent.ts";
import { DemoAgents } from "../versions/demo-agents.ts";
import { KnowledgeEmbedder } from "./embed-knowledge.ts";
import { KnowledgeSearch } from "./knowledge-search.ts";
import { KnowledgeVectors } from "./knowledge-vectors.ts";

/** Knows some subjects by their words, whichever are used. */
const SUBJECTS = [
  /cost|price|pay|fee/i,
  /erase|forget|delete/i,
  /harbour|boat|berth/i,
  /water flows/i,
];

class WordModel implements EmbeddingModel {
  readonly name = "words";
  asked: string[] = [];
  failing = false;

  async embed({ texts, charge }: Parameters<EmbeddingModel["embed"]>[0]) {
    if (this.failing) throw new ModelAway("away");
    this.asked.push(...texts);
    const cost = { inputTokens: 1, outputTokens: 0, costMicros: texts.length };
    charge?.(this.name, cost)(cost);
    return texts.map((text) => {
      const vector = [...SUBJECTS.map((one) => (one.test(text) ? 1 : 0)), 0.5];
      return Float32Array.from(vector, (one) => one / Math.hypot(...vector));
    });
  }
}

const FILLER = Array.from(
  { length: 400 },
  (_, at) => `## Part ${at}\n${"Water flows. ".repeat(6)}`,
);
const TEXT = ["# Tariff\nThe fee is 49 euros.", ...FILLER, "# Berths\nThere are nine."].join("\n");

async function agentWith(db: Db, text: string) {
  const { account, agent } = await addCustomer(db);
  const bytes = Buffer.from(text);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const file = {
    path: "knowledge/a.md",
    sha256,
    size: bytes.length,
    mediaType: "text/markdown",
  };
  const { config } = await new DemoAgents(db).read(agent);
  return transact(db, (trx) =>
    addAgentVersion(trx, "test", account.id, agent.agentId, { ...config, knowledge: [file] }, [
      { ...file, bytes },
    ]),
  );
}

function embedderOn(db: Db, model: EmbeddingModel) {
  const embedder = new KnowledgeEmbedder({
    db,
    jobs: jobSenderOf(db),
    log: captureLog().log,
    model,
  });
  return (payload: { agentId: string; version: number }) =>
    embedder.run({
      payload: { ...payload, timesAsked: 0 },
      crashes: 0,
      signal: new AbortController().signal,
      complete: async () => {},
    } satisfies Claim<object>);
}

databaseTest("each section is embedded once, and its cost counted", async ({ database }) => {
  const { db, pool } = database;
  const model = new WordModel();
  const embed = embedderOn(db, model);
  const version = await agentWith(db, TEXT);
  await embed(version);
  expect(model.asked).toHaveLength(402);
  await embed(version);
  expect(model.asked).toHaveLength(402);
  const { rows } = await pool.query("SELECT cost_micros::int AS cost FROM agent_days");
  expect(rows).toEqual([{ cost: 402 }]);
});

databaseTest("a model that is away is asked again later", async ({ database }) => {
  const { db, pool } = database;
  const model = new WordModel();
  model.failing = true;
  await embedderOn(db, model)(await agentWith(db, TEXT));
  const { rows } = await pool.query(
    "SELECT data->'timesAsked' AS times FROM pgboss.job WHERE name = 'embed-knowledge'",
  );
  expect(rows).toEqual([{ times: 1 }]);
});

databaseTest(
  "finds by meaning what shares no word, and by words while the model is away",
  async ({ database: { db } }) => {
    const model = new WordModel();
    const version = await agentWith(db, TEXT);
    const agent = await new DemoAgents(db).read(version);
    const clock = createFakeClock();
    const search = new KnowledgeSearch(db, { vectors: new KnowledgeVectors(db, model), clock });
    const find = async (query: string | string[]) =>
      (await search.in(agent)(query, { onlyKnown: true })).map(({ name }) => name);
    // Nothing is stored yet.
    expect(await find("What must I pay?")).toEqual([]);
    await embedderOn(db, model)(version);
    clock.advance(60_000);
    expect((await find("What must I pay?"))[0]).toBe("a.md#Tariff");
    expect((await find(["my boat", "boat places"]))[0]).toBe("a.md#Berths");
    expect(await find("Why is the sky blue?")).toEqual([]);
    model.failing = true;
    expect(await find("What must I pay?")).toEqual([]);
    expect((await find("Tariff fee"))[0]).toBe("a.md#Tariff");
  },
);
