import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DevFolder } from "./dev-folder.ts";
import { seedDatabase } from "./seed-database.ts";

test("the account sends mail, and its default agent is the one that was applied", async () => {
  const root = await mkdtemp(join(tmpdir(), "svc-seed-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = new DevFolder(root);
  await folder.secretKeys();
  const lines: string[] = [];
  const svc = async (...words: string[]): Promise<unknown> => {
    lines.push(words.join(" "));
    return { client_id: "client_a", token: "svc_a", agent_id: "agent_a" };
  };
  await seedDatabase(svc, folder);
  const applied = lines.findIndex((line) => line.startsWith("agents apply "));
  const set = lines.findIndex((line) => line.startsWith("accounts set client_a "));
  expect(lines[set]).toContain("--follow-up on --default-agent agent_a");
  expect(set).toBeGreaterThan(applied);
});
