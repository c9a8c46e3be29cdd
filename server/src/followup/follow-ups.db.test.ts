import { changeSettings } from "#accounts";
import { createSmtpMail, MailError, transact } from "#platform";
import { evaluateAgain, mailHeaders, openMailHarness, say, start, startMailServer } from "#testing";
import type { MailJob, MailHarness, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished } from "vitest";
import { forgetErasedMails, forgetFollowUps, isTranscriptReadable } from "./order-follow-up.ts";
import { suppress } from "./suppression.ts";

async function letADayPass({ pool }: TestDatabase): Promise<void> {
  await pool.query(
    "UPDATE follow_ups SET due_at = due_at - interval '1 day', give_up_at = give_up_at - interval '1 day', finished_at = finished_at - interval '1 day'",
  );
}

async function addVisit({ pool }: TestDatabase, id: string, address: string): Promise<void> {
  await pool.query(
    `INSERT INTO visits (session_id, account_id, agent_id, start_key, request_sha256, address)
     SELECT id, account_id, agent_id, gen_random_uuid(), '', $2 FROM sessions WHERE id = $1`,
    [id, address],
  );
}

/** The states of these sessions' mails, in order. */
async function states(harness: MailHarness, ids: string[]): Promise<(string | undefined)[]> {
  return Promise.all(ids.map((id) => harness.state(id)));
}

