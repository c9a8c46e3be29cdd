import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transact } from "#platform";
import type { Db } from "#platform";
import { addCustomer } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished } from "vitest";
import { readAgent } from "../file/read-agent.ts";
import { plainConfig } from "../file/resolve-config.ts";
import { readDemoAgent } from "../versions/demo-agents.ts";
import type { DemoAgent } from "../versions/demo-agents.ts";
import { applyAgent } from "../versions/plan-agent.ts";
import { searchKnowledge, searchSource } from "./knowledge-search.ts";

const FILES = {
  "knowledge/privacy.md":
    "# Privacy\nThe sound is never recorded.\n## Erasure\nA visitor can have their session erased at any time.",
  "knowledge/preise.md":
    "# Preise\nDas kleine Paket kostet 49 Euro im Monat.\n## Rabatte\nVereine zahlen weniger.",
  "knowledge/data.md":
    "# Export\nSessions are exported as JSON or CSV.\n## Webhooks\nEach session is sent to your server, signed.",
};

async function apply(db: Db, texts: Record<string, string> = FILES): Promise<DemoAgent> {
  const { account } = await addCustomer(db);
  const files = Object.entries(texts).map(([path, text]) => {
    const bytes = Buffer.from(text);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { path, sha256, size: bytes.length, mediaType: "text/markdown", bytes };
  });
  const knowledge = files.map(({ bytes: _bytes, ...file }) => file);
  const config = { ...plainConfig("Ada"), recordLanguage: "en", knowledge };
  const source = { slug: "sales", config, files, unused: [] };
  const version = await transact(db, (trx) => applyAgent(trx, "ada", "aa", account.id, source));
  return readDemoAgent(db, version);
}

describe("searching an agent's knowledge", () => {
  databaseTest(
    "finds the section in the text's language, by other forms of its words",
    async ({ database: { db } }) => {
      const { config, knowledge } = await apply(db);
      expect(knowledge.map(({ name }) => name)).toContain("data.md#Webhooks");
      const find = async (query: string, language: string) =>
        (await searchKnowledge(db, config, query, language)).map(({ name }) => name);
      expect(await find("erasing sessions", "en")).toEqual(["privacy.md#Erasure"]);
      expect(await find("exporting", "de")).toEqual(["data.md#Export"]);
      expect(await find("Was kosten die Pakete?", "de")).toEqual(["preise.md#Preise"]);
      expect(await find("kostet", "fr")).toEqual(["preise.md#Preise"]);
      expect(await find("zebra", "en")).toEqual([]);
    },
  );

  databaseTest(
    "takes any of the words where no section has all, the best first",
    async ({ database: { db } }) => {
      const { config } = await apply(db);
      const found = await searchKnowledge(db, config, "signed webhooks for the zebra server", "en");
      expect(found[0]).toEqual({
        name: "data.md#Webhooks",
        text: "Each session is sent to your server, signed.",
      });
    },
  );

  databaseTest("has at most four sections", async ({ database: { db } }) => {
    const text = Array.from({ length: 9 }, (_, at) => `# Part ${at}\nWater flows.`).join("\n");
    const { config } = await apply(db, { "knowledge/a.md": text });
    expect(await searchKnowledge(db, config, "water", "en")).toHaveLength(4);
  });

  databaseTest("reads no query as syntax", async ({ database: { db } }) => {
    const { config } = await apply(db);
    for (const query of [
      "",
      "&|!()<->:*",
      "'; DROP TABLE agents",
      "a".repeat(5_000),
      "-sound",
      '"sound',
    ])
      await searchKnowledge(db, config, query, "en");
    expect((await searchKnowledge(db, config, "sound & (recorded", "en")).length).toBe(1);
  });

  databaseTest(
    "works for versions that were applied before it was there",
    async ({ database: { db, pool } }) => {
      const { config } = await apply(db);
      await pool.query("DELETE FROM knowledge_sections");
      expect(await searchKnowledge(db, config, "erasing", "en")).toHaveLength(1);
    },
  );

  databaseTest("keeps agents apart", async ({ database: { db } }) => {
    await apply(db);
    const { config } = await apply(db, { "knowledge/other.md": "Nothing here." });
    expect(await searchKnowledge(db, config, "erasing", "en")).toEqual([]);
  });
});

databaseTest(
  "finds what a folder knows before it is applied, and leaves no row",
  async ({ database }) => {
    const root = await mkdtemp(join(tmpdir(), "svc-source-"));
    onTestFinished(() => rm(root, { recursive: true }));
    const folder = join(root, "guide");
    await mkdir(join(folder, "knowledge"), { recursive: true });
    await writeFile(join(folder, "agent.yaml"), "name: Ada\n");
    await writeFile(
      join(folder, "knowledge/a.md"),
      "# Prices\n\nTen a month.\n\n# Hours\n\nAlways.\n",
    );
    const source = await readAgent(folder);

    const found = await searchSource(database.db, source, "prices", "en");
    expect(found).toEqual([{ name: "a.md#Prices", text: "Ten a month." }]);
    const { rows } = await database.pool.query(
      "SELECT (SELECT count(*) FROM agent_files)::int AS files, (SELECT count(*) FROM knowledge_sections)::int AS sections",
    );
    expect(rows).toEqual([{ files: 0, sections: 0 }]);
  },
);
