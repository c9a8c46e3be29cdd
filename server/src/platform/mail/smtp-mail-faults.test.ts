import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { makeCertificates, startMailServer } from "#testing";
import type { MailServer } from "#testing";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { MailSettings } from "./mail-settings.ts";
import { MailError } from "./mail.ts";
import { createSmtpMail } from "./smtp-mail.ts";

const certificates = makeCertificates();
afterAll(() => certificates.remove());
const good = certificates.issue(["IP:127.0.0.1"]);
const trustedCertificates = certificates.authority.cert;

async function serverThat(options: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** What came of one mail to that port: `sent`, or the outcome and the reason. */
/** A server that answers has answered by then on a busy machine, too. */
const PATIENT = { connectMs: 5_000, silenceMs: 5_000, overallMs: 10_000 };

async function sendTo(port: number, settings: Partial<MailSettings> = {}): Promise<string> {
  const mail = createSmtpMail({
    url: `smtp://127.0.0.1:${port}`,
    from: { address: "hello@svc.test" },
    tls: "off",
    timeLimits: { connectMs: 300, silenceMs: 300, overallMs: 1_000 },
    ...settings,
  });
  try {
    await mail.send({ to: "ada.lovelace@example.com", subject: "Hello", text: "A word." });
    return "sent";
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return `${error.outcome}: ${error.reason}`;
  }
}

/** A server that is none: what it does with a connection is the test's business. */
async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Speaks SMTP by hand, so that `answer` decides at each command when and whether to say the good reply. */
function talkSmtp(socket: Socket, answer: (say: () => void, command: string) => void): void {
  const replies: Record<string, string> = { DATA: "354 go on", QUIT: "221 bye" };
  let isMail = false;
  socket.write("220 here\r\n");
  socket.on("data", (bytes) => {
    const text = bytes.toString();
    const command = text.slice(0, 4).toUpperCase();
    if (isMail && !text.endsWith("\r\n.\r\n")) return;
    const reply = isMail ? "250 taken" : (replies[command] ?? "250 fine");
    isMail = !isMail && command === "DATA";
    answer(() => socket.write(`${reply}\r\n`), command);
  });
}

// D7
describe("what a mail server says", () => {
  it.each([
    ["mail", 451, "later: 451 Busy (to MAIL FROM)"],
    ["rcpt", 450, "later: 450 Busy (to RCPT TO)"],
    ["data", 452, "later: 452 Busy (to DATA)"],
    ["mail", 553, "refused: 553 Busy (to MAIL FROM)"],
    ["rcpt", 550, "refused: 550 Busy (to RCPT TO)"],
    ["data", 554, "refused: 554 Busy (to DATA)"],
    ["mail", 530, "later: 530 Busy (to MAIL FROM)"],
  ] as const)("to %s with %d", async (at, code, outcome) => {
    const server = await serverThat({ refuse: { at, code, text: "Busy" } });
    expect(await sendTo(server.port, { timeLimits: PATIENT })).toBe(outcome);
  });

  it("is kept without the address that it repeats", async () => {
    const text = "<ada.lovelace@example.com>: user Ada.Lovelace unknown\tin example.com";
    const server = await serverThat({ refuse: { at: "rcpt", code: 550, text } });
    expect(await sendTo(server.port, { timeLimits: PATIENT })).toBe(
      "refused: 550 [address] user [address] unknown in example.com (to RCPT TO)",
    );
  });

  it("about our password is not about the mail", async () => {
    const login = { user: "svc", password: "right" };
    const server = await serverThat({ tls: good, login });
    const url = (password: string) => `smtp://svc:${password}@127.0.0.1:${server.port}`;
    const tls = { tls: "required", trustedCertificates, timeLimits: PATIENT } as const;
    expect(await sendTo(server.port, { ...tls, url: url("wrong") })).toMatch(
      /^later: 535 .*\(to AUTH PLAIN\)$/,
    );
    expect(await sendTo(server.port, { ...tls, url: url("right") })).toBe("sent");
    expect(server.mails).toMatchObject([{ user: "svc", encrypted: true }]);
  });
});

// D7
describe("a mail server that", () => {
  it("is not there", async () => {
    const port = await listen(() => undefined);
    const server = await serverThat({});
    await server.close();
    expect(await sendTo(server.port)).toBe("later: the connection failed (ECONNREFUSED)");
    expect(await sendTo(port)).toBe("later: the mail server did not answer in time (ETIMEDOUT)");
  });

  it("cannot be found", async () => {
    const url = "smtp://mail.svc.invalid:25";
    expect(
      await sendTo(0, { url, timeLimits: { connectMs: 5_000, silenceMs: 300, overallMs: 6_000 } }),
    ).toMatch(/^later: the mail server/);
  });

  it("hangs up before it has the mail", async () => {
    const port = await listen((socket) => {
      socket.write("220 here\r\n");
      socket.once("data", () => socket.destroy());
    });
    expect(await sendTo(port)).toMatch(/^later: the connection (?:was cut|failed)/);
  });

  it("is busy from its greeting on", async () => {
    const port = await listen((socket) => void socket.end("421 Busy\r\n"));
    expect(await sendTo(port)).toMatch(/^later: /);
  });

  it("is slow, but answers in time", async () => {
    const port = await listen((socket) => talkSmtp(socket, (say) => setTimeout(say, 50)));
    expect(await sendTo(port, { timeLimits: PATIENT })).toBe("sent");
  });

  it.each(
    ["EHLO", "MAIL", "RCPT"].flatMap((command) =>
      (["silent", "cut", "drips"] as const).map((fault) => [fault, command] as const),
    ),
  )("%s at %s has no mail", async (fault, at) => {
    const port = await listen((socket) =>
      talkSmtp(socket, (say, command) => {
        if (command !== at) say();
        else if (fault === "cut") socket.destroy();
        else if (fault === "drips") {
          const drip = setInterval(() => socket.write("2"), 50);
          socket.on("close", () => clearInterval(drip));
        }
      }),
    );
    expect(await sendTo(port)).toMatch(/^later: /);
  });

  it("drips, a byte at a time, is left at the overall deadline", async () => {
    const port = await listen((socket) => {
      socket.write("220 here\r\n250-");
      const drip = setInterval(() => socket.write("x"), 50);
      socket.on("close", () => clearInterval(drip));
    });
    expect(await sendTo(port)).toBe("later: the mail server did not answer in time (ETIMEDOUT)");
  });
});

// K11 D7
describe("a mail that was handed over and not answered", () => {
  it("may have arrived: the connection was cut", async () => {
    const server = await serverThat({ atTheEnd: "cut" });
    expect(await sendTo(server.port)).toMatch(
      /^unknown: the connection (?:was cut|failed) \(\w+\) after the mail was handed over$/,
    );
    expect(server.mails).toHaveLength(1);
  });

  it("may have arrived: the server fell silent", async () => {
    const server = await serverThat({ atTheEnd: "silence" });
    expect(await sendTo(server.port)).toBe(
      "unknown: the mail server did not answer in time (ETIMEDOUT) after the mail was handed over",
    );
    expect(server.mails).toHaveLength(1);
  });

  it("may have arrived: the answer drips", async () => {
    const port = await listen((socket) => {
      socket.write("220 here\r\n");
      socket.on("data", (chunk) => {
        if (/^DATA/m.test(chunk.toString())) socket.write("354 go on\r\n250-");
        else if (/^(?:EHLO|MAIL|RCPT)/.test(chunk.toString())) socket.write("250 ok\r\n");
        else setInterval(() => socket.write("x"), 50).unref();
      });
    });
    expect(await sendTo(port)).toMatch(/^unknown: .* after the mail was handed over$/);
  });
});

// D7
describe("nothing is sent in clear", () => {
  const required = { tls: "required", trustedCertificates, timeLimits: PATIENT } as const;

  it("where encryption is there, it is used", async () => {
    const server = await serverThat({ tls: good });
    expect(await sendTo(server.port, required)).toBe("sent");
    expect(server.mails).toMatchObject([{ encrypted: true }]);
    const secure = await serverThat({ tls: good, secure: true });
    const url = `smtps://127.0.0.1:${secure.port}`;
    expect(await sendTo(secure.port, { ...required, url })).toBe("sent");
  });

  it("if somebody stripped STARTTLS", async () => {
    const server = await serverThat({});
    expect(await sendTo(server.port, required)).toMatch(/^later: 50\d .*\(to STARTTLS\)$/);
    expect(server.mails).toEqual([]);
  });

  it("nor to somebody else's certificate", async () => {
    for (const tls of [
      certificates.selfSigned(["IP:127.0.0.1"]),
      certificates.issue(["DNS:other.test"]),
      certificates.issue(["IP:127.0.0.1"], -1),
    ]) {
      const server = await serverThat({ tls });
      expect(await sendTo(server.port, required)).toMatch(/^later: the connection .*\([A-Z_]+\)$/);
      expect(server.mails).toEqual([]);
    }
  });

  it("unless the operator said so", async () => {
    const server = await serverThat({ tls: certificates.selfSigned(["IP:127.0.0.1"]) });
    expect(await sendTo(server.port, { tls: "off", timeLimits: PATIENT })).toBe("sent");
  });
});
