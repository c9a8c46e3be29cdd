import { createHash, createVerify, generateKeyPairSync } from "node:crypto";
import { startMailServer } from "#testing";
import { expect, it, onTestFinished } from "vitest";
import { createSmtpMail } from "./smtp-mail.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

async function signedMail(text: string): Promise<Buffer> {
  const server = await startMailServer();
  onTestFinished(() => server.close());
  const mail = createSmtpMail({
    url: `smtp://127.0.0.1:${server.port}`,
    from: { address: "hello@svc.test" },
    tls: "off",
    dkim: { domain: "svc.test", selector: "s1", key },
  });
  await mail.send({
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
  return server.mails[0]!.raw;
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
