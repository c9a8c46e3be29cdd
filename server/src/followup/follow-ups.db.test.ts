import { changeSettings } from "#accounts";
import { createSmtpMail, MailError, transact } from "#platform";
import { evaluateAgain, mailHeaders, openMailRoom, startMailServer } from "#testing";
import type { MailJob, MailRoom, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished } from "vitest";
import { forgetFollowUps } from "./order-follow-up.ts";
import { suppress } from "./suppression.ts";

async function letADayPass({ pool }: TestDatabase): Promise<void> {
  await pool.query(
    "UPDATE follow_ups SET due_at = due_at - interval '1 day', give_up_at = give_up_at - interval '1 day', finished_at = finished_at - interval '1 day'",
  );
}

/** The states of these sessions' mails, in order. */
async function states(room: MailRoom, ids: string[]): Promise<(string | undefined)[]> {
  return Promise.all(ids.map((id) => room.state(id)));
}

describe("a mail to a prospect", () => {
  databaseTest("is sent once its session is evaluated", async ({ database }) => {
    const room = await openMailRoom(database, {
      agent: { agent: { name: "Mira", brand: { name: "Rostera", link: "https://rostera.test/" } } },
    });
    const id = await room.play("ada@example.com");
    await room.runAll();
    expect(await room.state(id)).toBe("sent");
    expect(room.finished).toEqual(["sent"]);
    const unsubscribeUrl = room.links.unsubscribe({
      sessionId: id,
      accountId: room.customer.account.id,
      mark: room.marks.marks("ada@example.com")[0],
    });
    expect(room.mails).toMatchObject([
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
    const { text, html } = room.mails[0]!;
    for (const part of [text, html!]) {
      expect(part).toContain("Thank you for your time.");
      expect(part).toContain("https://rostera.test/");
      expect(part).toContain(room.links.rights(id));
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
    const room = await openMailRoom(database, { server: (message) => mail.send(message) });
    const id = await room.play("o'hara+demo@example.com");
    await room.runAll();
    expect(await room.state(id)).toBe("sent");
    expect(server.mails.map(({ to }) => to)).toEqual([["o'hara+demo@example.com"]]);
    expect(new Map(mailHeaders(server.mails[0]!.raw)).get("Message-ID")).toBe(
      `<follow-up.${id}@svc.test>`,
    );
  });

  // D9
  databaseTest("is not sent twice, whatever is evaluated again", async ({ database }) => {
    const room = await openMailRoom(database);
    const id = await room.play("ada@example.com");
    await room.runAll();
    await evaluateAgain(database.db, id, { onEvaluated: [room.order] });
    await room.runAll();
    expect(room.mails).toHaveLength(1);
  });

  databaseTest("waits for the first evaluation that can be written", async ({ database }) => {
    const room = await openMailRoom(database);
    const id = await room.play("ada@example.com", { fails: true });
    expect(room.jobs).toEqual([]);
    await evaluateAgain(database.db, id, { onEvaluated: [room.order] });
    await room.runAll();
    expect(await room.state(id)).toBe("sent");
  });
});

describe("no mail is ordered", () => {
  databaseTest("for a test, or where nobody can be mailed", async ({ database }) => {
    const room = await openMailRoom(database);
    await room.play("ada@example.com", { test: true });
    await room.play("not an address");
    await room.play("ada@example.com", { emailVerified: false });
    expect(room.jobs).toEqual([]);
  });

  databaseTest("while the account or the agent does not want it", async ({ database }) => {
    const objecting = await openMailRoom(database, { agent: { agent: { followUp: false } } });
    await objecting.play("ada@example.com");
    expect(objecting.jobs).toEqual([]);
    const room = await openMailRoom(database);
    const switchTo = (followUp: boolean) =>
      transact(database.db, (trx) =>
        changeSettings(trx, "test", room.customer.account.id, { followUp }),
      );
    await switchTo(false);
    const id = await room.play("ada@example.com");
    await switchTo(true);
    // When mails are switched on, nobody is mailed about an old conversation.
    await evaluateAgain(database.db, id, { onEvaluated: [room.order] });
    expect(room.jobs).toEqual([]);
  });

  databaseTest("for a session that was imported", async ({ database }) => {
    const room = await openMailRoom(database);
    const id = await room.play("ada@example.com", { fails: true });
    await database.pool.query("UPDATE sessions SET end_reason = 'imported'");
    await evaluateAgain(database.db, id, { onEvaluated: [room.order] });
    expect(room.jobs).toEqual([]);
  });
});

// K11
describe("after a crash", () => {
  databaseTest("a mail that was being sent is never sent again", async ({ database }) => {
    const room = await openMailRoom(database, {
      server: async () => {
        throw new Error("gone, as a process is that was killed");
      },
    });
    const id = await room.play("ada@example.com");
    const [job] = room.jobs as [MailJob];
    await expect(room.runOne(job)).rejects.toThrow("gone");
    expect(await room.state(id)).toBe("sending");
    await room.runOne(job, { crashes: 1 });
    await room.runOne(job, { crashes: 2 });
    expect(room.mails).toHaveLength(1);
    expect(await room.state(id)).toBe(
      "unknown: this service stopped while the mail was being handed over",
    );
    expect(room.finished).toEqual(["unknown"]);
    expect(room.log.lines()).toMatchObject([
      { msg: "nobody knows whether a mail was sent", session: id },
    ]);
    expect(room.log.text()).not.toContain("ada@");
  });

  databaseTest("a mail that had not begun is sent", async ({ database }) => {
    const room = await openMailRoom(database);
    const id = await room.play("ada@example.com");
    const [job] = room.jobs as [MailJob];
    await database.pool.query("ALTER TABLE agent_versions RENAME TO away");
    await expect(room.runOne(job)).rejects.toThrow("agent_versions");
    await database.pool.query("ALTER TABLE away RENAME TO agent_versions");
    expect(await room.state(id)).toBe("waiting");
    await room.runOne(job, { crashes: 1 });
    expect(await room.state(id)).toBe("sent");
  });

  // K15
  databaseTest("a process that was frozen over it writes nothing late", async ({ database }) => {
    let others: () => Promise<void> = async () => {};
    const room = await openMailRoom(database, { server: () => others() });
    const id = await room.play("ada@example.com");
    const [job] = room.jobs as [MailJob];
    others = async () => {
      others = async () => {};
      // Its lease has expired, and another process has the job.
      await room.runOne(job, { crashes: 1 });
    };
    await room.runOne(job);
    expect(room.mails).toHaveLength(1);
    expect(await room.state(id)).toMatch(/^unknown/);
    expect(room.finished).toEqual(["unknown"]);
  });

  databaseTest(
    "what was tried five times is given up, and it says how far",
    async ({ database }) => {
      const room = await openMailRoom(database, {
        server: async () => {
          throw new Error("gone");
        },
      });
      const ids = [await room.play("ada@example.com"), await room.play("bob@example.com")];
      const [first, second] = room.jobs as [MailJob, MailJob];
      await expect(room.runOne(first)).rejects.toThrow("gone");
      for (const payload of [first, second]) {
        const { signal } = new AbortController();
        await room.followUps.giveUp({ payload, crashes: 5, signal, complete: async () => {} });
      }
      expect(await states(room, ids)).toEqual([
        "unknown: this service stopped while the mail was being handed over",
        "skipped: not_written",
      ]);
    },
  );

  databaseTest("an answer that never came is the end of it too", async ({ database }) => {
    const room = await openMailRoom(database, {
      server: async () => {
        throw new MailError("unknown", "the connection was cut after the mail was handed over");
      },
    });
    const id = await room.play("ada@example.com");
    await room.runAll();
    expect(await room.state(id)).toBe(
      "unknown: the connection was cut after the mail was handed over",
    );
    expect(room.jobs).toEqual([]);
  });
});

// D7
describe("a mail server that does not take it", () => {
  databaseTest("now is asked again, for a day", async ({ database }) => {
    const room = await openMailRoom(database, {
      server: async () => {
        throw new MailError("later", "451 Busy (to RCPT TO)");
      },
    });
    const id = await room.play("ada@example.com");
    const waits: number[] = [];
    for (let tried = 0; tried < 5; tried++) {
      const [job] = room.jobs as [MailJob];
      await room.runAll();
      expect(await room.state(id)).toBe("waiting: 451 Busy (to RCPT TO)");
      const { rows } = await database.pool.query<{ secs: string }>(
        "SELECT extract(epoch FROM due_at - clock_timestamp()) AS secs FROM follow_ups",
      );
      waits.push(Number(rows[0]!.secs));
      // The job of a finished attempt does nothing.
      await room.runOne(job);
      expect(room.mails).toHaveLength(tried + 1);
    }
    for (const [index, least] of [60, 300, 900, 3_600, 3_600].entries()) {
      expect(waits[index]).toBeGreaterThan(least - 2);
      expect(waits[index]).toBeLessThan(least * 1.2 + 1);
    }
    await database.pool.query(
      "UPDATE follow_ups SET give_up_at = clock_timestamp() + interval '1 minute'",
    );
    await room.runAll();
    expect(await room.state(id)).toBe("refused: given up: 451 Busy (to RCPT TO)");
    expect(room.jobs).toEqual([]);
  });

  databaseTest("at all is not asked again", async ({ database }) => {
    const room = await openMailRoom(database, {
      server: async () => {
        throw new MailError("refused", "550 No such user (to RCPT TO)");
      },
    });
    const id = await room.play("ada@example.com");
    await room.runAll();
    expect(await room.state(id)).toBe("refused: 550 No such user (to RCPT TO)");
    expect(room.jobs).toEqual([]);
  });

  databaseTest("is not asked after a day of silence of ours", async ({ database }) => {
    const room = await openMailRoom(database);
    const id = await room.play("ada@example.com");
    await letADayPass(database);
    await room.runAll();
    expect(await room.state(id)).toBe("skipped: too_late");
  });
});

describe("a mail is skipped", () => {
  databaseTest("where there is no mail server", async ({ database }) => {
    const room = await openMailRoom(database, { server: "none" });
    const id = await room.play("ada@example.com");
    await room.runAll();
    expect(await room.state(id)).toBe("skipped: mail_not_set_up");
    expect(room.mails).toEqual([]);
  });

  databaseTest("for what has changed since it was ordered", async ({ database }) => {
    const room = await openMailRoom(database);
    const { id: accountId } = room.customer.account;
    const ids = [
      await room.play("ada@example.com"),
      await room.play("bob@example.com"),
      await room.play("cyd@example.com"),
    ];
    const [refused, unsubscribed, off] = room.jobs.splice(0) as [MailJob, MailJob, MailJob];
    await database.pool.query("UPDATE sessions SET email_verified = false WHERE id = $1", [ids[0]]);
    await room.runOne(refused);
    const marks = room.marks.marks("bob@example.com");
    await suppress(database.db, { accountId, marks, source: "unsubscribed" });
    await room.runOne(unsubscribed);
    await transact(database.db, (trx) =>
      changeSettings(trx, "test", accountId, { followUp: false }),
    );
    await room.runOne(off);
    expect(await states(room, ids)).toEqual([
      "skipped: domain_takes_no_mail",
      "skipped: suppressed",
      "skipped: switched_off",
    ]);
    expect(room.mails).toEqual([]);
  });

  // D9
  databaseTest("from the sixth on to one address within a day", async ({ database }) => {
    const room = await openMailRoom(database);
    const ids: string[] = [];
    for (let count = 0; count < 7; count++) ids.push(await room.play("victim@example.com"));
    const other = await room.play("ada@example.com");
    // All at once, so that each must see the others.
    await Promise.all(room.jobs.splice(0).map((job) => room.runOne(job)));
    const ends = await states(room, ids);
    expect(ends.filter((end) => end === "sent")).toHaveLength(5);
    expect(ends.filter((end) => end === "skipped: limit")).toHaveLength(2);
    expect(await room.state(other)).toBe("sent");
    const elsewhere = await openMailRoom(database);
    const second = await elsewhere.play("victim@example.com");
    await elsewhere.runAll();
    expect(await elsewhere.state(second)).toBe("sent");
    await letADayPass(database);
    const nextDay = await room.play("victim@example.com");
    await room.runAll();
    expect(await room.state(nextDay)).toBe("sent");
  });

  databaseTest("by the account's own limit, or by none", async ({ database }) => {
    const room = await openMailRoom(database);
    const limit = (value: number | "none") =>
      transact(database.db, (trx) =>
        changeSettings(trx, "test", room.customer.account.id, {
          limits: { daily_mails_per_address: value },
        }),
      );
    await limit(1);
    const ids = [await room.play("ada@example.com"), await room.play("ada@example.com")];
    await room.runAll();
    await limit("none");
    ids.push(await room.play("ada@example.com"));
    await room.runAll();
    expect(await states(room, ids)).toEqual(["sent", "skipped: limit", "sent"]);
  });
});

// G1
describe("what is forgotten", () => {
  databaseTest("goes, and a run in flight writes nothing", async ({ database }) => {
    const room = await openMailRoom(database, {
      server: () => transact(database.db, (trx) => forgetFollowUps(trx, [id])),
    });
    const id = await room.play("ada@example.com");
    await room.runAll();
    expect(await room.state(id)).toBeUndefined();
    expect(room.finished).toEqual([]);
  });
});
