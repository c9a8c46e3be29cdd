import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseTest } from "#testing/database-test";
import { expect, onTestFinished } from "vitest";
import { readAgent } from "../file/read-agent.ts";
import { searchSource } from "./search-source.ts";

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
