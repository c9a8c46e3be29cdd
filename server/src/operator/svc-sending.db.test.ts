import { createHmac } from "node:crypto";
import {
  addCustomer,
  addReceiver,
  openMailHarness,
  PASSWORDS,
  playEvaluated,
  startEventReceiver,
  startMailServer,
  SvcUnderTest,
} from "#testing";
import type { ReceivedEvent } from "#testing";
import { databaseTest } from "#testing/database-test";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";

const under = new SvcUnderTest("sending");
const desk: SvcUnderTest["desk"] = (...given) => under.desk(...given);
afterAll(() => under.close());
// Dozens of processes in one test, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

// The tests of commands/webhooks hold what each of these prints and refuses.
databaseTest("receivers are added, tested, changed and removed", async ({ database }) => {
  const { db, pool } = database;
  const customer = await addCustomer(db, { name: "Wayne" });
  const stored = async (id: string): Promise<unknown> =>
    (
      await pool.query(
        "SELECT url, state, agent_ids IS NULL AS all, replay_exhausted, previous_until IS NOT NULL AS rotating FROM webhook_endpoints WHERE id = $1",
        [id],
      )
    ).rows[0];
  const secrets: string[] = [];
  const verifies = ({ headers, body }: ReceivedEvent): boolean =>
    secrets.some(
      (secret) =>
        headers["x-webhook-signature"] === createHmac("sha256", secret).update(body).digest("hex"),
    );
  const receiver = await startEventReceiver((event) => (verifies(event) ? 204 : 401));
  const careless = await startEventReceiver(() => 200);
  onTestFinished(() => {
    receiver.close();
    careless.close();
  });
  const svc = desk(database);

  const added = await svc.answers<{ id: string; secret: string }>(
    `webhooks add ${receiver.url} --account wayne --agent guide --replay-exhausted`,
  );
  const { id } = added;
  secrets.push(added.secret);
  const row = { url: receiver.url, state: "live", all: false, replay_exhausted: true };
  expect(await stored(id)).toEqual({ ...row, rotating: false });
  const printed = await svc.tells("webhooks add https://wayne.example/hook --account wayne", [
    "Each evaluated session of Wayne",
    "shown this once",
  ]);
  const other = /hook_\w{22}/.exec(printed.out)![0];
  expect(await svc.answers("webhooks list --account wayne")).toMatchObject({
    endpoints: [{ id, state: "live", agents: [{ slug: "guide" }] }, { id: other }],
  });
  await svc.tells("webhooks list", [id, other, "Wayne"]);

  await svc.tells(`webhooks pause ${id}`, ["is paused"]);
  await svc.answers(`webhooks pause ${other}`);
  await playEvaluated(db, customer);
  expect(await svc.answers(`webhooks show ${id}`)).toMatchObject({
    state: "paused",
    health: { waiting: 1 },
  });
  await svc.tells(`webhooks show ${id}`, [`svc webhooks resume ${id}`, "1 waiting"]);
  await svc.answers(`webhooks resume ${id}`);
  await svc.tells(`webhooks resume ${id}`, ["is live", "It was before."]);
  const { secret } = await svc.answers<{ secret: string }>(`webhooks rotate ${id}`);
  expect(await stored(id)).toEqual({ ...row, rotating: false });
  await svc.tells(`webhooks rotate ${other}`, ["is staged", "shown this once", "--activate"]);
  await svc.tells(`webhooks rotate ${other} --cancel`, ["is forgotten"]);
  await svc.tells(`webhooks rotate ${other} --now`, ["has a new secret", "shown this once"]);

  // While it is staged, a receiver that knows the old secret only passes its test, but not as it will be.
  await svc.answers(`webhooks test ${id}`);
  const failing = await svc.answers<{ cures: unknown[] }>(`webhooks test ${id} --staged`, 1);
  expect(failing.cures).toHaveLength(1);
  secrets.push(secret);
  await svc.answers(`webhooks test ${id} --staged`);
  await svc.answers(`webhooks rotate ${id} --activate`);
  expect(await stored(id)).toEqual({ ...row, rotating: true });
  const passing = await svc.answers<{ checks: { name: string; state: string }[] }>(
    `webhooks test ${id}`,
  );
  const noted = passing.checks.filter(({ state }) => state !== "ok").map(({ name }) => name);
  expect(noted).toEqual(["address", "certificate"]);
  await svc.tells(`webhooks test ${careless.url} --secret whsec_c2VjcmV0`, [
    "took an event with a wrong signature (200)",
    "createHmac",
    "hmac.compare_digest",
  ]);

  await svc.refuses([`webhooks remove ${id}`, 1, `1 delivery to ${id} is not finished.`]);
  expect(await svc.answers(`webhooks remove ${id} --yes`)).toMatchObject({ cancelled: 1 });
  await svc.tells(`webhooks remove ${other} --yes`, ["Removed", "Cancelled deliveries: 1"]);
  await svc.answers("webhooks reseal");
  await svc.tells("webhooks reseal", ["under the first key"]);
  const { SVC_SECRET_KEYS: _, ...withoutKeys } = svc.surroundings.environment;
  await svc
    .with({ environment: withoutKeys })
    .refuses(["webhooks reseal", 2, "svc cannot handle webhook secrets."]);
});

interface Deliveries {
  deliveries: { id: number }[];
}

