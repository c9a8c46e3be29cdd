import { MailError } from "#platform";
import type { MailSettings } from "#platform";
import { mailHeaders, openMailHarness, startMailServer } from "#testing";
import type { MailHarness, MailHarnessOptions, MailServer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, it, onTestFinished } from "vitest";
import { commandLineUnderTest, operatorUnderTest } from "../command-line-under-test.ts";
import type { CommandLine } from "../command-line-under-test.ts";
import type { Operator } from "../operator.ts";
import { commands } from "./index.ts";

function commandLine(given: Partial<Operator>): CommandLine {
  return commandLineUnderTest(given, { width: 140 });
}

async function commandLineWithMails(
  database: TestDatabase,
  server?: MailHarnessOptions["server"],
): Promise<CommandLine & { harness: MailHarness }> {
  const harness = await openMailHarness(database, server === undefined ? {} : { server });
  return { ...commandLine({ db: () => database.db, addressMarks: () => harness.marks }), harness };
}

const idsOf = (printed: Record<string, unknown>): string[] =>
  (printed["mails"] as { session_id: string }[]).map((one) => one.session_id);

describe("the list of mails", () => {
  databaseTest("is a table with what to do below it", async ({ database }) => {
    const answers = [
      undefined,
      new MailError("refused", "550 No such user (to RCPT TO)"),
      new MailError("unknown", "the connection was cut after the mail was handed over"),
      new MailError("later", "451 Busy (to RCPT TO)"),
    ];
    const { harness, svc, json } = await commandLineWithMails(database, async () => {
      const answer = answers.shift();
      if (answer !== undefined) throw answer;
    });
    expect((await svc("mail", "list")).out).toContain("No mail fits.");
    const ids: string[] = [];
    for (const name of ["ada", "bob", "cyd", "dan"])
      ids.push(await harness.play(`${name}@example.com`));
    await harness.runAll();
    const { out } = await svc("mail", "list");
    expect(out).toMatch(/^SESSION +ORDERED +STATE +TRIES +BECAUSE +ACCOUNT$/m);
    expect(out).toMatch(new RegExp(`^${ids[0]}  .* sent +1 `, "m"));
    expect(out).toMatch(new RegExp(`^${ids[1]}  .* refused +1 +550 No such user`, "m"));
    expect(out).toMatch(new RegExp(`^${ids[2]}  .* unknown +1 +the connection was cut`, "m"));
    expect(out).toMatch(new RegExp(`^${ids[3]}  .* waiting +1 +451 Busy`, "m"));
    expect(out).toContain("unknown: it was handed over and no answer came");
    expect(out).not.toContain("@example.com");
    expect(idsOf(await json("mail", "list"))).toEqual(ids.toReversed());
    expect(idsOf(await json("mail", "list", "--state", "unknown"))).toEqual([ids[2]]);
    const account = String(harness.customer.account.id);
    expect(idsOf(await json("mail", "list", "--account", account, "--since", "1h"))).toHaveLength(
      4,
    );
    expect(await json("mail", "list", "--limit", "1")).toMatchObject({ more: true });
    expect((await svc("mail", "list", "--limit", "1")).out).toContain("raise --limit");
  });
});

describe("one mail", () => {
  databaseTest("is told in words, with what to do", async ({ database }) => {
    const answers = [
      undefined,
      new MailError("unknown", "cut"),
      new MailError("later", "451 Busy"),
    ];
    const { harness, svc, json } = await commandLineWithMails(database, async () => {
      const answer = answers.shift();
      if (answer !== undefined) throw answer;
    });
    const [sent, unknown, waiting] = [
      await harness.play("ada@example.com"),
      await harness.play("bob@example.com"),
      await harness.play("cyd@example.com"),
    ];
    expect((await svc("mail", "show", sent)).out).toMatch(
      /^state +waiting: it goes out in a moment$/m,
    );
    await harness.runAll();
    expect((await svc("mail", "show", sent)).out).toMatch(/^state +sent: the mail server took it/m);
    expect((await svc("mail", "show", waiting)).out).toMatch(
      /^state +waiting: it is tried again in \d+ (?:s|min); the last try: 451 Busy$/m,
    );
    const { out } = await svc("mail", "show", unknown);
    expect(out).toMatch(/^state +unknown: it may have arrived: cut$/m);
    expect(out).toContain(`Message-ID follow-up.${unknown}`);
    expect(await json("mail", "show", unknown)).toMatchObject({ state: "unknown", attempts: 1 });
    expect((await svc("sessions", "show", sent)).out).toMatch(
      /^mail +sent: the mail server took it/m,
    );
    expect(await json("sessions", "show", sent)).toMatchObject({ mail: { state: "sent" } });
    const none = await svc("mail", "show", "01932c1e-7d3a-7c40-9f5e-3b1a2c4d5e6f");
    expect(none).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("No mail was ordered"),
    });
    expect((await svc("mail", "show", "7")).err).toContain('"7" is no session id.');
  });

  databaseTest("that was skipped says why", async ({ database }) => {
    const { harness, svc } = await commandLineWithMails(database, "none");
    const id = await harness.play("ada@example.com");
    await harness.runAll();
    const { out } = await svc("mail", "show", id);
    expect(out).toMatch(/^state +skipped: there is no mail server \(SVC_SMTP_URL\)$/m);
    expect(out).toMatch(/^do +Set SVC_SMTP_URL and SVC_MAIL_FROM/m);
  });
});

