import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DevFolder } from "./dev-folder.ts";
import { moveProductAgent, seedDatabase } from "./seed-database.ts";

/** A folder, and what `svc` was told. */
async function seeding(pageUrl: string) {
  const root = await mkdtemp(join(tmpdir(), "svc-seed-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = new DevFolder(root);
  await folder.secretKeys();
  const lines: string[] = [];
  const svc = async (...words: string[]): Promise<unknown> => {
    lines.push(words.join(" "));
    return { client_id: "client_a", token: "svc_a", agent_id: "agent_a" };
  };
  await seedDatabase(svc, folder, pageUrl);
  return { folder, lines, svc };
}

test("the account sends mail, and its default agent is the one that was applied", async () => {
  const { lines } = await seeding("http://127.0.0.1:8000");
  const applied = lines.findIndex((line) => line.startsWith("agents apply "));
  const set = lines.findIndex((line) => line.startsWith("accounts set client_a "));
  expect(lines[set]).toContain("--follow-up on --default-agent agent_a");
  expect(set).toBeGreaterThan(applied);
});

test("the product's agent leads to the pages of this start, and is applied again only where they have moved", async () => {
  const { folder, lines, svc } = await seeding("http://127.0.0.1:8001");
  const source = (): Promise<string> =>
    readFile(join(folder.agents, "tidewise/knowledge/pricing.md"), "utf8");
  expect(await source()).toContain("source: http://127.0.0.1:8001/product/pricing");
  lines.length = 0;
  const account = "client_a";
  await moveProductAgent(svc, folder, { account, pageUrl: "http://127.0.0.1:8001" });
  expect(lines).toEqual([]);
  await moveProductAgent(svc, folder, { account, pageUrl: "http://127.0.0.1:8002" });
  expect(lines).toEqual([expect.stringMatching(/^agents apply .*tidewise --account client_a$/)]);
  expect(await source()).toContain("source: http://127.0.0.1:8002/product/pricing");
});
