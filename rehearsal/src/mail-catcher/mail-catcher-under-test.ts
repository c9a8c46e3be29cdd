import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { connect as connectTls } from "node:tls";
import { onTestFinished } from "vitest";
import { startMailCatcher } from "./mail-catcher.ts";
import type { MailCatcher, MailCatcherOptions } from "./mail-catcher.ts";

/** A catcher that is closed when the test ends. */
export async function catcherUnderTest(options: MailCatcherOptions = {}): Promise<MailCatcher> {
  const catcher = await startMailCatcher(options);
  onTestFinished(() => catcher.close());
  return catcher;
}

export const MESSAGE: string = [
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
export class RawClient {
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
export async function greeted(catcher: MailCatcher): Promise<RawClient> {
  const client = await RawClient.open(catcher);
  await client.hear();
  await client.say("EHLO test");
  return client;
}

function linesOf(socket: Socket): AsyncIterator<string> {
  return createInterface(socket)[Symbol.asyncIterator]();
}
