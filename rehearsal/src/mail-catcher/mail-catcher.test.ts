import { describe, expect, it } from "vitest";
import { catcherUnderTest, greeted, MESSAGE } from "./mail-catcher-under-test.ts";
import type { MailCatcher, View } from "./mail-catcher.ts";

async function get<T>({ url }: MailCatcher, path: string): Promise<T> {
  return (await (await fetch(`${url}/rehearsal/${path}`)).json()) as T;
}

describe("a mail", () => {
  it("is taken, read and kept", async () => {
    const catcher = await catcherUnderTest();
    const client = await greeted(catcher);
    expect(await client.send()).toEqual(["250", "250", "354", "250"]);
    expect(catcher.mails()).toEqual([
      {
        number: 1,
        atMs: expect.closeTo(Date.now(), -4) as number,
        from: "hello@svc.test",
        to: ["ada@customer.test"],
        bytes: MESSAGE.length + 2,
        isEncrypted: false,
        subject: "Your conversation",
        messageId: "<one@svc.test>",
      },
    ]);
    const { raw, parsed } = catcher.content(1)!;
    expect(raw.toString()).toBe(`${MESSAGE}\r\n`);
    expect(parsed).toMatchObject({ text: "Hello Ada\n", html: "<p>Hello <b>Ada</b></p>\n" });
    expect(catcher.counts()).toEqual({ connections: 1, recipients: 1, mails: 1, faults: {} });
  });

  it("has every recipient that was named, as it was written", async () => {
    const catcher = await catcherUnderTest();
    const client = await greeted(catcher);
    const named = ["ada@xn--bcher-kva.test", "ada@customer.test", "Ada@customer.test"];
    await client.send(named);
    await client.send(["bob@customer.test"]);
    expect(catcher.mails().map(({ to }) => to)).toEqual([named, ["bob@customer.test"]]);
    expect(catcher.counts()).toMatchObject({ connections: 1, recipients: 4, mails: 2 });
  });

  it("may hold anything", async () => {
    const catcher = await catcherUnderTest();
    const client = await greeted(catcher);
    for (const message of ["", "no headers", "Subject: =?x?q?", "\u0000\r\n\r\n\u0000"]) {
      expect((await client.send(undefined, message)).at(-1)).toBe("250");
    }
    expect(catcher.counts().mails).toBe(4);
  });

  it("that is cut off in its middle is none", async () => {
    const catcher = await catcherUnderTest();
    const client = await greeted(catcher);
    await client.say("MAIL FROM:<hello@svc.test>");
    await client.say("RCPT TO:<ada@customer.test>");
    await client.say("DATA");
    client.leave("Subject: half");
    expect((await (await greeted(catcher)).send()).at(-1)).toBe("250");
    expect(catcher.mails().map(({ subject }) => subject)).toEqual(["Your conversation"]);
  });
});

it("keeps 500 mails whole, and the envelopes of many more", async () => {
  const catcher = await catcherUnderTest();
  const client = await greeted(catcher);
  for (let count = 0; count < 502; count++) await client.send();
  expect(catcher.mails()).toHaveLength(502);
  expect(catcher.mails(500).map(({ number }) => number)).toEqual([501, 502]);
  expect(catcher.content(2)).toBeUndefined();
  expect(catcher.content(3)).toBeDefined();
});

it("takes mail over TLS where it was started with it", async () => {
  const catcher = await catcherUnderTest({ tls: {} });
  const client = await greeted(catcher);
  await client.encrypt(catcher.secure!.authority);
  expect((await client.send()).at(-1)).toBe("250");
  expect(catcher.mails()[0]).toMatchObject({ isEncrypted: true });
});

describe("its page", () => {
  it("is told what came", async () => {
    const catcher = await catcherUnderTest();
    await (await greeted(catcher)).send();
    const view = await get<View>(catcher, "view");
    expect(view).toMatchObject({ smtpUrl: catcher.smtpUrl, isTlsOffered: false, faults: [] });
    expect(view.mails).toMatchObject([{ number: 1, excerpt: "Hello Ada\n" }]);
  });

  it("shows a mail's parts", async () => {
    const catcher = await catcherUnderTest();
    await (await greeted(catcher)).send();
    const content = await get<Record<string, unknown>>(catcher, "content?number=1");
    expect(content).toMatchObject({ text: "Hello Ada\n", hasHtml: true, raw: `${MESSAGE}\r\n` });
    expect(content["headers"]).toContainEqual(["Subject", "Your conversation"]);
    expect(await get(catcher, "content?number=2")).toEqual({});
  });

  it("lets a mail's HTML neither run nor reach out", async () => {
    const catcher = await catcherUnderTest();
    await (await greeted(catcher)).send();
    const html = await fetch(`${catcher.url}/rehearsal/html?number=1`);
    expect(await html.text()).toContain("<b>Ada</b>");
    const policy = html.headers.get("content-security-policy")!;
    expect(policy.split("; ")).toEqual(
      expect.arrayContaining(["default-src 'none'", "sandbox", "img-src data:"]),
    );
    const page = await (await fetch(catcher.url)).text();
    expect(page).toContain('<iframe sandbox=""');
  });

  it.each(["view?most=x", "mails?after=-1", "content?number="])("refuses %s", async (path) => {
    const catcher = await catcherUnderTest();
    expect((await fetch(`${catcher.url}/rehearsal/${path}`)).status).toBe(400);
  });

  it("says that there is nothing elsewhere", async () => {
    const catcher = await catcherUnderTest();
    expect((await fetch(`${catcher.url}/elsewhere`)).status).toBe(404);
  });
});