describe("who wants no mail", () => {
  databaseTest("is entered, let go and counted, never named", async ({ database }) => {
    const { harness, svc, json } = await commandLineWithMails(database);
    const whose = ["--account", String(harness.customer.account.id)];
    expect((await svc("mail", "suppressed", ...whose)).out).toBe("Nobody has unsubscribed.");
    expect((await svc("mail", "suppress", " Ada@Example.com ", ...whose)).out).toBe(
      "No more mails of Example Ltd go to that address.",
    );
    expect(await json("mail", "suppress", "ada@example.com", ...whose)).toMatchObject({
      changed: false,
    });
    const id = await harness.play("ada@example.com");
    await harness.runAll();
    expect(await harness.state(id)).toBe("skipped: suppressed");
    const day = new Date().toISOString().slice(0, 10);
    const days = [{ day, source: "operator", count: 1 }];
    expect(await json("mail", "suppressed", ...whose)).toEqual({ total: 1, days });
    expect((await svc("mail", "suppressed", ...whose)).out).toMatch(/operator +1\n1 in all\.$/);
    expect((await svc("mail", "allow", "ada@example.com", ...whose)).out).toBe(
      "Mails of Example Ltd may go to that address again.",
    );
    expect((await svc("mail", "allow", "ada@example.com", ...whose)).out).toContain(
      "Nothing to do",
    );
    const wrong = await svc("mail", "suppress", "victim, other@example.com", ...whose);
    expect(wrong.err).toContain("That is no mail address.");
    expect(wrong.err).not.toContain("victim");
  });
});

describe("a test mail", () => {
  async function serverThat(
    options: Parameters<typeof startMailServer>[0] = {},
  ): Promise<{ server: MailServer; settings: MailSettings }> {
    const server = await startMailServer(options);
    onTestFinished(() => server.close());
    const url = `smtp://127.0.0.1:${server.port}`;
    return { server, settings: { url, from: { address: "hello@svc.test" }, tls: "off" } };
  }

  it("goes to one address, and what the server said is told", async () => {
    const { server, settings } = await serverThat();
    const { svc, json } = commandLine({ mail: () => settings });
    const { exitCode, out } = await svc("mail", "test", "--to", "Ada@example.com");
    expect(out).toMatch(/^127\.0\.0\.1:\d+ took the mail\. It said: 250 /);
    expect(out).toContain("It is not signed");
    expect(exitCode).toBe(0);
    expect(server.mails.map(({ to }) => to)).toEqual([["ada@example.com"]]);
    expect(new Map(mailHeaders(server.mails[0]!.raw)).get("Subject")).toBe("A test mail of Svc");
    expect(await json("mail", "test", "--to", "ada@example.com")).toMatchObject({
      outcome: "sent",
      from: "hello@svc.test",
      signed: false,
    });
  });

  it("that is not taken says why and what to do", async () => {
    const { settings } = await serverThat({ refuse: { at: "mail", code: 553, text: "Not yours" } });
    const { exitCode, out } = await commandLine({ mail: () => settings }).svc(
      "mail",
      "test",
      "--to",
      "a@b.test",
    );
    expect(out).toMatch(/did not take the mail: 553 Not yours \(to MAIL FROM\)\./);
    expect(out).toContain("SVC_MAIL_FROM");
    expect(exitCode).toBe(1);
    const none = await commandLine({}).svc("mail", "test", "--to", "a@b.test");
    expect(none).toMatchObject({ exitCode: 2, err: expect.stringContaining("no mail server") });
  });
});

describe("the doctor", () => {
  interface Found {
    name: string;
    state: string;
    says: string;
  }

  async function mailFindings(given: Partial<Operator>): Promise<string[]> {
    const doctor = commands.find(({ name }) => name === "doctor")!;
    const output = await doctor.run(operatorUnderTest(given), { arguments: {}, options: {} });
    const { checks } = output as { checks: Found[] };
    return checks
      .filter(({ name }) => name === "mail server" || name === "follow-up mails")
      .map(({ state, says }) => `${state}: ${says}`);
  }

  databaseTest("looks for a mail server where mails are on", async ({ database }) => {
    const { harness } = await commandLineWithMails(database, async () => {
      throw new MailError("unknown", "cut");
    });
    const db = (): typeof database.db => database.db;
    expect(await mailFindings({ db })).toEqual([
      "ok: not set up (SVC_SMTP_URL): no mail is sent",
      "warn: mails are on for 1 account, and there is no mail server: each is skipped",
    ]);
    const server = await startMailServer();
    const settings: MailSettings = {
      url: `smtp://127.0.0.1:${server.port}`,
      from: { address: "hello@svc.test" },
      tls: "off",
    };
    const mail = (): MailSettings => settings;
    expect(await mailFindings({ db, mail })).toEqual([
      `ok: 127.0.0.1:${server.port} lets us in, and mail is not signed (SVC_DKIM_DOMAIN)`,
      "ok: none is in doubt",
    ]);
    expect(server.mails).toEqual([]);
    await server.close();
    await harness.play("ada@example.com");
    await harness.runAll();
    expect(await mailFindings({ db, mail })).toEqual([
      `fail: 127.0.0.1:${server.port}: the connection failed (ECONNREFUSED)`,
      "warn: 1 of the last 7 days may or may not have arrived",
    ]);
  });
});
