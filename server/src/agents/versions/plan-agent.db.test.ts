import { createHash } from "node:crypto";
import { transact } from "#platform";
import { addCustomer } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import type { StoredFile } from "../config/agent-config.ts";
import type { AgentSource } from "../file/read-agent.ts";
import { plainConfig } from "../file/resolve-config.ts";
import { applyAgent, planAgent } from "./plan-agent.ts";
import type { AppliedAgent } from "./plan-agent.ts";

function source(texts: Record<string, string> = {}, name = "Ada"): AgentSource {
  const files = Object.entries(texts).map(([path, text]) => {
    const bytes = Buffer.from(text);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { path, sha256, size: bytes.length, mediaType: "text/markdown", bytes };
  });
  const knowledge: StoredFile[] = files.map(({ bytes: _bytes, ...file }) => file);
  return { slug: "sales", config: { ...plainConfig(name), knowledge }, files, unused: [] };
}

const apply = (
  { db }: TestDatabase,
  accountId: number,
  what: AgentSource,
  actor = "ada",
): Promise<AppliedAgent> => transact(db, (trx) => applyAgent(trx, actor, "aa", accountId, what));

databaseTest("a plan names the slides that lack a translation", async ({ database }) => {
  const { account } = await addCustomer(database.db);
  const plain = source();
  const file = { path: "content/a.md", sha256: "ab", size: 1, mediaType: "text/markdown" };
  const content = [
    { id: "both", title: "A", kind: "markdown" as const, file },
    { id: "code", title: "A", kind: "code" as const, file },
    {
      id: "some",
      title: "A",
      kind: "table" as const,
      file,
      languages: [
        { code: "it", title: "A", file },
        { code: "ja", title: "あ" },
      ],
    },
    {
      id: "all",
      title: "A",
      kind: "image" as const,
      link: "https://a.example",
      languages: [
        { code: "it", title: "A" },
        { code: "ja", title: "あ" },
      ],
    },
  ];
  const languages = ["en", "en-GB", "it-CH", "ja"].map((code) => ({ code, notice: "AI" }));
  const { warnings } = await planAgent(database.db, account.id, {
    ...plain,
    config: { ...plain.config, languages, content },
  });
  expect(warnings.filter(({ field }) => field.startsWith("content"))).toEqual([
    {
      field: "content.both.languages",
      message:
        "There is no title in it-CH, ja, and no file in it-CH, ja. Those visitors see the one in en.",
    },
    {
      field: "content.code.languages",
      message: "There is no title in it-CH, ja. Those visitors see the one in en.",
    },
    {
      field: "content.some.languages",
      message: "There is no file in ja. Those visitors see the one in en.",
    },
  ]);
});

