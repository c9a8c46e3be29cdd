import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { SESSION_FIELDS } from "@svc/contract/session-fields";
import { expect, onTestFinished } from "vitest";
import { addCustomer } from "./customer.ts";
import type { TestDatabase } from "./database.ts";
import { databaseTest } from "./database-test.ts";
import { end, playSession, say, settle, start } from "./play-session.ts";
import { startServerProcess } from "./server-process.ts";
import type { ServerProcess } from "./server-process.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const INTERPRETERS: Record<string, string> = { sh: "sh", python: "python3" };

databaseTest("every sample of the export's guide runs as it stands", async ({ database }) => {
  const customer = await addCustomer(database.db);
  for (let i = 0; i < 120; i++) await playSession(database.db, customer);
  const late = await start(database.db, customer);
  // In another second, which `since` can tell apart. Stamps of many starts run up to a second ahead of the clock.
  await delay(2_000);
  await playSession(database.db, customer, {
    metadata: { email: "+joe@example.com" },
    settlement: { status: "processed", summary: "=1+1", evaluation: {} },
  });

  const server = await startServer(database);
  const samples = await samplesOf("docs/guide/export.md", {
    SVC_URL: server.url,
    SVC_CLIENT_ID: customer.account.clientId,
    SVC_TOKEN: customer.token,
  });

  const { items } = JSON.parse(await samples.run("bearer.sh")) as { items: object[] };
  expect(items.map(Object.keys)).toEqual([
    ["id", "status", "created_at", "duration_secs"],
    ["id", "status", "created_at", "duration_secs"],
  ]);

  await samples.run("basic.sh");
  expect((await samples.read("sessions.csv")).split("\r\n", 1)).toEqual([SESSION_FIELDS.join(",")]);

  expect(await samples.run("held.sh")).toMatch(/^svc-held: 1\b/im);
  const page = async (query: string) => {
    const headers = { authorization: `Bearer ${customer.token}` };
    const response = await fetch(new URL(query, server.url), { headers });
    const body = (await response.json()) as { items: { id: string; created_at: string }[] };
    return { ...body, next: /<([^>]+)>/.exec(response.headers.get("link") ?? "")?.[1] };
  };
  const lateSecs = late.createdAt.getTime() / 1_000;
  // A larger `since` returns more.
  expect((await page(`/v1/sessions.json?since=${Math.ceil(lateSecs)}`)).items).toHaveLength(1);
  const before = await page(`/v1/sessions.json?since=${Math.floor(lateSecs)}`);
  expect(before.items.filter(({ created_at }) => new Date(created_at) > late.createdAt)).toEqual(
    [],
  );
  // At `limit=1` the loop stands still, and `Link` does not.
  const first = await page("/v1/sessions.json?limit=1");
  const since = Math.floor(Date.parse(first.items[0]!.created_at) / 1_000);
  const again = await page(`/v1/sessions.json?limit=1&since=${since}`);
  expect(again.items).toEqual(first.items);
  expect((await page(first.next!)).items[0]!.id).not.toBe(first.items[0]!.id);

  expect(await samples.run("export.py")).toBe("120 sessions\n");
  expect(await samples.run("export.py")).toBe("120 sessions\n");
  await say(database.db, late, [{ role: "user", content: "Sorry, I had to think." }]);
  await end(database.db, late);
  await settle(database.db, late, { status: "error", reason: "model_output" });
  expect(await samples.run("export.py")).toBe("122 sessions\n");
  expect(await samples.run("held.sh")).toMatch(/^svc-held: 0\b/im);

  await samples.run("all.sh");
  const rows = (await samples.run("read_csv.py")).trimEnd().split("\n");
  expect(rows).toHaveLength(122);
  expect(rows.at(-2)).toBe(`${late.id} error  `);
  expect(rows.at(-1)).toMatch(/ processed \+joe@example\.com =1\+1$/);
  expect(await samples.read("all.csv")).toContain("'+joe@example.com");
  expect(await samples.read("start-here-next-time.txt")).toContain("cursor=");

  expect(samples.neverRun()).toEqual([]);
});

databaseTest("the lines for operators add an account and a token", async ({ database }) => {
  const { url } = await startServer(database);
  const environment = {
    SVC_DATABASE_URL: database.url,
    SVC_EXPORT_DATABASE_URL: database.exportUrl,
  };
  const samples = await samplesOf("docs/operate/running.md", environment, ROOT);
  const printed = await samples.run("add-account.sh");
  const clientId = /client_\w+/.exec(printed)?.[0];
  const token = /svc_\w+/.exec(printed)?.[0];
  const credentials = Buffer.from(`${clientId}:${token}`).toString("base64");
  const page = await fetch(`${url}/v1/sessions.json`, {
    headers: { authorization: `Basic ${credentials}` },
  });
  expect(await page.json()).toEqual({ items: [] });
  const { rows } = await database.pool.query("SELECT action FROM audit ORDER BY id");
  expect(rows).toEqual([{ action: "account.add" }, { action: "token.issue" }]);
  expect(samples.neverRun()).toEqual([]);
});

interface Samples {
  /** Runs the sample of that file name and returns what it prints. */
  run(name: string): Promise<string>;
  read(file: string): Promise<string>;
  neverRun(): string[];
}

/** A fence whose first line names a file (```` ```python export.py ````) is a sample. */
async function samplesOf(
  document: string,
  environment: Record<string, string>,
  runIn?: string,
): Promise<Samples> {
  const markdown = await readFile(join(ROOT, document), "utf8");
  const folder = await mkdtemp(join(tmpdir(), "svc-samples-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const languages = new Map<string, string>();
  for (const [, language, name, text] of markdown.matchAll(/^```(\w+) (\S+)\n([^]*?)^```$/gm)) {
    languages.set(name!, language!);
    await writeFile(join(folder, name!), text!);
  }
  const waiting = new Set(languages.keys());
  return {
    async run(name) {
      waiting.delete(name);
      const { stdout } = await promisify(execFile)(
        INTERPRETERS[languages.get(name)!]!,
        [join(folder, name)],
        {
          cwd: runIn ?? folder,
          env: { PATH: process.env["PATH"], ...environment },
        },
      );
      return stdout;
    },
    read: (file) => readFile(join(folder, file), "utf8"),
    neverRun: () => [...waiting],
  };
}

async function startServer(
  database: TestDatabase,
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const server = await startServerProcess(database, environment);
  onTestFinished(async () => void (await server.stop()));
  return server;
}
