import { makeCertificates } from "../certificates.ts";
import { pageRoutes } from "../stand-in-page.ts";
import { json, ok, openStandIn, wholeNumber } from "../stand-in.ts";
import type { Routes } from "../stand-in.ts";
import { createFaults } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { MailLog } from "./mail-log.ts";
import type { CaughtMail, MailContent, MailCounts } from "./mail-log.ts";
import { openSmtpPort } from "./smtp-port.ts";
import type { CatcherParts } from "./smtp-port.ts";

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
  /** The authority that issued its certificate: PEM, as text and as a file for NODE_EXTRA_CA_CERTS. */
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
  // First of all: without openssl no port is left open.
  const certificates = options.tls && (await makeCertificates(options.tls.names));
  const isTlsOffered = certificates !== undefined;
  const log = new MailLog();
  const faults = createFaults({ hasTls: isTlsOffered });
  const { url, serve, setFaults, close } = await openStandIn(faults, options);
  const smtp = await openSmtpPort({ log, faults }, certificates, options.smtpPort);
  const smtpUrl = `smtp://127.0.0.1:${smtp.number}`;
  serve(routes({ log, faults }, { smtpUrl, isTlsOffered }));

  return {
    url,
    smtpUrl,
    secure: certificates && {
      authority: certificates.authority,
      authorityFile: certificates.authorityFile,
    },
    setFaults: (wanted) => void setFaults(wanted),
    mails: (after = 0) => log.after(after),
    content: (number) => log.content(number),
    counts: () => log.counts(),
    async close() {
      await Promise.all([close(), smtp.close(), certificates?.remove()]);
    },
  };
}

interface SmtpFacts {
  smtpUrl: string;
  isTlsOffered: boolean;
}

/** What the page shows. */
export interface View extends SmtpFacts {
  counts: MailCounts;
  faults: (Fault & { hits: number })[];
  /** Newest first, each with the beginning of its text. */
  mails: (CaughtMail & { excerpt?: string | undefined })[];
}

/** More than two lines of the list. */
const EXCERPT = 300;

function routes({ log, faults }: CatcherParts, smtp: SmtpFacts): Routes {
  const contentIn = (query: URLSearchParams): MailContent | undefined =>
    log.content(wholeNumber(query, "number", 0));
  const viewOf = (newest: number): View => ({
    ...smtp,
    counts: log.counts(),
    faults: faults.list(),
    mails: log.newest(newest).map((mail) => ({
      ...mail,
      excerpt: log.content(mail.number)?.parsed.text?.slice(0, EXCERPT),
    })),
  });
  return {
    ...pageRoutes(import.meta.dirname, words, viewOf),
    "GET /rehearsal/mails": ({ query }) => {
      const mails = log.after(wholeNumber(query, "after", 0), wholeNumber(query, "limit", 1000));
      return json({ counts: log.counts(), mails });
    },
    "GET /rehearsal/content": ({ query }) => {
      const content = contentIn(query);
      if (content === undefined) return json({});
      const { text, html, headers } = content.parsed;
      return json({
        headers: headers.map(({ originalKey, value }) => [originalKey, value]),
        text,
        hasHtml: html !== undefined,
        raw: content.raw.toString(),
      });
    },
    "GET /rehearsal/html": ({ query }) => ({
      ...ok("text/html", contentIn(query)?.parsed.html ?? ""),
      // A mail is a stranger's: it may look as it likes, and neither run nor reach out.
      policy:
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'",
    }),
  };
}

const words = {
  title: "Inbox",
  intro: `It stands in for a mail server: whatever is sent by <code id="url"></code> is kept here, and reaches nobody.`,
  boxes: ["Mails", "Encryption"],
  nothing: `Nothing yet. Give your address in a conversation and end it: a moment after its evaluation the mail is here,
    if the address's domain takes mail.`,
};
