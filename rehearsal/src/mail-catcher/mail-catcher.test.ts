import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { connect as connectTls } from "node:tls";
import { describe, expect, it, onTestFinished, test } from "vitest";
import type { Fault } from "./fault.ts";
import { startMailCatcher } from "./mail-catcher.ts";
import type { MailCatcher, MailCatcherOptions, View } from "./mail-catcher.ts";

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

// D7
test.each<[Fault, string[], number]>([
  [{ kind: "reply", status: 451 }, ["250", "451"], 0],
  [{ kind: "reply", status: 550, at: "sender" }, ["550"], 0],
  [{ kind: "reply", status: 552, at: "message" }, ["250", "250", "354", "552"], 0],
  [{ kind: "late", afterMs: 30 }, ["250", "250", "354", "250"], 1],
  // The mail is kept though its sender was not told so.
  [{ kind: "cut" }, ["250", "250", "354"], 1],
  [{ kind: "cut", at: "recipient" }, ["250"], 0],
])("%j is shown", async (fault, answers, kept) => {
  const catcher = await catcherUnderTest({ faults: [fault] });
  expect(await (await greeted(catcher)).send()).toEqual(answers);
  expect(catcher.counts()).toMatchObject({ mails: kept, faults: { [fault.kind]: 1 } });
});

test.each<Fault>([{ kind: "silent" }, { kind: "drip" }])("%j has no end", async (fault) => {
  const catcher = await catcherUnderTest({ faults: [fault] });
  const client = await greeted(catcher);
  const sent = client.send();
  await expect.poll(() => catcher.mails()).toMatchObject([{ fault: fault.kind }]);
  const answered = await Promise.race([sent, new Promise((done) => setTimeout(done, 100, "no"))]);
  expect(answered).toBe("no");
});

it("greets as a fault says", async () => {
  const faults: Fault[] = [{ kind: "reply", status: 421, at: "greeting" }];
  const client = await RawClient.open(await catcherUnderTest({ faults }));
  expect(await client.hear()).toMatch(/^421 /);
});

it("keeps a fault to one address, and to so many times", async () => {
  const to = "bob@customer.test";
  const faults: Fault[] = [{ kind: "reply", status: 450, to, times: 1 }];
  const client = await greeted(await catcherUnderTest({ faults }));
  expect((await client.send()).at(-1)).toBe("250");
  expect((await client.send([to])).at(-1)).toBe("450");
  await client.say("RSET");
  expect((await client.send([to])).at(-1)).toBe("250");
});

it("does not offer STARTTLS when it is told not to", async () => {
  const catcher = await catcherUnderTest({ tls: {}, faults: [{ kind: "no_starttls", times: 1 }] });
  expect(await (await greeted(catcher)).say("STARTTLS")).toMatch(/^5/);
  expect(await (await greeted(catcher)).say("STARTTLS")).toMatch(/^220/);
});

test.each([
  ["tls_expired", "CERT_HAS_EXPIRED"],
  ["tls_self_signed", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ["tls_wrong_host", "ERR_TLS_CERT_ALTNAME_INVALID"],
] as const)("%s is a certificate that a client refuses", async (kind, code) => {
  const catcher = await catcherUnderTest({ tls: {}, faults: [{ kind }] });
  const client = await greeted(catcher);
  await expect(client.encrypt(catcher.secure!.authority)).rejects.toMatchObject({ code });
});

it("is switched from outside, and says what is wrong with a switch", async () => {
  const { url } = await catcherUnderTest();
  const put = (faults: unknown): Promise<Response> =>
    fetch(`${url}/rehearsal/faults`, { method: "PUT", body: JSON.stringify({ faults }) });
  expect((await put([{ kind: "silent" }])).status).toBe(200);
  expect(await (await fetch(`${url}/rehearsal/faults`)).json()).toMatchObject({
    faults: [{ kind: "silent", hits: 0 }],
  });
  for (const fault of [{ kind: "reply" }, { kind: "tls_expired" }, { kind: "cut", at: "noon" }]) {
    expect((await put([fault])).status).toBe(400);
  }
});

/** A catcher that is closed when the test ends. */
async function catcherUnderTest(options: MailCatcherOptions = {}): Promise<MailCatcher> {
  const catcher = await startMailCatcher(options);
  onTestFinished(() => catcher.close());
  return catcher;
}

const MESSAGE: string = [
  "From: Svc <hello@svc.test>",
  "To: ada@customer.test",
  "Subject: Your conversation",
  "Message-ID: <one@svc.test>",
  'Content-Type: multipart/alternative; boundary="b"',
  "",
  "--b",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "Hello Ada",
  "--b",
  "Content-Type: text/html; charset=utf-8",
  "",
  "<p>Hello <b>Ada</b></p>",
  "--b--",
  "",
].join("\r\n");

/** A client that says what it is told, and hears each answer's last line. */
class RawClient {
  #socket: Socket;
  #lines: AsyncIterator<string>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#lines = linesOf(socket);
    onTestFinished(() => void this.#socket.destroy());
  }

  static async open({ smtpUrl }: MailCatcher): Promise<RawClient> {
    const socket = connect(Number(new URL(smtpUrl).port), "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    return new RawClient(socket);
  }

  /** Undefined when the connection ended instead. */
  async hear(): Promise<string | undefined> {
    for (;;) {
      const line = await this.#lines.next().catch(() => undefined);
      if (line === undefined || line.done === true) return undefined;
      if (/^\d{3} /.test(line.value)) return line.value;
    }
  }

  async say(line: string): Promise<string | undefined> {
    this.#socket.write(`${line}\r\n`);
    return this.hear();
  }

  /** The answers to a whole mail, as far as they came. */
  async send(
    recipients: string[] = ["ada@customer.test"],
    message: string = MESSAGE,
  ): Promise<string[]> {
    const said = ["MAIL FROM:<hello@svc.test>", ...recipients.map((to) => `RCPT TO:<${to}>`)];
    const answers: string[] = [];
    for (const line of [...said, "DATA", `${message}\r\n.`]) {
      const answer = await this.say(line);
      if (answer === undefined) break;
      answers.push(answer.slice(0, 3));
      if (!/^[23]/.test(answer)) break;
    }
    return answers;
  }

  /** Says half of something and is gone. */
  leave(last: string): void {
    this.#socket.end(last);
  }

  async encrypt(authority: string): Promise<void> {
    await this.say("STARTTLS");
    this.#socket = connectTls({ socket: this.#socket, ca: authority, host: "127.0.0.1" });
    await once(this.#socket, "secureConnect");
    this.#lines = linesOf(this.#socket);
    await this.say("EHLO test");
  }
}

/** A client that has said EHLO. */
async function greeted(catcher: MailCatcher): Promise<RawClient> {
  const client = await RawClient.open(catcher);
  await client.hear();
  await client.say("EHLO test");
  return client;
}

function linesOf(socket: Socket): AsyncIterator<string> {
  return createInterface(socket)[Symbol.asyncIterator]();
}
