import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { DevFolder } from "./dev-folder.ts";

async function temporaryFolder(): Promise<DevFolder> {
  const root = await mkdtemp(join(tmpdir(), "svc-dev-folder-"));
  onTestFinished(() => rm(root, { recursive: true }));
  return new DevFolder(root);
}

const seeded = { clientId: "client_a", token: "svc_a", agentId: "agent_a", sessionId: "1" };

test("what was seeded is found again, until it is forgotten", async () => {
  const folder = await temporaryFolder();
  expect(await folder.readSeeded()).toBeUndefined();
  await folder.writeSeeded(seeded);
  expect(await folder.readSeeded()).toEqual(seeded);
  await folder.forgetSeeded();
  expect(await folder.readSeeded()).toBeUndefined();
});

test("the receiver of webhooks is forgotten with the data, the key that seals secrets never", async () => {
  const folder = await temporaryFolder();
  const keys = await folder.secretKeys();
  expect(keys).toMatch(/^k1:[A-Za-z0-9+/]{43}=$/);
  const receiver = { url: "http://127.0.0.1:1", endpointId: "hook_a", secret: "whsec_a" };
  await folder.writeReceiver(receiver);
  expect(await folder.readReceiver()).toEqual(receiver);
  await folder.forgetSeeded();
  expect(await folder.readReceiver()).toBeUndefined();
  expect(await folder.secretKeys()).toBe(keys);
});

test("settings are for the owner's eyes, even where an open file stood before", async () => {
  const folder = await temporaryFolder();
  await folder.writeSeeded(seeded);
  await writeFile(folder.settings, "", { mode: 0o644 });
  const settings = {
    SVC_DATABASE_URL: "postgres://postgres:p-_w@127.0.0.1:5/x",
    SVC_PORT: "1",
    SVC_MODEL_KEY: "sk#1\\n'2",
    SVC_TTS_VOICE: 'Ada "the calm" #1',
    SVC_STT_KEY: " both' and\" ",
  };
  await folder.writeSettings(settings);
  expect((await stat(folder.settings)).mode & 0o777).toBe(0o600);
  expect(parseEnv(await readFile(folder.settings, "utf8"))).toEqual(settings);
});
