import { createServer } from "node:net";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import type { SMTPServerOptions, SMTPServerSession } from "smtp-server";
import type { Certificates, KeyAndCertificate } from "../certificates.ts";
import type { Faults } from "../faults.ts";
import { openPort } from "../port.ts";
import type { Port } from "../port.ts";
import { stepOf } from "./fault.ts";
import type { Fault, FaultKind, Step } from "./fault.ts";
import type { MailLog } from "./mail-log.ts";

/** What a catcher is made of. */
export interface CatcherParts {
  log: MailLog;
  faults: Faults<Fault>;
}

const DRIP_MS = 1_000;

type Done = (error?: Error | null) => void;

/** A port that takes mail, well or as a fault says. */
export async function openSmtpPort(
  { log, faults }: CatcherParts,
  certificates: Certificates | undefined,
  wantedPort: number | undefined,
): Promise<Port> {
  const envelopes = new Envelopes();
  const carriers = new Map<number, Socket>();

  const options: SMTPServerOptions = {
    name: "mail.rehearsal.test",
    authOptional: true,
    disableReverseLookup: true,
    // With a limit, a kept connection would be ended after a few mails.
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
  const faulty: Partial<Record<FaultKind, SMTPServer>> = {
    no_starttls: plain,
    ...(certificates && {
      tls_expired: secured(certificates.expired),
      tls_self_signed: secured(certificates.selfSigned),
      tls_wrong_host: secured(certificates.wrongHost),
    }),
  };
  const servers = [plain, good, ...Object.values(faulty)];
  // Clients that leave in the middle are what a catcher is there to see.
  for (const server of servers) server.on("error", () => {});

  const port = createServer((socket) => {
    const { remotePort = 0 } = socket;
    carriers.set(remotePort, socket);
    socket.once("close", () => carriers.delete(remotePort));
    log.count("connections");
    const kind = faults.draw("connection", (fault) => stepOf(fault) === undefined)?.kind;
    if (kind !== undefined) log.showed(kind);
    ((kind && faulty[kind]) ?? good).connect(socket);
  });

  function faultAt(step: Step, { id }: SMTPServerSession): Fault | undefined {
    const { to } = envelopes.of(id);
    return faults.draw(
      step,
      (fault) => stepOf(fault) === step && (fault.to === undefined || to.includes(fault.to)),
    );
  }

  function answer(step: Step, session: SMTPServerSession, done: Done): void {
    const fault = faultAt(step, session);
    if (fault === undefined) done();
    else show(fault, session, done);
  }

  async function take(stream: Readable, session: SMTPServerSession, done: Done): Promise<void> {
    try {
      const raw = await buffer(stream);
      const fault = faultAt("message", session);
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
    { kind, afterMs = 0, status = 451 }: Fault,
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
        return;
      }
      default:
        throw new Error(`${kind} is not shown at an answer.`);
    }
  }

  return openPort(port, wantedPort);
}

/** What a client wrote in its MAIL and RCPT commands, letter by letter. */
interface Envelope {
  from: string;
  to: string[];
}

/** The envelopes that connections are at, by the connection's id. The library's own are decoded and without repetitions. */
class Envelopes {
  readonly #open = new Map<string, Envelope>();

  /** A line that a client sent. True if it named a recipient. */
  read(connection: string, line: string): boolean {
    const path = /^(?<verb>MAIL FROM|RCPT TO): ?<(?<address>.*)>/i.exec(line)?.groups;
    if (path === undefined) return false;
    const address = path["address"]!;
    const isRecipient = path["verb"]!.toUpperCase() === "RCPT TO";
    if (isRecipient) this.of(connection).to.push(address);
    else this.#open.set(connection, { from: address, to: [] });
    return isRecipient;
  }

  of(connection: string): Envelope {
    return this.#open.get(connection) ?? { from: "", to: [] };
  }

  forget(connection: string): void {
    this.#open.delete(connection);
  }
}
