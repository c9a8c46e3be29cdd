import { mailHeaders, startMailServer } from "#testing";
import type { MailServer } from "#testing";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { MailSettings } from "./mail-settings.ts";
import type { MailMessage } from "./mail.ts";
import { createSmtpMail } from "./smtp-mail.ts";

const server: MailServer = await startMailServer();
afterAll(() => server.close());
beforeEach(() => {
  server.mails.length = 0;
  server.connections = 0;
});

const settings: MailSettings = {
  url: `smtp://127.0.0.1:${server.port}`,
  from: { name: "Svc", address: "hello@svc.test" },
  tls: "off",
};
const mail = createSmtpMail(settings);
const plain: MailMessage = { to: "ada@example.com", subject: "Hello", text: "A word." };
const mailed = () => server.mails[0]!;
const header = (name: string) =>
  mailHeaders(mailed().raw)
    .filter(([given]) => given.toLowerCase() === name)
    .map(([, value]) => value);

describe("a mail", () => {
  it("has the headers that were asked for, and no others", async () => {
    const answers: string[] = [];
    await createSmtpMail(settings, (answer) => answers.push(answer)).send({
      ...plain,
      html: "<p>A word.</p>",
      fromName: "Example Ltd",
      messageId: "one@svc.test",
      headers: { "List-Unsubscribe": `<https://svc.test/you/unsubscribe/${"k1.".repeat(40)}>` },
    });
    expect(mailed()).toMatchObject({ from: "hello@svc.test", to: ["ada@example.com"] });
    expect(new Map(mailHeaders(mailed().raw))).toEqual(
      new Map([
        ["From", "Example Ltd <hello@svc.test>"],
        ["To", "ada@example.com"],
        ["Subject", "Hello"],
        ["Message-ID", "<one@svc.test>"],
        ["Date", expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} \+0000$/)],
        ["Auto-Submitted", "auto-generated"],
        ["List-Unsubscribe", `<https://svc.test/you/unsubscribe/${"k1.".repeat(40)}>`],
        ["MIME-Version", "1.0"],
        ["Content-Type", expect.stringMatching(/^multipart\/alternative; boundary=/)],
      ]),
    );
    expect(answers).toEqual([expect.stringMatching(/^250 /)]);
  });

  it("is from the configured name where it has none of its own", async () => {
    await mail.send(plain);
    expect(header("from")).toEqual(["Svc <hello@svc.test>"]);
  });
});

/** The server waits a tenth of a second before it greets: many are sent at once. */
function together<T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(one, { minLength: 25, maxLength: 25 });
}

// D8
describe("the recipient", () => {
  it.each([
    "ada@example.com, eve@evil.test",
    "ada@example.com,eve@evil.test",
    "ada@example.com;eve@evil.test",
    "friends: ada@example.com, eve@evil.test;",
    "Ada <ada@example.com>",
    "<ada@example.com>",
    "ada@example.com\r\nRCPT TO:<eve@evil.test>",
    "ada@example.com\r\nBcc: eve@evil.test",
    "ada@example.com eve@evil.test",
    '"ada@example.com, eve"@evil.test',
    "ada(comment)@example.com",
    "ada@[127.0.0.1]",
    "ada@example.com\u0000",
    "ada@example.com\u2028x",
    "@example.com",
    "ada",
    "",
  ])("%j is refused before anybody is called", async (to) => {
    await expect(mail.send({ ...plain, to })).rejects.toMatchObject({
      outcome: "refused",
      reason: "not one plain address",
    });
    expect(server.connections).toBe(0);
  });

  it("is exactly the one that was given, or nobody", async () => {
    const piece = fc.constantFrom(
      "ada",
      "@",
      "example.com",
      ",",
      ";",
      ":",
      "<",
      ">",
      '"',
      "\r\n",
      " ",
      "é",
      "+",
      "%",
      "'",
      "!",
      "=",
      "\\",
      "(",
      ")",
      "eve@evil.test",
      ".",
    );
    const hostile = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    const usual = fc.emailAddress();
    await fc.assert(
      fc.asyncProperty(together(fc.oneof(hostile, usual)), async (addresses) => {
        server.mails.length = 0;
        const taken = await Promise.all(
          addresses.map((to) =>
            mail.send({ ...plain, to }).then(
              () => to,
              () => undefined,
            ),
          ),
        );
        const recipients = server.mails.map((one) => one.to.join());
        expect(recipients.toSorted()).toEqual(taken.filter((to) => to !== undefined).toSorted());
      }),
      { numRuns: 20 },
    );
  }, 30_000);
});

// D8 S8
describe("no header can be smuggled in", () => {
  const nasty = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "\r\n",
          "\n",
          "\r",
          "\u2028",
          "Bcc: eve@evil.test",
          "\r\n\r\n",
          "=?utf-8?q?=0D=0ABcc:?=",
          "<",
          ">",
          ",",
          '"',
          ":",
          "\0",
        ),
        fc.string({ unit: "grapheme", maxLength: 30 }),
      ),
      { maxLength: 6 },
    )
    .map((pieces) => pieces.join(""));

  const POSSIBLE = new Set([
    "Auto-Submitted",
    "Content-Transfer-Encoding",
    "Content-Type",
    "Date",
    "From",
    "List-Unsubscribe",
    "MIME-Version",
    "Message-ID",
    "Subject",
    "To",
  ]);

  it("by a name, a subject or the value of another", async () => {
    const trio = fc.record({ fromName: nasty, subject: nasty, value: nasty });
    await fc.assert(
      fc.asyncProperty(together(trio), async (trios) => {
        server.mails.length = 0;
        const sent = trios.map(({ fromName, subject, value }) =>
          mail.send({ ...plain, fromName, subject, headers: { "List-Unsubscribe": value } }),
        );
        await Promise.all(sent);
        expect(server.mails).toHaveLength(trios.length);
        for (const { raw, to } of server.mails) {
          const headers = mailHeaders(raw);
          const names = headers.map(([name]) => name);
          expect(names.filter((name) => !POSSIBLE.has(name))).toEqual([]);
          expect(new Set(names).size).toBe(names.length);
          expect(to).toEqual([plain.to]);
          expect(headers).toContainEqual(["To", plain.to]);
          expect(new Map(headers).get("From")).toMatch(/<hello@svc\.test>$|^hello@svc\.test$/);
        }
      }),
      { numRuns: 10 },
    );
  }, 30_000);
});
