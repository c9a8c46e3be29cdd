import { createHash, createVerify, generateKeyPairSync } from "node:crypto";
import { mailHeaders, startMailServer } from "#testing";
import type { MailServer } from "#testing";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
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

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

async function signedMail(text: string): Promise<Buffer> {
  const ownServer = await startMailServer();
  onTestFinished(() => ownServer.close());
  const signing = createSmtpMail({
    url: `smtp://127.0.0.1:${ownServer.port}`,
    from: { address: "hello@svc.test" },
    tls: "off",
    dkim: { domain: "svc.test", selector: "s1", key },
  });
  await signing.send({
    to: "ada@example.com",
    subject: "Grüße, with a subject that is long enough to be folded over more than one line",
    text,
    html: `<p>${text}</p>`,
    fromName: "Müller & Söhne",
    messageId: "one@svc.test",
    headers: {
      "List-Unsubscribe": "<https://svc.test/you/unsubscribe/x>",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  });
  return ownServer.mails[0]!.raw;
}

/** RFC 6376, relaxed/relaxed, rsa-sha256: by another hand than the one that signed. */
function verify(raw: Buffer): { valid: boolean; signed: string[] } {
  const text = raw.toString("latin1");
  const gap = text.indexOf("\r\n\r\n");
  const lines = text.slice(0, gap).split(/\r\n(?![ \t])/);
  const body = text.slice(gap + 4);
  const relaxed = (line: string): string => {
    const colon = line.indexOf(":");
    const value = line.slice(colon + 1).replace(/\r\n/g, "");
    return `${line.slice(0, colon).toLowerCase().trim()}:${value.replace(/[ \t]+/g, " ").trim()}`;
  };
  const signature = lines.find((line) => /^dkim-signature:/i.test(line))!;
  const tags = new Map(
    signature
      .slice(signature.indexOf(":") + 1)
      .split(";")
      .map((tag) => [tag.slice(0, tag.indexOf("=")).trim(), tag.slice(tag.indexOf("=") + 1)]),
  );
  const tag = (name: string): string => (tags.get(name) ?? "").replace(/\s+/g, "");
  const relaxedBody = body
    .split("\r\n")
    .map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""))
    .join("\r\n")
    .replace(/(?:\r\n)*$/, "\r\n");
  const bodyHash = createHash("sha256").update(relaxedBody, "latin1").digest("base64");
  const signed = tag("h").toLowerCase().split(":");
  const covered = signed.map((name) =>
    relaxed(lines.findLast((line) => line.toLowerCase().startsWith(`${name}:`))!),
  );
  const own = relaxed(signature.replace(/(\bb=)[^;]*$/, "$1"));
  const isSigned = createVerify("sha256")
    .update([...covered, own].join("\r\n"), "latin1")
    .verify(publicKey, tag("b"), "base64");
  return { valid: isSigned && bodyHash === tag("bh"), signed };
}

it("mail is signed, the headers for one-click unsubscribing included", async () => {
  const raw = await signedMail("Hello.\n\n\tA  word \n.\nand a dot.\n\n\n");
  const { valid, signed } = verify(raw);
  expect(valid).toBe(true);
  expect(signed).toEqual(
    expect.arrayContaining([
      "from",
      "to",
      "subject",
      "date",
      "message-id",
      "list-unsubscribe",
      "list-unsubscribe-post",
    ]),
  );
  expect(raw.toString()).toMatch(/DKIM-Signature:[^]*d=svc\.test;[^]*s=s1;/);
});

it("a word that is changed breaks the signature", async () => {
  const raw = (await signedMail("Hello.")).toString("latin1");
  expect(verify(Buffer.from(raw.replace("Hello.", "Hallo."), "latin1")).valid).toBe(false);
  expect(verify(Buffer.from(raw.replace("/you/", "/me/"), "latin1")).valid).toBe(false);
});