describe("applying an agent", () => {
  databaseTest("adds it the first time, with its files and an audit", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    const applied = await apply(database, account.id, source({ "knowledge/a.md": "A" }));
    expect(applied).toMatchObject({
      agentId: expect.stringMatching(/^agent_aa/),
      version: 1,
      plan: {
        slug: "sales",
        changes: expect.arrayContaining([{ field: "name", change: "added", to: "Ada" }]),
      },
    });
    const { rows } = await database.pool.query(
      `SELECT f.path, convert_from(b.bytes, 'UTF8') AS text, v.created_by
         FROM agent_version_files f JOIN agent_files b USING (sha256)
         JOIN agent_versions v USING (agent_id, version) WHERE f.agent_id = $1`,
      [applied.agentId],
    );
    expect(rows).toEqual([{ path: "knowledge/a.md", text: "A", created_by: "ada" }]);
    const audit = await database.pool.query(
      "SELECT action FROM audit WHERE subject = $1 ORDER BY id",
      [applied.agentId],
    );
    expect(audit.rows.map(({ action }) => action as string)).toEqual([
      "agent.add",
      "agent.version",
    ]);
  });

  databaseTest("does nothing when the folder says what runs", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    const first = await apply(database, account.id, source({ "knowledge/a.md": "A" }));
    const again = await apply(database, account.id, source({ "knowledge/a.md": "A" }));
    expect(again).toMatchObject({ agentId: first.agentId, version: 1, plan: { changes: [] } });
    const { rows } = await database.pool.query(
      "SELECT count(*)::integer AS versions FROM agent_versions WHERE agent_id = $1",
      [first.agentId],
    );
    expect(rows).toEqual([{ versions: 1 }]);
  });

  databaseTest("writes a new version when one letter of a file differs", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    await apply(database, account.id, source({ "knowledge/a.md": "A", "knowledge/b.md": "B" }));
    const next = source({ "knowledge/a.md": "a", "knowledge/b.md": "B" });
    expect((await planAgent(database.db, account.id, next)).changes).toEqual([
      { field: "knowledge/a.md", change: "changed", from: "A", to: "a" },
    ]);
    const applied = await apply(database, account.id, next);
    expect(applied.version).toBe(2);
    expect((await planAgent(database.db, account.id, next)).changes).toEqual([]);
    const { rows } = await database.pool.query(
      "SELECT count(*)::integer AS files FROM agent_files",
    );
    expect(rows).toEqual([{ files: 3 }]);
    const current = await database.pool.query("SELECT current_version FROM agents WHERE id = $1", [
      applied.agentId,
    ]);
    expect(current.rows).toEqual([{ current_version: 2 }]);
  });

  databaseTest("leaves nothing behind when it fails", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    const broken = source({ "knowledge/a.md": "A" });
    broken.files[0]!.bytes = Buffer.from("another text");
    await expect(apply(database, account.id, broken)).rejects.toMatchObject({ code: "23514" });
    const { rows } = await database.pool.query(
      "SELECT (SELECT count(*)::integer FROM agents WHERE slug = 'sales') AS agents, (SELECT count(*)::integer FROM agent_files) AS files",
    );
    expect(rows).toEqual([{ agents: 0, files: 0 }]);
  });

  databaseTest("gives each account its own agent of the same name", async ({ database }) => {
    const [a, b] = [await addCustomer(database.db), await addCustomer(database.db)];
    const first = await apply(database, a.account.id, source());
    const second = await apply(database, b.account.id, source());
    expect(second).toMatchObject({ version: 1 });
    expect(second.agentId).not.toBe(first.agentId);
  });

  databaseTest(
    "numbers versions one after another, however many apply at once",
    async ({ database }) => {
      const { account } = await addCustomer(database.db);
      await apply(database, account.id, source());
      const names = ["B", "C", "D", "E", "F"];
      const applied = await Promise.all(
        names.map((name) => apply(database, account.id, source({}, name))),
      );
      expect(applied.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual([
        2, 3, 4, 5, 6,
      ]);
    },
  );

  databaseTest("warns of what its author may not have meant", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    const before = source({ "knowledge/a.md": "A" });
    before.config.questions = [{ key: "size", text: "How many?" }];
    await apply(database, account.id, before);
    const after = { ...source(), unused: ["knowledge/a.md"] };
    after.config.languages = [{ code: "en", notice: "An AI speaks." }, { code: "de" }];
    const { warnings } = await planAgent(database.db, account.id, after);
    expect(warnings.map(({ field }) => field)).toEqual([
      "allowed_origins",
      "qualification",
      "knowledge",
      "languages.de",
      "questions.size",
      "knowledge/a.md",
    ]);
    after.config = {
      ...after.config,
      allowedOrigins: ["https://example.com"],
      qualification: { qualified: "They buy." },
      knowledge: before.config.knowledge,
      languages: [{ code: "en", notice: "An AI speaks." }],
      questions: before.config.questions,
    };
    expect((await planAgent(database.db, account.id, { ...after, unused: [] })).warnings).toEqual(
      [],
    );
  });
});

describe("the plan of an agent that is not there yet", () => {
  databaseTest("says which sources visitors are not led to", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    const head = (url: string): string => `---\nsource: ${url}\n---\n`;
    const next = source({
      "knowledge/a.md": head("https://example.com/a"),
      "knowledge/b.md": head("http://example.com/b"),
    });
    const { warnings } = await planAgent(database.db, account.id, next);
    expect(warnings.filter(({ field }) => field === "knowledge")).toEqual([
      { field: "knowledge", message: expect.stringContaining("such as http://example.com/b:") },
    ]);
  });

  databaseTest("shows what it says itself, and all of it as added", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    const next = source({ "knowledge/a.md": "A" });
    next.config.languages = [{ code: "en" }, { code: "de" }];
    const plan = await planAgent(database.db, account.id, next);
    expect(plan.changes).toEqual([
      { field: "name", change: "added", to: "Ada" },
      { field: "brand.name", change: "added", to: "Ada" },
      { field: "languages", change: "added", to: "en, de" },
      { field: "knowledge", change: "added", to: "knowledge/a.md" },
      { field: "knowledge/a.md", change: "added", to: "A" },
    ]);
  });
});

describe("a stored file", () => {
  databaseTest("never changes: the database refuses it", async ({ database }) => {
    const { account } = await addCustomer(database.db);
    await apply(database, account.id, source({ "knowledge/a.md": "A" }));
    await expect(database.pool.query("UPDATE agent_files SET bytes = 'x'")).rejects.toMatchObject({
      message: expect.stringContaining("never change"),
    });
    await expect(database.pool.query("DELETE FROM agent_files")).rejects.toMatchObject({
      code: "23503",
    });
  });
});
