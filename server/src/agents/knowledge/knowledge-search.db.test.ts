import { databaseTest } from "#testing/database-test";
import type { Db } from "#platform";
import { describe, expect } from "vitest";
import { plainConfig } from "../file/resolve-config.ts";
import { KnowledgeSearch } from "./knowledge-search.ts";
import { knowledgeSections } from "./knowledge-sections.ts";

const FILES = {
  "knowledge/privacy.md":
    "# Privacy\nThe sound is never recorded.\n## Erasure\nA visitor can have their session erased at any time.",
  "knowledge/preise.md":
    "# Preise\nDas kleine Paket kostet 49 Euro im Monat.\n## Rabatte\nVereine zahlen weniger.",
  "knowledge/data.md":
    "# Export\nSessions are exported as JSON or CSV.\n## Webhooks\nEach session is sent to your server, signed.",
};

function searched(db: Db, texts: Record<string, string> = FILES) {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }));
  const { languages, ...config } = plainConfig("Ada");
  const spoken = [...languages, { ...languages[0]!, code: "de" }];
  const agent = { config: { ...config, languages: spoken }, knowledge: knowledgeSections(files) };
  const search = new KnowledgeSearch(db).in(agent);
  return async (query: string, onlyKnown = true) =>
    (await search(query, { onlyKnown })).map(({ name }) => name);
}

/** A database that can be away. */
function leavable(there: Db): { db: Db; setAway: (isAway: boolean) => void } {
  let isAway = false;
  const db = new Proxy(there, {
    get: (target, key) => {
      if (isAway) throw new Error("away");
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return { db, setAway: (now) => void (isAway = now) };
}

describe("searching an agent's knowledge", () => {
  databaseTest(
    "finds a section by other forms of its words, in each of the agent's languages",
    async ({ database: { db } }) => {
      const find = searched(db);
      expect((await find("erasing sessions"))[0]).toBe("privacy.md#Privacy > Erasure");
      expect(await find("exporting")).toEqual(["data.md#Export", "data.md#Export > Webhooks"]);
      expect(await find("Was kosten die Pakete?")).toEqual(["preise.md#Preise"]);
    },
  );

  databaseTest("finds a section by the heading above it", async ({ database: { db } }) => {
    const find = searched(db);
    expect((await find("Rabatte Preise"))[0]).toBe("preise.md#Preise > Rabatte");
  });

  databaseTest(
    "reads a word with a typing mistake as the one that is meant",
    async ({ database: { db } }) => {
      const find = searched(db);
      expect(await find("recoreded sound")).toEqual(["privacy.md#Privacy"]);
      expect(await find("webhoks")).toEqual(["data.md#Export > Webhooks"]);
      // Too short to tell: a letter makes another word of it.
      expect(await find("soond")).toEqual([]);
    },
  );

  databaseTest(
    "knows nothing if only a common word of the question stands there",
    async ({ database: { db } }) => {
      const find = searched(db);
      expect(await find("zebra")).toEqual([]);
      expect(await find("Does the zebra eat grass at any time?")).toEqual([]);
      expect(await find("Does the zebra eat grass at any time?", false)).toEqual([
        "privacy.md#Privacy > Erasure",
      ]);
    },
  );

  databaseTest("a rare word says more than a common one", async ({ database: { db } }) => {
    const common = Array.from({ length: 30 }, (_, at) => `# Part ${at}\nWater flows, and flows.`);
    const find = searched(db, {
      "knowledge/a.md": [...common, "# Locks\nWater is held."].join("\n"),
    });
    const found = await find("water that flows or is held");
    expect(found[0]).toBe("a.md#Locks");
    expect(found).toHaveLength(4);
  });

  databaseTest("reads no query as syntax", async ({ database: { db } }) => {
    const find = searched(db);
    const odd = [
      "",
      "&|!()<->:*",
      "'; DROP TABLE agents",
      "a".repeat(5_000),
      "-sound",
      '"sound',
      "\u0000",
    ];
    for (const query of odd) await find(query);
    expect(await find("sound & (recorded")).toEqual(["privacy.md#Privacy"]);
  });

  // P1
  databaseTest("reads words as they stand while the database is away", async ({ database }) => {
    const { db, setAway } = leavable(database.db);
    const find = searched(db);
    await find("sound");
    setAway(true);
    expect(await find("recoreded sound")).toEqual(["privacy.md#Privacy"]);
  });

  databaseTest("an index that could not be made is made again", async ({ database }) => {
    const { db, setAway } = leavable(database.db);
    const find = searched(db);
    setAway(true);
    await expect(find("sound")).rejects.toThrow("away");
    setAway(false);
    expect(await find("sound")).toHaveLength(1);
  });
});
