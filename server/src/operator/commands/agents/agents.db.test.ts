import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Operator } from "../../operator.ts";
import { addCustomer, startRehearsedModels } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished } from "vitest";
import { commandLineUnderTest } from "../../command-line-under-test.ts";
import type { CommandLine } from "../../command-line-under-test.ts";

interface Desk extends CommandLine {
  directory: string;
}

async function desk({ db }: TestDatabase, more: Partial<Operator> = {}): Promise<Desk> {
  const directory = await mkdtemp(join(tmpdir(), "svc-desk-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await addCustomer(db, { name: "Acme" });
  const given = { db: () => db, publicUrl: () => "https://svc.example.com", directory, ...more };
  return { directory, ...commandLineUnderTest(given, { width: 80 }) };
}

const change = async (directory: string, from: string, to: string): Promise<void> => {
  const file = join(directory, "agents/demo/agent.yaml");
  const text = await readFile(file, "utf8");
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
};
/** The blocks of a document, without the space that a list puts in front of them. */
const blocksOf = async (document: string): Promise<string[]> => {
  const file = new URL(`../../../../../${document}`, import.meta.url);
  const blocks = (await readFile(file, "utf8")).matchAll(/^( *)```\w*\n([^]*?)^ *```$/gm);
  return Array.from(blocks, ([, space, text]) =>
    text!.replaceAll(new RegExp(`^${space!}`, "gm"), ""),
  );
};
const demo = ["agents/demo", "--account", "acme"];

describe("agents as code on the command line", () => {
  databaseTest("takes no limit in money where a model has no price", async ({ database }) => {
    let isPriced = false;
    const modelPlaces = (): ReturnType<Operator["modelPlaces"]> => {
      const at = { name: "large", url: "http://127.0.0.1:1", key: undefined, timeoutMs: 1 };
      const first = { ...at, price: { input: 0, output: 0 }, isPriced };
      return { conversation: { first, fallback: undefined }, evaluation: undefined };
    };
    const { svc, json, directory } = await desk(database, { modelPlaces });
    await svc("agents", "init", "agents/demo");
    expect(await json("agents", "apply", ...demo)).toMatchObject({ version: 1 });

    await change(directory, "  max_minutes:", "  daily_cost: 5\n  max_minutes:");
    const refused = await svc("agents", "apply", ...demo);
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toContain("The limit daily_cost was not taken.");
    expect(refused.err).toContain("Set SVC_MODEL_PRICES, for example large=");

    isPriced = true;
    expect(await json("agents", "apply", ...demo)).toMatchObject({ version: 2 });
    await svc("accounts", "set", "acme", "--limit", "cost_micros_per_session=5");
    isPriced = false;
    await change(directory, "  daily_cost: 5\n", "");
    expect((await svc("agents", "apply", ...demo)).err).toContain("cost_micros_per_session");
  });

  databaseTest("goes from an example to a running agent", async ({ database }) => {
    const { svc, json } = await desk(database);
    expect(await json("agents", "init", "agents/demo")).toMatchObject({
      files: expect.arrayContaining(["agent.yaml", "agent.schema.json", "knowledge/privacy.md"]),
    });
    const planned = await svc("agents", "plan", ...demo);
    expect(planned.out).toContain("demo of Acme is not there yet.");
    expect(planned.out).toMatch(/^\+ name +Linden$/m);
    expect(planned.out).toContain("Any origin may start this agent.");
    expect(await json("agents", "list", "--account", "acme")).toMatchObject({
      agents: [{ slug: "guide" }],
    });

    const applied = await json("agents", "apply", ...demo);
    expect(applied).toMatchObject({ applied: true, version: 1, plan: { slug: "demo" } });
    expect(applied["snippet"]).toContain(`agentId: "${applied["agent_id"] as string}"`);
    expect(applied["snippet"]).toContain('"https://svc.example.com/sdk/sdk.js"');
    expect(await json("agents", "plan", ...demo)).toMatchObject({ version: 1, changes: [] });
    expect(await json("agents", "apply", ...demo)).toMatchObject({ applied: false, version: 1 });
    expect((await svc("agents", "apply", ...demo)).out).toContain("Nothing to do.");
  });

  databaseTest(
    "shows each change with its old and new value, and then who made it",
    async ({ database }) => {
      const { directory, svc, json } = await desk(database);
      await svc("agents", "init", "agents/demo");
      await svc("agents", "apply", ...demo);
      await change(directory, "max_minutes: 20", "max_minutes: 25");
      await change(directory, "Show a slide when it says more than a sentence.", "Show slides.");
      await change(directory, "  timeline:", "  start:");
      const { out } = await svc("agents", "plan", ...demo);
      expect(out).toMatch(/^~ limits\.max_minutes +20 → 25$/m);
      expect(out).toMatch(/^ {4}- Show a slide when it says more than a sentence\.$/m);
      expect(out).toMatch(/^ {4}\+ Show slides\.$/m);
      expect(out).toMatch(/^- questions\.timeline +When would you like/m);
      expect(out).toMatch(
        /^questions\.timeline +The key goes away\. Sessions evaluated so far keep it\.$/m,
      );
      expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
      await svc("agents", "apply", ...demo);
      const shown = await json("agents", "show", "demo");
      expect(shown).toMatchObject({
        version: 2,
        settings: { "limits.max_minutes": "25" },
        versions: [
          { version: 2, by: "ada" },
          { version: 1, by: "ada" },
        ],
      });
    },
  );

  databaseTest("refuses to write over a folder", async ({ database }) => {
    const { svc } = await desk(database);
    expect((await svc("agents", "init")).exitCode).toBe(0);
    const { exitCode, err } = await svc("agents", "init", "agents/guide/");
    expect([exitCode, err.split("\n")]).toEqual([
      1,
      [
        expect.stringMatching(/^Error: agents\/guide\/\S+ is there already\.$/),
        expect.stringMatching(/^Why: {3}/),
        expect.stringMatching(/^Do: {4}/),
      ],
    ]);
  });

  databaseTest(
    "lists every mistake with file, line and field, and writes nothing",
    async ({ database }) => {
      const { directory, svc, json } = await desk(database);
      await svc("agents", "init", "agents/demo");
      await change(directory, "max_minutes: 20", "max_minutes: 90");
      await change(directory, "kind: code", "kind: cod");
      const { exitCode, err } = await svc("agents", "apply", ...demo);
      expect(exitCode).toBe(2);
      expect(err).toMatch(/^Error: agents\/demo\/agent\.yaml has 2 mistakes\.$/m);
      expect(err).toMatch(
        /^ {7}agents\/demo\/agent\.yaml:\d+:3 {2}limits\.max_minutes\n {9}This is too much/m,
      );
      const forPrograms = await svc("agents", "plan", ...demo, "--json");
      expect(JSON.parse(forPrograms.err)).toMatchObject({
        error: { details: [{ field: "content[1].kind" }, { field: "limits.max_minutes" }] },
      });
      expect(await json("agents", "list")).toMatchObject({ agents: [{ slug: "guide" }] });
    },
  );

  databaseTest("does what the guide to languages shows", async ({ database }) => {
    const { rehearsal, models } = await startRehearsedModels({ timeoutMs: 20_000 });
    onTestFinished(() => rehearsal.close());
    const { directory, svc, json } = await desk(database, { models: () => models });
    const [languages, refused, draft, content] = await blocksOf("docs/guide/languages.md");
    const guide = ["agents/guide", "--account", "acme"];
    const folder = join(directory, "agents/guide");
    await mkdir(join(folder, "content"), { recursive: true });
    await writeFile(join(folder, "agent.yaml"), `name: Ada\n${languages}`);
    expect((await svc("agents", "plan", ...guide)).err).toContain(refused);
    expect((await svc("agents", "apply", ...guide)).err).toContain("languages/it.yaml");
    const file = join(folder, "languages/it.yaml");
    const drafted = await readFile(file, "utf8");
    expect(drafted.split("\n")).toEqual(expect.arrayContaining(draft!.trimEnd().split("\n")));

    await writeFile(file, drafted.replace("reviewed: false", "reviewed: true"));
    await writeFile(join(folder, "agent.yaml"), `name: Ada\n${languages}${content}`);
    await writeFile(join(folder, "content/prices.md"), "39 euros a month");
    const missing = { field: "content.prices.languages", message: expect.any(String) };
    const planned = await json("agents", "plan", ...guide);
    expect(planned["warnings"]).toContainEqual(missing);
    await writeFile(join(folder, "content/prices.it.md"), "39 euro al mese");
    const { applied, plan } = await json("agents", "apply", ...guide);
    expect(applied).toBe(true);
    expect((plan as typeof planned)["warnings"]).not.toContainEqual(missing);
  });

  databaseTest(
    "drafts our texts in a new language, and applies them once somebody has read them",
    async ({ database }) => {
      const { rehearsal, models } = await startRehearsedModels({ timeoutMs: 20_000 });
      onTestFinished(() => rehearsal.close());
      const progress: string[] = [];
      const { directory, svc, json } = await desk(database, {
        models: () => models,
        progress: (done, total, what) => void progress.push(`${done}/${total} ${what}`),
      });
      const words = join(directory, "agents/demo/languages/it.yaml");
      await svc("agents", "init", "agents/demo");
      await change(directory, "record_language", "  it: { notice: Parla un'IA. }\nrecord_language");

      const planned = await svc("agents", "plan", ...demo);
      expect([planned.exitCode, planned.err]).toEqual([
        2,
        expect.stringMatching(
          /agent\.yaml:\d+:3 {2}languages\.it\n.*`svc agents apply` has the\s+model draft/,
        ),
      ]);
      const drafted = await svc("agents", "apply", ...demo);
      expect([drafted.exitCode, drafted.err]).toEqual([
        2,
        expect.stringMatching(/^Why: {3}agents\/demo\/languages\/it\.yaml: \d+ new texts$/m),
      ]);
      expect(progress.at(-1)).toBe("7/7 parts of our texts drafted in it");
      const draft = await readFile(words, "utf8");
      expect(draft).toMatch(/^reviewed: false$/m);
      expect(draft).toContain("  # Send\n  send: Invia\n");

      expect((await svc("agents", "apply", ...demo)).err).toContain("Nobody has reviewed");
      expect(await readFile(words, "utf8")).toBe(draft);
      // The owner corrects one text; a release that had one text fewer is told apart from a mistake.
      const own = draft
        .replace("reviewed: false", "reviewed: true")
        .replace("send: Invia", "send: Spedisci")
        .replace(/ {2}mute: .*\n/, "");
      await writeFile(words, own);
      expect((await svc("agents", "apply", ...demo)).err).toContain("it.yaml: 1 new text");
      const whole = await readFile(words, "utf8");
      expect(whole).toContain("send: Spedisci\n");
      expect(whole).toContain("  # Mute\n  mute: Silenzia\n");
      await writeFile(words, whole.replace("reviewed: false", "reviewed: true"));
      expect(await json("agents", "apply", ...demo)).toMatchObject({ applied: true, version: 1 });
      expect(await json("agents", "apply", ...demo)).toMatchObject({ applied: false, version: 1 });

      await writeFile(words, (await readFile(words, "utf8")).replace("Spedisci", "Manda"));
      const { out } = await svc("agents", "plan", ...demo);
      expect(out).toMatch(/^~ languages\/it\.yaml$/m);
      expect(out).toMatch(/^ {4}- "send": "Spedisci",$/m);
      const { rows } = await database.pool.query(
        "SELECT config #>> '{languages,4,words,cards,send}' AS send FROM agent_versions ORDER BY created_at DESC LIMIT 1",
      );
      expect(rows).toEqual([{ send: "Spedisci" }]);
    },
  );

  databaseTest("pauses, resumes and mints a preview that is shown once", async ({ database }) => {
    const { svc, json } = await desk(database);
    expect(await json("agents", "pause", "guide")).toMatchObject({
      state: "paused",
      changed: true,
    });
    expect((await svc("agents", "list")).out).toMatch(/^guide .* paused /m);
    expect(await json("agents", "pause", "guide")).toMatchObject({ changed: false });
    expect(await json("agents", "resume", "guide")).toMatchObject({ state: "live", changed: true });
    const minted = await json("agents", "preview", "guide", "--expires", "7d", "--label", "sales");
    expect(minted).toMatchObject({ label: "sales", token: expect.stringMatching(/^preview_/) });
    expect(minted["page"]).toMatch(/^https?:.*\/preview\/agent_\w+$/);
    const { out } = await svc("agents", "preview", "guide");
    expect(out).toMatch(/\/preview\/agent_\w+#svc_preview=preview_\w+$/m);
    for (const again of [
      await svc("agents", "show", "guide"),
      await svc("audit", "list", "--json"),
    ])
      expect(again.out).not.toContain(minted["token"]);
    expect((await svc("agents", "preview", "guide", "--expires", "soon")).exitCode).toBe(2);
  });

  databaseTest("prints what the guide shows", async ({ database }) => {
    const { directory, svc } = await desk(database);
    const guide = await readFile(
      new URL("../../../../../docs/guide/agents.md", import.meta.url),
      "utf8",
    );
    const blocks = [...guide.matchAll(/^```(.*)\n([^]*?)^```$/gm)].map(([, kind, text]) => ({
      kind,
      text: text!,
    }));
    const plan = blocks.find(({ text }) => text.startsWith("sales of Acme"))!.text;
    const mistakes = blocks.find(({ text }) => text.startsWith("Error:"))!.text;
    const write = async (yaml: string, price: number): Promise<void> => {
      await mkdir(join(directory, "agents/sales/knowledge"), { recursive: true });
      await writeFile(join(directory, "agents/sales/agent.yaml"), yaml);
      const prices = `# Prices\nA team of five pays ${price} a month.\n`;
      await writeFile(join(directory, "agents/sales/knowledge/prices.md"), prices);
    };
    const sales = ["agents/sales", "--account", "acme"];
    const whole = blocks.find(({ kind }) => kind === "yaml agent.yaml")!.text;
    await write(whole, 50);
    expect((await svc("agents", "apply", ...sales)).exitCode).toBe(0);
    const notice = "An AI speaks. We keep what is written, not the sound.";
    const next = whole
      .replace("  en:\n  de:\n", `  en:\n    notice: ${notice}\n`)
      .replace(/team_size: .*/, "timeline: When would you like to start?");
    await write(next, 60);
    expect(`${(await svc("agents", "plan", ...sales)).out}\n`).toBe(plan);
    const wrong =
      "name: Ada\nlanguages:\n  english:\nbrand:\n  colors:\n    primary: #0f766e\nquestons:\n  a: b\n";
    await write(wrong, 60);
    expect(`${(await svc("agents", "plan", ...sales)).err}\n`).toBe(mistakes);
  });
});