describe("a mail to a prospect", () => {
  databaseTest("is sent once its session is evaluated", async ({ database }) => {
    const harness = await openMailHarness(database, {
      agent: {
        agent: {
          name: "Mira",
          brand: { name: "Rostera", cta: { text: "See plans", link: "https://rostera.test/" } },
        },
      },
    });
    const id = await harness.play("ada@example.com");
    await harness.runAll();
    expect(await harness.state(id)).toBe("sent");
    expect(harness.finished).toEqual(["sent"]);
    const unsubscribeUrl = harness.links.unsubscribe({
      sessionId: id,
      accountId: harness.customer.account.id,
      mark: harness.marks.marks("ada@example.com")[0],
    });
    expect(harness.mails).toMatchObject([
      {
        to: "ada@example.com",
        fromName: "Rostera",
        subject: expect.stringContaining("Rostera"),
        messageId: `follow-up.${id}@svc.test`,
        headers: {
          "List-Unsubscribe": `<${unsubscribeUrl}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
      },
    ]);
    const { text, html } = harness.mails[0]!;
    expect(html).toContain("See plans");
    for (const part of [text, html!]) {
      expect(part).toContain("Thank you for your time.");
      expect(part).toContain("https://rostera.test/");
      expect(part).toContain(harness.links.rights(id));
      expect(part).toContain(unsubscribeUrl);
    }
  });

  // D8
  databaseTest("arrives at a mail server with one recipient", async ({ database }) => {
    const server = await startMailServer();
    onTestFinished(() => server.close());
    const mail = createSmtpMail({
      url: `smtp://127.0.0.1:${server.port}`,
      from: { name: "Svc", address: "hello@svc.test" },
      tls: "off",
    });
    const harness = await openMailHarness(database, { server: (message) => mail.send(message) });
    const id = await harness.play("o'hara+demo@example.com");
    await harness.runAll();
    expect(await harness.state(id)).toBe("sent");
    expect(server.mails.map(({ to }) => to)).toEqual([["o'hara+demo@example.com"]]);
    expect(new Map(mailHeaders(server.mails[0]!.raw)).get("Message-ID")).toBe(
      `<follow-up.${id}@svc.test>`,
    );
  });

  databaseTest("has a link to confirm, unless the account wants none", async ({ database }) => {
    const harness = await openMailHarness(database);
    const { id: accountId } = harness.customer.account;
    const ids = [await harness.play("ada@example.com")];
    await harness.runAll();
    await transact(database.db, (trx) =>
      changeSettings(trx, "test", accountId, { confirmTranscript: false }),
    );
    ids.push(await harness.play("bob@example.com"));
    await harness.runAll();
    const hasLink = harness.mails.map(({ text }, index) =>
      text.includes(harness.links.confirm(ids[index]!)),
    );
    expect(hasLink).toEqual([true, false]);
    const isReadable = await Promise.all(ids.map((id) => isTranscriptReadable(database.db, id)));
    expect(isReadable).toEqual([false, true]);
  });

  // D9
  databaseTest("is not sent twice, whatever is evaluated again", async ({ database }) => {
    const harness = await openMailHarness(database);
    const id = await harness.play("ada@example.com");
    await harness.runAll();
    await evaluateAgain(database.db, id, { onEvaluated: [harness.order] });
    await harness.runAll();
    expect(harness.mails).toHaveLength(1);
  });

  databaseTest("waits for the first evaluation that can be written", async ({ database }) => {
    const harness = await openMailHarness(database);
    const id = await harness.play("ada@example.com", { fails: true });
    expect(harness.jobs).toEqual([]);
    await evaluateAgain(database.db, id, { onEvaluated: [harness.order] });
    await harness.runAll();
    expect(await harness.state(id)).toBe("sent");
  });
});

describe("no mail is ordered", () => {
  databaseTest("for a test, or where nobody can be mailed", async ({ database }) => {
    const harness = await openMailHarness(database);
    await harness.play("ada@example.com", { test: true });
    await harness.play("not an address");
    await harness.play("ada@example.com", { emailVerified: false });
    expect(harness.jobs).toEqual([]);
  });

  databaseTest("while the account or the agent does not want it", async ({ database }) => {
    const objecting = await openMailHarness(database, { agent: { agent: { followUp: false } } });
    await objecting.play("ada@example.com");
    expect(objecting.jobs).toEqual([]);
    const harness = await openMailHarness(database);
    const switchTo = (followUp: boolean) =>
      transact(database.db, (trx) =>
        changeSettings(trx, "test", harness.customer.account.id, { followUp }),
      );
    await switchTo(false);
    const id = await harness.play("ada@example.com");
    await switchTo(true);
    // When mails are switched on, nobody is mailed about an old conversation.
    await evaluateAgain(database.db, id, { onEvaluated: [harness.order] });
    expect(harness.jobs).toEqual([]);
  });

  databaseTest("for a session that was imported", async ({ database }) => {
    const harness = await openMailHarness(database);
    const id = await harness.play("ada@example.com", { fails: true });
    await database.pool.query("UPDATE sessions SET end_reason = 'imported'");
    await evaluateAgain(database.db, id, { onEvaluated: [harness.order] });
    expect(harness.jobs).toEqual([]);
  });
});

// K11
describe("after a crash", () => {
  databaseTest("a mail that was being sent is never sent again", async ({ database }) => {
    const harness = await openMailHarness(database, {
      server: async () => {
        throw new Error("gone, as a process is that was killed");
      },
    });
    const id = await harness.play("ada@example.com");
    const [job] = harness.jobs as [MailJob];
    await expect(harness.runOne(job)).rejects.toThrow("gone");
    expect(await harness.state(id)).toBe("sending");
    await harness.runOne(job, { crashes: 1 });
    await harness.runOne(job, { crashes: 2 });
    expect(harness.mails).toHaveLength(1);
    expect(await harness.state(id)).toBe(
      "unknown: this service stopped while the mail was being handed over",
    );
    expect(harness.finished).toEqual(["unknown"]);
    expect(harness.log.lines()).toMatchObject([
      { msg: "nobody knows whether a mail was sent", session: id },
    ]);
    expect(harness.log.text()).not.toContain("ada@");
  });

  databaseTest("a mail that had not begun is sent", async ({ database }) => {
    const harness = await openMailHarness(database);
    const id = await harness.play("ada@example.com");
    const [job] = harness.jobs as [MailJob];
    await database.pool.query("ALTER TABLE agent_versions RENAME TO away");
    await expect(harness.runOne(job)).rejects.toThrow("agent_versions");
    await database.pool.query("ALTER TABLE away RENAME TO agent_versions");
    expect(await harness.state(id)).toBe("waiting");
    await harness.runOne(job, { crashes: 1 });
    expect(await harness.state(id)).toBe("sent");
  });

  // K15
  databaseTest("a process that was frozen over it writes nothing late", async ({ database }) => {
    let others: () => Promise<void> = async () => {};
    const harness = await openMailHarness(database, { server: () => others() });
    const id = await harness.play("ada@example.com");
    const [job] = harness.jobs as [MailJob];
    others = async () => {
      others = async () => {};
      // Its lease has expired, and another process has the job.
      await harness.runOne(job, { crashes: 1 });
    };
    await harness.runOne(job);
    expect(harness.mails).toHaveLength(1);
    expect(await harness.state(id)).toMatch(/^unknown/);
    expect(harness.finished).toEqual(["unknown"]);
  });

  databaseTest(
    "what was tried five times is given up, and it says how far",
    async ({ database }) => {
      const harness = await openMailHarness(database, {
        server: async () => {
          throw new Error("gone");
        },
      });
      const ids = [await harness.play("ada@example.com"), await harness.play("bob@example.com")];
      const [first, second] = harness.jobs as [MailJob, MailJob];
      await expect(harness.runOne(first)).rejects.toThrow("gone");
      for (const payload of [first, second]) {
        const { signal } = new AbortController();
        await harness.followUps.giveUp({ payload, crashes: 5, signal, complete: async () => {} });
      }
      expect(await states(harness, ids)).toEqual([
        "unknown: this service stopped while the mail was being handed over",
        "skipped: not_written",
      ]);
    },
  );

  databaseTest("an answer that never came is the end of it too", async ({ database }) => {
    const harness = await openMailHarness(database, {
      server: async () => {
        throw new MailError("unknown", "the connection was cut after the mail was handed over");
      },
    });
    const id = await harness.play("ada@example.com");
    await harness.runAll();
    expect(await harness.state(id)).toBe(
      "unknown: the connection was cut after the mail was handed over",
    );
    expect(harness.jobs).toEqual([]);
  });
});

// D7
describe("a mail server that does not take it", () => {
  databaseTest("now is asked again, for a day", async ({ database }) => {
    const harness = await openMailHarness(database, {
      server: async () => {
        throw new MailError("later", "451 Busy (to RCPT TO)");
      },
    });
    const id = await harness.play("ada@example.com");
    const waits: number[] = [];
    for (let tried = 0; tried < 5; tried++) {
      const [job] = harness.jobs as [MailJob];
      await harness.runAll();
      expect(await harness.state(id)).toBe("waiting: 451 Busy (to RCPT TO)");
      const { rows } = await database.pool.query<{ secs: string }>(
        "SELECT extract(epoch FROM due_at - clock_timestamp()) AS secs FROM follow_ups",
      );
      waits.push(Number(rows[0]!.secs));
      // The job of a finished attempt does nothing.
      await harness.runOne(job);
      expect(harness.mails).toHaveLength(tried + 1);
    }
    for (const [index, minSecs] of [60, 300, 900, 3_600, 3_600].entries()) {
      expect(waits[index]).toBeGreaterThan(minSecs - 2);
      expect(waits[index]).toBeLessThan(minSecs * 1.2 + 1);
    }
    await database.pool.query(
      "UPDATE follow_ups SET give_up_at = clock_timestamp() + interval '1 minute'",
    );
    await harness.runAll();
    expect(await harness.state(id)).toBe("refused: given up: 451 Busy (to RCPT TO)");
    expect(harness.jobs).toEqual([]);
  });

  databaseTest("at all is not asked again", async ({ database }) => {
    const harness = await openMailHarness(database, {
      server: async () => {
        throw new MailError("refused", "550 No such user (to RCPT TO)");
      },
    });
    const id = await harness.play("ada@example.com");
    await harness.runAll();
    expect(await harness.state(id)).toBe("refused: 550 No such user (to RCPT TO)");
    expect(harness.jobs).toEqual([]);
  });

  databaseTest("is not asked after a day of silence of ours", async ({ database }) => {
    const harness = await openMailHarness(database);
    const id = await harness.play("ada@example.com");
    await letADayPass(database);
    await harness.runAll();
    expect(await harness.state(id)).toBe("skipped: too_late");
  });
});

describe("a mail is skipped", () => {
  // G5
  databaseTest("where a backup brought its session back", async ({ database }) => {
    const harness = await openMailHarness(database);
    const before = await harness.play("ada@example.com");
    await database.pool.query("INSERT INTO restores DEFAULT VALUES");
    const after = await harness.play("bob@example.com");
    await harness.runAll();
    expect(await states(harness, [before, after])).toEqual(["skipped: restored", "sent"]);
    expect(harness.mails.map(({ to }) => to)).toEqual(["bob@example.com"]);
  });

  databaseTest("where there is no mail server", async ({ database }) => {
    const harness = await openMailHarness(database, { server: "none" });
    const id = await harness.play("ada@example.com");
    await harness.runAll();
    expect(await harness.state(id)).toBe("skipped: mail_not_set_up");
    expect(harness.mails).toEqual([]);
  });

  databaseTest("for what has changed since it was ordered", async ({ database }) => {
    const harness = await openMailHarness(database);
    const { id: accountId } = harness.customer.account;
    const ids = [
      await harness.play("ada@example.com"),
      await harness.play("bob@example.com"),
      await harness.play("cyd@example.com"),
    ];
    const [refused, unsubscribed, off] = harness.jobs.splice(0) as [MailJob, MailJob, MailJob];
    await database.pool.query("UPDATE sessions SET email_verified = false WHERE id = $1", [ids[0]]);
    await harness.runOne(refused);
    const marks = harness.marks.marks("bob@example.com");
    await suppress(database.db, { accountId, marks, source: "unsubscribed" });
    await harness.runOne(unsubscribed);
    await transact(database.db, (trx) =>
      changeSettings(trx, "test", accountId, { followUp: false }),
    );
    await harness.runOne(off);
    expect(await states(harness, ids)).toEqual([
      "skipped: domain_takes_no_mail",
      "skipped: suppressed",
      "skipped: switched_off",
    ]);
    expect(harness.mails).toEqual([]);
  });

  // D9
  databaseTest("from the sixth on to one address within a day", async ({ database }) => {
    const harness = await openMailHarness(database);
    const ids: string[] = [];
    for (let count = 0; count < 7; count++) ids.push(await harness.play("victim@example.com"));
    const other = await harness.play("ada@example.com");
    // All at once, so that each must see the others.
    await Promise.all(harness.jobs.splice(0).map((job) => harness.runOne(job)));
    const ends = await states(harness, ids);
    expect(ends.filter((end) => end === "sent")).toHaveLength(5);
    expect(ends.filter((end) => end === "skipped: limit")).toHaveLength(2);
    expect(await harness.state(other)).toBe("sent");
    const elsewhere = await openMailHarness(database);
    const second = await elsewhere.play("victim@example.com");
    await elsewhere.runAll();
    expect(await elsewhere.state(second)).toBe("sent");
    await letADayPass(database);
    const nextDay = await harness.play("victim@example.com");
    await harness.runAll();
    expect(await harness.state(nextDay)).toBe("sent");
  });

  databaseTest("from the sixth on to one mailbox, however it is spelled", async ({ database }) => {
    const harness = await openMailHarness(database);
    const ids: string[] = [];
    for (const tag of ["", "+1", "+2", "+x", "+y", "+z"])
      ids.push(await harness.play(`v.ictim${tag}@gmail.com`));
    ids.push(await harness.play("victim@googlemail.com"));
    await Promise.all(harness.jobs.splice(0).map((job) => harness.runOne(job)));
    const ends = await states(harness, ids);
    expect(ends.filter((end) => end === "sent")).toHaveLength(5);
    expect(ends.filter((end) => end === "skipped: limit")).toHaveLength(2);
  });

  databaseTest("from the eleventh on to one mailbox from all accounts", async ({ database }) => {
    const ends: (string | undefined)[] = [];
    for (let account = 0; account < 3; account++) {
      const harness = await openMailHarness(database);
      for (let count = 0; count < 4; count++) {
        const id = await harness.play(`victim+${count}@example.com`);
        await harness.runAll();
        ends.push(await harness.state(id));
      }
    }
    expect(ends.map((end) => end === "sent")).toEqual([...Array(10).fill(true), false, false]);
  });

  databaseTest("by the visitor's and the account's limits", async ({ database }) => {
    const harness = await openMailHarness(database);
    await transact(database.db, (trx) =>
      changeSettings(trx, "test", harness.customer.account.id, {
        limits: { daily_mails_per_visitor: 2, daily_mails_per_account: 3 },
      }),
    );
    const ids: string[] = [];
    for (const [index, address] of ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"].entries()) {
      const id = await harness.play(`stranger${index}@example.com`);
      await addVisit(database, id, address);
      ids.push(id);
    }
    ids.push(await harness.play("stranger5@example.com"));
    await Promise.all(harness.jobs.splice(0, 3).map((job) => harness.runOne(job)));
    await harness.runAll();
    const ends = await states(harness, ids);
    expect(ends.slice(0, 3).filter((end) => end === "sent")).toHaveLength(2);
    expect(ends.slice(3)).toEqual(["sent", "skipped: limit"]);
  });

  databaseTest("by the account's own limit, or by none", async ({ database }) => {
    const harness = await openMailHarness(database);
    const limit = (value: number | "none") =>
      transact(database.db, (trx) =>
        changeSettings(trx, "test", harness.customer.account.id, {
          limits: { daily_mails_per_address: value },
        }),
      );
    await limit(1);
    const ids = [await harness.play("ada@example.com"), await harness.play("ada@example.com")];
    await harness.runAll();
    await limit("none");
    ids.push(await harness.play("ada@example.com"));
    await harness.runAll();
    expect(await states(harness, ids)).toEqual(["sent", "skipped: limit", "sent"]);
  });
});

describe("a letter that somebody dictates for a stranger", () => {
  const LETTER = "Peter Mallory of the Acme Bank has closed your account today.";

  /** A mail whose summary is the letter, as a gullible model writes it. */
  async function mailWithLetter(
    database: TestDatabase,
    smuggle: (harness: MailHarness, id: string) => Promise<void>,
  ): Promise<string> {
    const harness = await openMailHarness(database);
    const id = await harness.play("victim@example.com");
    await addVisit(database, id, "192.0.2.1");
    await database.pool.query(
      `UPDATE session_exports SET evaluation = jsonb_set(evaluation::jsonb, '{prospect_summary}', to_jsonb($2::text))::text WHERE id = $1`,
      [id, `Thank you. You heard: ${LETTER}`],
    );
    await smuggle(harness, id);
    await harness.runAll();
    expect(await harness.state(id)).toBe("sent");
    return harness.mails[0]!.text;
  }

  databaseTest("control: goes through where nobody said it", async ({ database }) => {
    expect(await mailWithLetter(database, async () => {})).toContain("Mallory");
  });

  databaseTest("reaches nobody by way of an earlier talk", async ({ database }) => {
    const { db, pool } = database;
    const text = await mailWithLetter(database, async ({ customer }, id) => {
      const talks = [await start(db, customer), await start(db, customer)];
      await say(db, talks[0]!, [{ role: "user", content: LETTER }]);
      for (const [from, to] of [
        [id, talks[1]!.id],
        [talks[1]!.id, talks[0]!.id],
      ] as const) {
        if (from !== id) await addVisit(database, from, "192.0.2.1");
        await pool.query("UPDATE visits SET continues = $2 WHERE session_id = $1", [from, to]);
      }
    });
    expect(text).toContain("Thank you.");
    expect(text).not.toContain("Mallory");
  });

  databaseTest("reaches nobody by way of a key of the metadata", async ({ database }) => {
    const text = await mailWithLetter(database, async (_harness, id) => {
      await database.pool.query(
        "UPDATE sessions SET metadata = json_build_object($2::text, '1') WHERE id = $1",
        [id, LETTER],
      );
    });
    expect(text).not.toContain("Mallory");
  });

  databaseTest("reaches nobody by way of what a page answers", async ({ database }) => {
    const { pool } = database;
    const text = await mailWithLetter(database, async (_harness, id) => {
      await pool.query(
        `INSERT INTO turns (session_at, session_id, item_id, role, content, at)
         SELECT created_at, id, 'told', 'assistant', $2, now() FROM sessions WHERE id = $1`,
        [id, `The page says: ${LETTER}`],
      );
      await pool.query(
        `INSERT INTO session_events (session_at, session_id, at, kind, detail)
         SELECT created_at, id, now(), 'action', '{"name":"add-job","state":"done"}' FROM sessions WHERE id = $1`,
        [id],
      );
    });
    expect(text).not.toContain("Mallory");
  });
});

// G1
describe("what is forgotten", () => {
  databaseTest("goes, and a run in flight writes nothing", async ({ database }) => {
    const harness = await openMailHarness(database, {
      server: () => transact(database.db, (trx) => forgetFollowUps(trx, [id])),
    });
    const id = await harness.play("ada@example.com");
    await harness.runAll();
    expect(await harness.state(id)).toBeUndefined();
    expect(harness.finished).toEqual([]);
  });

  databaseTest("still counts for a day, without its session", async ({ database }) => {
    const harness = await openMailHarness(database);
    await transact(database.db, (trx) =>
      changeSettings(trx, "test", harness.customer.account.id, {
        limits: { daily_mails_per_address: 2, daily_mails_per_visitor: 3 },
      }),
    );
    const play = async (email: string, address = "192.0.2.1"): Promise<string> => {
      const id = await harness.play(email);
      await addVisit(database, id, address);
      await harness.runAll();
      return id;
    };
    const mailed = [await play("ada@example.com"), await play("ada@example.com")];
    await transact(database.db, (trx) => forgetFollowUps(trx, mailed));
    const later = [
      await play("ada@example.com", "192.0.2.2"),
      await play("bob@example.com"),
      await play("eve@example.com"),
    ];
    expect(await states(harness, later)).toEqual(["skipped: limit", "sent", "skipped: limit"]);
    await forgetErasedMails(database.db);
    const kept = "SELECT count(*)::integer AS n FROM erased_mails";
    expect((await database.pool.query(kept)).rows).toEqual([{ n: 2 }]);
    await database.pool.query("UPDATE erased_mails SET mailed_at = mailed_at - interval '1 day'");
    expect(await states(harness, [await play("ada@example.com")])).toEqual(["sent"]);
    await forgetErasedMails(database.db);
    expect((await database.pool.query(kept)).rows).toEqual([{ n: 0 }]);
  });
});
