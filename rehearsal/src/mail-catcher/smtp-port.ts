import { once } from "node:events";
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import type { SMTPServerOptions, SMTPServerSession } from "smtp-server";
import type { Certificates, KeyAndCertificate } from "../webhook-receiver/certificates.ts";
import { Envelopes } from "./envelopes.ts";
import type { FaultKind, Step, TlsFaultKind } from "./fault.ts";
import type { MailLog } from "./mail-log.ts";
import type { AnswerFault, Switches } from "./switches.ts";

/** What a catcher is made of. */
export interface CatcherParts {
  log: MailLog;
  switches: Switches;
}

const DRIP_MS = 1_000;

/** A port that takes mail, well or as a fault says. */
export interface SmtpPort {
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

type Done = (error?: Error | null) => void;

export function createSmtpPort(
  { log, switches }: CatcherParts,
  certificates: Certificates | undefined,
): SmtpPort {
  const envelopes = new Envelopes();
  const open = new Set<Socket>();
  const carriers = new Map<number, Socket>();

  const options: SMTPServerOptions = {
    name: "mail.rehearsal.test",
    authOptional: true,
    disableReverseLookup: true,
    // Else a kept connection is ended after a few mails.
    maxAllowedUnauthenticatedCommands: false,
    logger: {
      debug(entry: { cid?: string; tnx?: string }, _prefix: string, line: string) {
        if (entry.tnx === "command" && envelopes.read(entry.cid!, line)) log.count("recipients");
      },
    },
    onConnect: (session, done) => answer("greeting", session, done),
    onMailFrom: (_address, session, done) => answer("sender", session, done),
    onRcptTo: (_address, session, done) => answer("recipient", session, done),
    onData: (stream, session, done) => void take(stream, session, done),
    onClose: ({ id }) => envelopes.forget(id),
  };
  const disabled = ["AUTH", "STARTTLS"];
  const plain = new SMTPServer({ ...options, disabledCommands: disabled });
  const secured = (certificate: KeyAndCertificate): SMTPServer =>
    new SMTPServer({ ...options, ...certificate, disabledCommands: ["AUTH"] });
  const good = certificates === undefined ? plain : secured(certificates.good);
  const faulty: Partial<Record<string, SMTPServer>> = {
    no_starttls: plain,
    ...(certificates &&
      ({
        tls_expired: secured(certificates.expired),
        tls_self_signed: secured(certificates.selfSigned),
        tls_wrong_host: secured(certificates.wrongHost),
      } satisfies Record<TlsFaultKind, SMTPServer>)),
  };
  const servers = [plain, good, ...Object.values(faulty)] as SMTPServer[];
  // Clients that leave in the middle are what a catcher is there to see.
  for (const server of servers) server.on("error", () => {});

  const port: Server = createServer((socket) => {
    open.add(socket);
    const { remotePort = 0 } = socket;
    carriers.set(remotePort, socket);
    socket.once("close", () => {
      open.delete(socket);
      carriers.delete(remotePort);
    });
    socket.on("error", () => {});
    log.count("connections");
    const fault = switches.chooseForConnection();
    if (fault !== undefined) log.showed(fault);
    (faulty[fault ?? ""] ?? good).connect(socket);
  });

  function answer(step: Step, session: SMTPServerSession, done: Done): void {
    const fault = switches.chooseForAnswer(step, envelopes.of(session.id).to);
    if (fault === undefined) done();
    else show(fault, session, done);
  }

  async function take(stream: Readable, session: SMTPServerSession, done: Done): Promise<void> {
    try {
      const raw = await buffer(stream);
      const fault = switches.chooseForAnswer("message", envelopes.of(session.id).to);
      if (fault?.kind !== "reply") await keep(raw, session, fault?.kind);
      if (fault === undefined) done();
      else show(fault, session, done);
    } catch (error) {
      // It broke off, or is nested so deep that nobody could read it.
      done(error as Error);
    }
  }

  async function keep(
    raw: Buffer,
    { id, secure }: SMTPServerSession,
    fault: FaultKind | undefined,
  ): Promise<void> {
    const parsed = await PostalMime.parse(raw);
    const { subject, messageId } = parsed;
    const mail = {
      atMs: Date.now(),
      ...envelopes.of(id),
      bytes: raw.length,
      isEncrypted: secure,
      ...(subject !== undefined && { subject }),
      ...(messageId !== undefined && { messageId }),
      ...(fault !== undefined && { fault }),
    };
    log.add(mail, { raw, parsed });
  }

  function show(
    { kind, afterMs = 0, status = 451 }: AnswerFault,
    session: SMTPServerSession,
    done: Done,
  ): void {
    log.showed(kind);
    const carrier = carriers.get(session.remotePort);
    switch (kind) {
      case "reply":
        return done(Object.assign(new Error("Answered so on purpose"), { responseCode: status }));
      case "late": {
        const timer = setTimeout(done, afterMs);
        carrier?.once("close", () => clearTimeout(timer));
        return;
      }
      case "silent":
        return;
      case "cut":
        carrier?.resetAndDestroy();
        return;
      case "drip": {
        const socket = servers
          .flatMap(({ connections }) => [...connections])
          .find(({ id }) => id === session.id)?._socket;
        // An answer of many lines has no end until one of them says so.
        const timer = setInterval(() => void socket?.write("-"), DRIP_MS);
        socket?.write("250");
        carrier?.once("close", () => clearInterval(timer));
      }
    }
  }

  return {
    async listen(wanted) {
      port.listen(wanted, "127.0.0.1");
      await once(port, "listening");
      const address = port.address();
      return typeof address === "object" && address !== null ? address.port : wanted;
    },
    async close() {
      const closed = once(port, "close");
      port.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
