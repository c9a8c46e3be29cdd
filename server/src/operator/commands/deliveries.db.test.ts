import { transact } from "#platform";
import { evaluateAgain, openPostOffice, playEvaluated } from "#testing";
import type { EventAnswer, PostOffice, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { removeEndpoint } from "#webhooks";
import { sql } from "kysely";
import { describe, expect, onTestFinished } from "vitest";
import { operatorUnderTest } from "../command-line-under-test.ts";
import { runCli } from "../program.ts";
import { commands } from "./index.ts";

interface Desk {
  post: PostOffice;
  /** Three tries of all that waits. */
  exhaust(): Promise<void>;
  svc(...argv: string[]): Promise<{ exitCode: number; out: string; err: string }>;
  json(...argv: string[]): Promise<Record<string, unknown>>;
}

async function desk(database: TestDatabase, answer: () => EventAnswer): Promise<Desk> {
  const { db } = database;
  const post = await openPostOffice(database, {
    admit: (trx) =>
      sql`UPDATE deliveries SET state = 'running' WHERE state = 'waiting'`.execute(trx),
    answer,
  });
  onTestFinished(post.close);
  const svc: Desk["svc"] = async (...argv) => {
    const [out, err]: [string[], string[]] = [[], []];
    const exitCode = await runCli(["deliveries", ...argv], {
      terminal: { width: 120, color: false, nowMs: Date.now() },
      operator: operatorUnderTest({ db: () => db }),
      print: (text) => out.push(text),
      complain: (text) => err.push(text),
    });
    return { exitCode, out: out.join("\n"), err: err.join("\n") };
  };
  return {
    post,
    exhaust: async () => {
      for (let tried = 0; tried < 3; tried++) await post.tryAll();
    },
    svc,
    json: async (...argv) => {
      const { out, err } = await svc(...argv, "--json");
      expect(err).toBe("");
      const command = commands.find(({ name }) => name === `deliveries ${argv[0]}`)!;
      const printed: unknown = JSON.parse(out);
      expect(command.output.parse(printed)).toEqual(printed);
      return printed as Record<string, unknown>;
    },
  };
}

const ids = (printed: Record<string, unknown>): number[] =>
  (printed["deliveries"] as { id: number }[]).map(({ id }) => id);

describe("the list", () => {
  databaseTest("is a table with what to do below it", async ({ database }) => {
    let status = 204;
    const { post, exhaust, svc, json } = await desk(database, () => status);
    const taken = await playEvaluated(database.db, post.customer);
    await post.tryAll();
    status = 503;
    const failed = await playEvaluated(database.db, post.customer);
    await exhaust();
    const waiting = await playEvaluated(database.db, post.customer);
    await post.tryAll();
    const { out } = await svc("list");
    const host = new URL(post.receiver.url).host;
    const row = (id: number, session: { id: string }, rest: string): RegExp =>
      new RegExp(`^ ${id}  ${session.id}  .*  ${rest}`, "m");
    expect(out).toMatch(/^ID {2}SESSION +WRITTEN +STATE +TRIES +LAST ANSWER +TO +ACCOUNT$/m);
    expect(out).toMatch(row(3, waiting, `waiting, in \\d+ s +1 of 3 +503 +${host}`));
    expect(out).toMatch(row(2, failed, `exhausted +3 of 3 +503 +${host}`));
    expect(out).toMatch(row(1, taken, `delivered +1 of 3 +204 +${host}`));
    expect(out).toContain("exhausted: three tries failed. `svc deliveries show <id>` tells how;");
    const account = String(post.customer.account.id);
    expect(ids(await json("list", "--account", account, "--since", "1h"))).toEqual([3, 2, 1]);
    expect(ids(await json("list", "--endpoint", post.endpoint.id, "--limit", "2"))).toEqual([3, 2]);
    expect(ids(await json("list", "--session", failed.id.toUpperCase()))).toEqual([2]);
    expect(ids(await json("list", "--state", "delivered"))).toEqual([1]);
    expect((await svc("list", "--limit", "1")).out).toContain("There are older ones");
    expect((await svc("list", "--state", "orphaned")).out).toContain("No delivery fits.");
    expect((await svc("list", "--session", "7")).err).toContain('"7" is no session id.');
    expect((await svc("list", "--endpoint", "hook_x")).exitCode).toBe(1);
  });
});

describe("one delivery", () => {
  databaseTest("is told with every try and what to do", async ({ database }) => {
    const { post, exhaust, svc, json } = await desk(database, () => ({
      status: 500,
      body: "\u001b[2JTraceback\n  line 1",
    }));
    await playEvaluated(database.db, post.customer);
    await exhaust();
    const { out } = await svc("show", "1");
    expect(out).toMatch(
      /^state +exhausted: three tries failed, the last one (?:just now|\d+ s ago)$/m,
    );
    expect(out).toMatch(/^event +session\.evaluated \(evt_[0-9a-f]{32}\), [\d,]+ bytes$/m);
    expect(out).toMatch(/^ {2}1 {2}\S+ + \d+ ms {2}500 +\ufffd\[2JTraceback {2,}line 1$/m);
    expect(out).toContain("then svc deliveries replay 1");
    expect(out).not.toContain("\u001b");
    expect(await json("show", "1")).toMatchObject({
      state: "exhausted",
      event: { evaluation: 1, event_type: "session.evaluated" },
      log: [{ attempt: 1, status: 500 }, { attempt: 2 }, { attempt: 3 }],
    });
  });

  databaseTest("shows its body on demand, byte by byte", async ({ database }) => {
    const { post, svc, json } = await desk(database, () => 204);
    await playEvaluated(database.db, post.customer);
    await post.tryAll();
    const { body } = post.receiver.received[0]!;
    expect((await svc("show", "1", "--body")).out).toBe(body.toString());
    expect(await json("show", "1", "--body")).toMatchObject({ event: { body: body.toString() } });
    expect((await json("show", "1"))["event"]).not.toHaveProperty("body");
  });

  databaseTest("says what it waits for", async ({ database }) => {
    const { post, svc } = await desk(database, () => 500);
    const { id } = await playEvaluated(database.db, post.customer);
    await post.tryAll();
    await evaluateAgain(database.db, id);
    expect((await svc("show", "1")).out).toMatch(/^state +waiting: its next try is in \d+ s \(/m);
    expect((await svc("show", "2")).out).toMatch(
      /^state +waiting: delivery 1 of the same session goes first$/m,
    );
    await database.pool.query("UPDATE webhook_endpoints SET state = 'paused'");
    const { out } = await svc("show", "1");
    expect(out).toMatch(/^state +waiting: its endpoint is paused$/m);
    expect(out).toMatch(/^do +svc webhooks resume hook_/m);
    expect((await svc("show", "99")).err).toContain("There is no delivery 99.");
    expect((await svc("show", "1e3")).exitCode).toBe(2);
  });
});

databaseTest("one that is held back says why, and counts no try", async ({ database }) => {
  const { post, svc, json } = await desk(database, () => 204);
  await playEvaluated(database.db, post.customer);
  await database.pool.query("UPDATE webhook_endpoints SET secret = 'k9:' || secret");
  for (let tried = 0; tried < 6; tried++) await post.tryAll();
  const { out } = await svc("show", "1");
  expect(out).toMatch(/^state +waiting: held back, with no try counted; tried again in \d+ s$/m);
  expect(out).toMatch(/^held back +A stored secret cannot be read\. The key k9, which sealed it,/m);
  expect(out).not.toContain("crashes");
  expect(out).not.toContain("Tries");
  expect(await json("show", "1")).toMatchObject({
    state: "waiting",
    attempts: 0,
    crashes: 0,
    held_because: expect.stringContaining("Put that key back"),
    log: [],
  });
  const list = (await svc("list")).out;
  expect(list).toMatch(/ held back, in \d+ s +0 of 3 /);
  expect(list).toContain("held back: something of ours is missing, and nothing was sent.");
});

// W9
describe("replaying", () => {
  databaseTest("by number, session, endpoint, account and time", async ({ database }) => {
    const { post, exhaust, svc, json } = await desk(database, () => 500);
    const { id } = await playEvaluated(database.db, post.customer);
    await playEvaluated(database.db, post.customer);
    await exhaust();
    const dry = await svc("replay", "1", "2", "--dry-run");
    expect(dry.out).toBe("2 would be sent again. Nothing was written.");
    expect((await svc("replay", "1", "2", "1")).out).toBe("2 are sent again, as delivery 3, 4.");
    expect(await json("replay", "--session", id)).toMatchObject({
      replayed: 0,
      left_out: { under_way: 1 },
    });
    await exhaust();
    const ofAccount = ["--account", String(post.customer.account.id)];
    const ofEndpoint = ["--endpoint", post.endpoint.id];
    expect(await json("replay", ...ofAccount, "--failed-since", "1h", "--dry-run")).toMatchObject({
      dry_run: true,
      deliveries: [{ replay_of: 3 }, { replay_of: 4 }],
    });
    expect(await json("replay", ...ofEndpoint, "--from", "1h")).toMatchObject({ replayed: 2 });
    await exhaust();
    const past = ["--from", "2026-01-01", "--to", "2026-01-02"];
    expect((await svc("replay", ...ofEndpoint, ...past)).out).toBe("Nothing is to be sent again.");
    expect(await json("replay", ...ofEndpoint, "--failed-since", "1h")).toMatchObject({
      deliveries: [
        { id: 7, replay_of: 5 },
        { id: 8, replay_of: 6 },
      ],
    });
  });

  databaseTest("refuses what is not said, or not to be had", async ({ database }) => {
    const { post, svc } = await desk(database, () => 204);
    await playEvaluated(database.db, post.customer);
    const endpoint = ["--endpoint", post.endpoint.id];
    for (const argv of [
      [],
      endpoint,
      ["--failed-since", "1h"],
      ["1", ...endpoint, "--failed-since", "1h"],
      [...endpoint, "--to", "1h"],
      [...endpoint, "--from", "2h", "--failed-since", "1h"],
      [...endpoint, "--account", "1", "--failed-since", "1h"],
      ["--session", "00000000-0000-7000-8000-000000000000", "--from", "1h"],
    ]) {
      const { exitCode, err } = await svc("replay", ...argv);
      expect([exitCode, err], argv.join(" ")).toEqual([
        2,
        expect.stringContaining("It is not said what to send again."),
      ]);
    }
    expect((await svc("replay", ...endpoint, "--failed-since", "soon")).err).toContain(
      "--failed-since takes how long ago",
    );
    expect((await svc("replay", "1")).err).toContain("Delivery 1 cannot be sent again.");
    await transact(database.db, (trx) => removeEndpoint(trx, "ada", post.endpoint.id));
    expect((await svc("replay", ...endpoint, "--failed-since", "1h")).err).toContain("removed");
  });
});