// The tests of commands/deliveries hold what a delivery's tries tell, and what is refused.
databaseTest("deliveries are listed, shown and sent again", async ({ database }) => {
  const { db, pool } = database;
  const customer = await addCustomer(db, { name: "Stark" });
  const endpoint = await addReceiver(db, customer, "http://127.0.0.1:9/hook");
  const [first, second] = [await playEvaluated(db, customer), await playEvaluated(db, customer)];
  const finish = (state: string): Promise<unknown> =>
    pool.query("UPDATE deliveries SET state = $1, finished_at = now() WHERE state = 'waiting'", [
      state,
    ]);
  await finish("exhausted");
  const svc = desk(database);
  const lists: [flags: string, ids: number[]][] = [
    ["--account stark --since 1h", [2, 1]],
    ["--limit 1", [2]],
    [`--session ${first.id}`, [1]],
    [`--endpoint ${endpoint.id}`, [2, 1]],
    ["--state exhausted", [2, 1]],
    ...["waiting", "running", "delivered", "orphaned", "cancelled"].map(
      (state): [string, number[]] => [`--state ${state}`, []],
    ),
  ];
  for (const [flags, ids] of lists) {
    const { deliveries } = await svc.answers<Deliveries>(`deliveries list ${flags}`);
    expect(
      deliveries.map(({ id }) => id),
      flags,
    ).toEqual(ids);
  }
  await svc.tells("deliveries list", ["STATE", "exhausted", "svc deliveries replay <id>"]);
  await svc.tells("deliveries show 1", ["exhausted", first.id]);
  const shown = await svc.answers<{ event: { body: string } }>("deliveries show 1 --body");
  expect(shown.event.body).toContain(first.id);

  const ofStark = "--account stark --failed-since 1h";
  await svc.tells(`deliveries replay ${ofStark} --dry-run`, ["2 would be sent again."]);
  await svc.tells("deliveries replay 1", ["1 is sent again, as delivery 3."]);
  const replayed = (id: number, of: number): object => ({ deliveries: [{ id, replay_of: of }] });
  expect(await svc.answers(`deliveries replay ${ofStark}`)).toMatchObject(replayed(4, 2));
  await finish("delivered");
  const bySession = `deliveries replay --session ${second.id}`;
  expect(await svc.answers(bySession)).toMatchObject(replayed(5, 4));
  await finish("delivered");
  const range = `--endpoint ${endpoint.id} --from 1h --to 2099-01-01`;
  expect(await svc.answers(`deliveries replay ${range}`)).toMatchObject({ replayed: 2 });
  await svc.refuses(["deliveries show 77", 1, "There is no delivery 77."]);
});

// The tests of commands/mail hold what a mail's state tells.
databaseTest("mails are listed, tried, stopped and allowed", async ({ database }) => {
  const room = await openMailHarness(database, { agent: { name: "Umbrella" } });
  const victim = "victim@umbrella.example";
  const [first, second] = [await room.play("ada@umbrella.example"), await room.play(victim)];
  const svc = desk(database);
  const umbrella = "--account umbrella";
  const suppress = `mail suppress ${victim} ${umbrella}`;
  await svc.tells(suppress, ["No more mails of Umbrella"]);
  expect(await svc.answers(suppress)).toMatchObject({ changed: false });
  await room.runAll();

  interface Mails {
    mails: { session_id: string; state: string }[];
  }
  const lists: [flags: string, ids: string[]][] = [
    [`${umbrella} --since 1h`, [second, first]],
    ["--limit 1", [second]],
    ["--state sent", [first]],
    ["--state skipped", [second]],
    ...["waiting", "sending", "refused", "unknown"].map((state): [string, string[]] => [
      `--state ${state}`,
      [],
    ]),
  ];
  for (const [flags, ids] of lists) {
    const { mails } = await svc.answers<Mails>(`mail list ${flags}`);
    expect(
      mails.map((mail) => mail.session_id),
      flags,
    ).toEqual(ids);
  }
  await svc.tells("mail list", ["STATE", "suppressed", "Umbrella"]);
  await svc.tells(`mail show ${first}`, ["sent", "the mail server took it"]);
  await svc.answers(`mail show ${second}`);
  await svc.tells(`sessions show ${second}`, ["this person wants no mail of the account"]);
  expect(await svc.answers(`mail suppressed ${umbrella}`)).toMatchObject({
    total: 1,
    days: [{ source: "operator", count: 1 }],
  });
  const allow = `mail allow ${victim} ${umbrella}`;
  await svc.tells(allow, ["may go to that address again"]);
  expect(await svc.answers(allow)).toMatchObject({ changed: false });
  await svc.tells(`mail suppressed ${umbrella}`, ["Nobody has unsubscribed."]);

  const server = await startMailServer();
  onTestFinished(() => server.close());
  const test = "mail test --to you@umbrella.example";
  const settings = {
    SVC_SMTP_URL: `smtp://svc:${PASSWORDS.mail}@127.0.0.1:${server.port}`,
    SVC_MAIL_FROM: "Umbrella <hello@umbrella.example>",
    SVC_SMTP_TLS: "off",
  };
  const sending = desk(database, settings);
  await sending.tells(test, ["took the mail. It said: 250"]);
  expect(server.mails.map(({ to }) => to)).toEqual([["you@umbrella.example"]]);
  expect((await sending.run("doctor")).out).toContain("lets us in");
  const refusing = desk(database, { ...settings, SVC_SMTP_TLS: "on" });
  await refusing.tells(test, ["did not take the mail", "(to STARTTLS)"], 1);
  await refusing.answers(test, 1);
  await svc.refuses([test, 2, "There is no mail server to try."]);
});

it("every command, flag and choice that the help shows was used", () => under.checkCoverage());

it("no password was printed, and no secret twice", () => under.checkSecrets());
