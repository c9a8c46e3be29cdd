import { createSecrets } from "#platform";
import type { Secrets } from "#platform";
import { addCustomer, playEvaluated, startEventReceiver, testSecrets } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished } from "vitest";
import { commandLineUnderTest } from "../../command-line-under-test.ts";
import type { CommandLine } from "../../command-line-under-test.ts";

interface Desk extends CommandLine {
  customer: Customer;
}

async function desk({ db }: TestDatabase, secrets: Secrets = testSecrets): Promise<Desk> {
  const customer = await addCustomer(db, { name: "Acme" });
  const commandLine = commandLineUnderTest({
    db: () => db,
    secrets: () => secrets,
    receivers: () => ({ allowPlainHttp: true, allowPrivate: true }),
  });
  return { customer, ...commandLine };
}

const HOOK = "https://crm.example.com/svc";
const add = ["webhooks", "add", HOOK, "--account", "acme"];

const unwrapped = (text: string): string => text.replaceAll(/\n */g, " ");

async function actions({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ action: string }>(
    "SELECT action FROM audit WHERE action LIKE 'webhook.%' ORDER BY id",
  );
  return rows.map(({ action }) => action);
}

describe("a receiver on the command line", () => {
  databaseTest("is added with a secret that is shown this once", async ({ database }) => {
    const { svc, json } = await desk(database);
    const { out } = await svc(...add, "--agent", "guide");
    const [, secret] = /^ {2}SVC_WEBHOOK_SECRET=(whsec_\S{32})$/m.exec(out)!;
    const [, id] = /^next {2}svc webhooks test (hook_\w{22})$/m.exec(out)!;
    expect(out).toContain('openssl dgst -sha256 -hmac "$SVC_WEBHOOK_SECRET" body.json');
    const added = await json(...add, "--replay-exhausted");
    expect(added).toMatchObject({ url: HOOK, account_name: "Acme", replay_exhausted: true });
    expect(added).not.toHaveProperty("agents");
    expect(await json("webhooks", "list", "--account", "acme")).toMatchObject({
      endpoints: [
        { id, state: "live", agents: [{ slug: "guide" }], replay_exhausted: false },
        { id: added["id"], health: { waiting: 0, failed: 0 } },
      ],
    });
    for (const again of [
      await svc("webhooks", "list"),
      await svc("webhooks", "show", id!),
      await svc("audit", "list", "--json"),
    ]) {
      expect(again.exitCode).toBe(0);
      expect(again.out).not.toContain(secret);
    }
    expect(await actions(database)).toEqual(["webhook.add", "webhook.add"]);
  });

  databaseTest("is refused where the address or the agent will not do", async ({ database }) => {
    const { svc, json } = await desk(database);
    const refused = async (...argv: string[]): Promise<[number, string]> => {
      const { exitCode, err } = await svc(...argv);
      return [exitCode, err.split("\n", 1)[0]!];
    };
    expect(await refused("webhooks", "add", "ftp://x", "--account", "acme")).toEqual([
      2,
      "Error: The address was not taken.",
    ]);
    expect(await refused(...add, "--agent", "nobody")).toEqual([
      1,
      'Error: There is no agent "nobody".',
    ]);
    expect(await refused("webhooks", "show", "hook_x")).toEqual([
      1,
      "Error: There is no webhook endpoint hook_x.",
    ]);
    expect(await json("webhooks", "list")).toEqual({ endpoints: [] });
    expect((await svc("webhooks", "list")).out).toContain("svc webhooks add");
  });

  databaseTest("is paused and resumed, and tells what waits", async ({ database }) => {
    const { customer, svc, json } = await desk(database);
    const id = String((await json(...add))["id"]);
    expect(await json("webhooks", "pause", id)).toMatchObject({ state: "paused", changed: true });
    await playEvaluated(database.db, customer);
    expect((await svc("webhooks", "pause", id)).out).toContain("It was before. 1 waiting.");
    const { out } = await svc("webhooks", "show", id);
    expect(out).toContain(`- It is paused. \`svc webhooks resume ${id}\` sends what waits.`);
    expect(out).toMatch(/^under way +1 waiting, 0 running$/m);
    expect(await json("webhooks", "resume", id)).toMatchObject({ state: "live", waiting: 1 });
    expect(await actions(database)).toEqual(["webhook.add", "webhook.pause", "webhook.resume"]);
  });

  databaseTest("gets a new secret in two steps, and is told each", async ({ database }) => {
    const { svc, json } = await desk(database);
    const { id, secret } = (await json(...add)) as { id: string; secret: string };
    const rotate = ["webhooks", "rotate", id];
    const staged = (await svc(...rotate)).out;
    expect(unwrapped(staged)).toContain("X-Webhook-Signature is still made with the old one");
    const [, next] = /^ {2}SVC_WEBHOOK_SECRET=(whsec_\S{32})$/m.exec(staged)!;
    expect(next).not.toBe(secret);
    expect(unwrapped(staged)).toContain(`svc webhooks rotate ${id} --activate`);
    const page = (await svc("webhooks", "show", id)).out;
    expect(page).toMatch(/^secret +a new one was staged (?:just now|\d+ s ago) \(/m);
    expect(unwrapped(page)).toContain(`svc webhooks rotate ${id} --activate`);
    expect(page).not.toContain(next);
    expect((await svc(...rotate)).err).toContain(`A new secret of ${id} is staged already.`);

    expect(await json(...rotate, "--activate")).toEqual({
      id,
      change: "activated",
      previous_until: expect.any(String),
    });
    // Shown within the same millisecond, it is 24.
    expect((await svc("webhooks", "show", id)).out).toMatch(
      /^secret +new; the old one signs beside it and ends in 2[34] h/m,
    );
    expect((await svc(...rotate, "--activate")).err).toContain(`${id} has no staged secret.`);
    await svc(...rotate);
    expect(await json(...rotate, "--cancel")).toEqual({ id, change: "cancelled" });
    expect(await json("webhooks", "show", id)).not.toHaveProperty("secret_staged_at");
    expect(await actions(database)).toEqual([
      "webhook.add",
      "webhook.rotate",
      "webhook.activate",
      "webhook.rotate",
      "webhook.cancel_rotation",
    ]);
  });

  databaseTest("gets a new secret at once when the old one has leaked", async ({ database }) => {
    const { svc, json } = await desk(database);
    const { id } = (await json(...add)) as { id: string };
    const { out } = await svc("webhooks", "rotate", id, "--now");
    expect(unwrapped(out)).toContain("X-Webhook-Signature is made with it from now on");
    expect(unwrapped(out)).toContain(`svc webhooks pause ${id}`);
    const both = await svc("webhooks", "rotate", id, "--now", "--activate");
    expect([both.exitCode, both.err]).toEqual([
      2,
      expect.stringContaining("--activate and --now exclude each other."),
    ]);
  });

  databaseTest("is removed, but only with --yes while something waits", async ({ database }) => {
    const { customer, svc, json } = await desk(database);
    const id = String((await json(...add))["id"]);
    await playEvaluated(database.db, customer);
    const refused = await svc("webhooks", "remove", id);
    expect([refused.exitCode, refused.err]).toEqual([
      1,
      expect.stringContaining(`1 delivery to ${id} is not finished.`),
    ]);
    expect(await json("webhooks", "show", id)).toMatchObject({ health: { waiting: 1 } });
    expect(await json("webhooks", "remove", id, "--yes")).toEqual({ id, cancelled: 1 });
    expect(await actions(database)).toEqual(["webhook.add", "webhook.remove"]);
    expect((await svc("webhooks", "show", id)).out).toContain("Nothing is sent to it any more.");
    expect((await svc("webhooks", "pause", id)).exitCode).toBe(1);
  });
});

// A12
databaseTest("secrets are sealed again under the newest key", async ({ database }) => {
  const key = (id: string): { id: string; key: Buffer } => ({ id, key: Buffer.alloc(32, id) });
  const { json } = await desk(database, createSecrets([key("k1")]));
  await json(...add);
  const lost = await desk(database, createSecrets([key("k2")]));
  const { exitCode, err } = await lost.svc("webhooks", "reseal");
  expect([exitCode, err]).toEqual([3, expect.stringContaining("The key k1, which sealed it")]);
  const both = await desk(database, createSecrets([key("k2"), key("k1")]));
  expect(await both.json("webhooks", "reseal")).toEqual({ resealed: 1, total: 1 });
  expect((await lost.svc("webhooks", "reseal")).out).toContain("0 of 1 endpoints");
});

describe("testing a receiver", () => {
  databaseTest("of an endpoint uses its own secret, and is audited", async ({ database }) => {
    const { customer, svc, json } = await desk(database);
    const receiver = await startEventReceiver(({ headers }) =>
      headers["x-webhook-signature"] === undefined ? 401 : 204,
    );
    onTestFinished(receiver.close);
    const { id } = await json("webhooks", "add", receiver.url, "--account", "acme");
    const { exitCode, out } = await svc("webhooks", "test", String(id));
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^ok {4}answer +took a genuine event \(204\) {2}\d+ ms$/m);
    expect(out).toMatch(/^warn {2}wrong signature +took an event with a wrong signature \(204\)/m);
    expect(out).toContain("0 failed, 2 to look at, of 10 checks.");
    expect(out).toContain("What fixes wrong signature\n  Node\n    import { createHmac,");
    expect(out).toContain("  Python\n    import hashlib, hmac, os");
    expect(receiver.received[0]!.body.toString()).toContain(customer.agent.agentId);
    expect(await actions(database)).toEqual(["webhook.add", "webhook.test"]);
    expect(await json("webhooks", "test", String(id))).toMatchObject({
      url: receiver.url,
      cures: [{ checks: ["wrong signature"] }],
    });
  });

  databaseTest("by its address needs the secret, and fails with 1", async ({ database }) => {
    const { svc } = await desk(database);
    const receiver = await startEventReceiver(() => 500);
    onTestFinished(receiver.close);
    const test = ["webhooks", "test", receiver.url];
    const failed = await svc(...test, "--secret", "whsec_c2VjcmV0");
    expect([failed.exitCode, failed.out]).toEqual([1, expect.stringMatching(/^fail {2}answer/m)]);
    expect(failed.out).not.toContain("c2VjcmV0");
    expect((await svc(...test)).err).toContain("There is nothing to sign with.");
    expect((await svc("webhooks", "test", "hook_x", "--secret", "x")).exitCode).toBe(2);
    expect((await svc("webhooks", "test", "hook_x")).exitCode).toBe(1);
    expect((await svc("webhooks", "test", "gopher://x", "--secret", "x")).exitCode).toBe(2);
  });
});
