import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { wrongValue } from "../shape.ts";
import { makeCertificates } from "../webhook-receiver/certificates.ts";
import type { CaughtMail, MailContent } from "./caught-mail.ts";
import { faultList, needsTls } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { MailLog } from "./mail-log.ts";
import type { MailCounts } from "./mail-log.ts";
import { routes } from "./routes.ts";
import { createSmtpPort } from "./smtp-port.ts";
import type { CatcherParts } from "./smtp-port.ts";
import { Switches } from "./switches.ts";

export interface MailCatcherOptions {
  /** Of its inbox. A free one unless told, like the next. */
  port?: number;
  smtpPort?: number;
  faults?: Fault[];
  /** Offers STARTTLS. */
  tls?: {
    /** Names that its certificate is for, beside localhost and 127.0.0.1. */
    names?: string[];
  };
}

/** A running stand-in of a mail server, from which no mail goes any further. */
export interface MailCatcher {
  /** Its inbox, and its switches below `/rehearsal`. */
  url: string;
  /** Where it takes mail: `smtp://127.0.0.1:…`. */
  smtpUrl: string;
  /** Who vouches for it: PEM, as text and as a file for NODE_EXTRA_CA_CERTS. */
  secure: { authority: string; authorityFile: string } | undefined;
  /** In place of those set before. */
  setFaults(faults: Fault[]): void;
  /** Oldest first, from the one after this number; the last 200,000. */
  mails(after?: number): readonly Readonly<CaughtMail>[];
  /** What a mail said; of the last 500. */
  content(number: number): MailContent | undefined;
  counts(): MailCounts;
  close(): Promise<void>;
}

export async function startMailCatcher(options: MailCatcherOptions = {}): Promise<MailCatcher> {
  const log = new MailLog();
  const parts: CatcherParts = { log, switches: new Switches() };
  const setFaults = (value: unknown): void => {
    const faults = faultList(value, "faults");
    const index = faults.findIndex(needsTls);
    if (index !== -1 && options.tls === undefined) {
      wrongValue(`faults[${index}]`, "was started without TLS");
    }
    parts.switches.set(faults);
    log.touch();
  };
  setFaults(options.faults ?? []);

  // First of all: without openssl nothing is left half open.
  const names = ["localhost", ...(options.tls?.names ?? [])].map((name) => `DNS:${name}`);
  const certificates = options.tls && (await makeCertificates([...names, "IP:127.0.0.1"]));
  const smtp = createSmtpPort(parts, certificates);
  const smtpUrl = `smtp://127.0.0.1:${await smtp.listen(options.smtpPort ?? 0)}`;
  const isTlsOffered = certificates !== undefined;
  const server = createServer(routes({ parts, smtp: { smtpUrl, isTlsOffered }, setFaults }));
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    smtpUrl,
    secure: certificates && {
      authority: certificates.authority,
      authorityFile: certificates.authorityFile,
    },
    setFaults,
    mails: (after = 0) => log.after(after),
    content: (number) => log.content(number),
    counts: () => log.counts(),
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, smtp.close(), certificates?.remove()]);
    },
  };
}
