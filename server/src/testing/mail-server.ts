import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import type { SMTPServerOptions } from "smtp-server";

/** A mail server on this machine that keeps what it takes, for tests. Not ours: npm's smtp-server. */
export interface MailServer {
  port: number;
  /** One for every message that it was given whole, whatever it answered. */
  mails: ReceivedMail[];
  /** Connections that were opened, with or without a mail. */
  connections: number;
  close(): Promise<void>;
}

export interface ReceivedMail {
  from: string;
  /** As RCPT TO named them. */
  to: string[];
  raw: Buffer;
  encrypted: boolean;
  user: string | undefined;
}

export interface MailServerOptions {
  tls?: { key: string; cert: string };
  /** Encrypted from the first byte. */
  secure?: boolean;
  hideStartTls?: boolean;
  /** The only login that is accepted; without it there is none. */
  login?: { user: string; password: string };
  /** Answers the command like this in place of taking it. */
  refuse?: { at: "mail" | "rcpt" | "data"; code: number; text: string };
  /** Drops the connection or says nothing once it has the whole message. */
  atTheEnd?: "cut" | "silence";
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const { tls, secure = false, login, refuse } = options;
  const refusalAt = (place: NonNullable<typeof refuse>["at"]): Error | null =>
    refuse?.at === place
      ? Object.assign(new Error(refuse.text), { responseCode: refuse.code })
      : null;
  const settings: SMTPServerOptions = {
    ...tls,
    secure,
    authOptional: login === undefined,
    disabledCommands: [
      ...(login === undefined ? ["AUTH"] : []),
      ...(tls === undefined ? ["STARTTLS"] : []),
    ],
    hideSTARTTLS: options.hideStartTls ?? false,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      username === login?.user && password === login?.password
        ? done(null, { user: username })
        : done(new Error("Wrong user or password")),
    onConnect: (_session, done) => {
      server.connections += 1;
      done();
    },
    onMailFrom: (_address, _session, done) => done(refusalAt("mail")),
    onRcptTo: (_address, _session, done) => done(refusalAt("rcpt")),
    onData: async (stream, { envelope, secure: encrypted, user }, done) => {
      const raw = await buffer(stream);
      mails.push({
        from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
        to: envelope.rcptTo.map(({ address }) => address),
        raw,
        encrypted,
        user: typeof user === "string" ? user : undefined,
      });
      if (options.atTheEnd === "cut") cutAll();
      else if (options.atTheEnd === undefined) done(refusalAt("data"));
    },
  };
  const smtp = new SMTPServer(settings);
  const cutAll = (): void => {
    for (const { _socket } of smtp.connections) _socket.destroy();
  };
  smtp.on("error", () => undefined);
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
  const server: MailServer = {
    port: (smtp.server.address() as AddressInfo).port,
    mails,
    connections: 0,
    close: async () => {
      cutAll();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
  return server;
}

/** The headers as they stand, unfolded, in order. */
export function mailHeaders(raw: Buffer): [name: string, value: string][] {
  const text = raw.toString("latin1");
  return text
    .slice(0, text.indexOf("\r\n\r\n"))
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")
    .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
}
