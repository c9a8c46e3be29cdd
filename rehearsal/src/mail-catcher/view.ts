import type { CaughtMail } from "./caught-mail.ts";
import type { Fault } from "./fault.ts";
import type { MailCounts } from "./mail-log.ts";
import type { CatcherParts } from "./smtp-port.ts";

/** Where mail is taken. */
export interface SmtpFacts {
  smtpUrl: string;
  isTlsOffered: boolean;
}

/** What the page shows. */
export interface View extends SmtpFacts {
  /** The page sends it back, and hears nothing while it stays. */
  version: number;
  counts: MailCounts;
  faults: (Fault & { hits: number })[];
  /** Newest first. */
  mails: (CaughtMail & { excerpt?: string })[];
}

/** More than two lines of the list. */
const EXCERPT = 300;

export function viewOf({ log, switches }: CatcherParts, smtp: SmtpFacts, most: number): View {
  const counts = log.counts();
  return {
    version: log.version,
    ...smtp,
    counts,
    faults: switches.list(),
    mails: log
      .after(counts.mails - most)
      .map((mail) => {
        const excerpt = log.content(mail.number)?.parsed.text?.slice(0, EXCERPT);
        return { ...mail, ...(excerpt !== undefined && { excerpt }) };
      })
      .toReversed(),
  };
}
