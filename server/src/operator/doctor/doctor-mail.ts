import { countMailTrouble } from "#followup";
import { MailError, reachMailServer } from "#platform";
import { configured, NEEDS_CONFIGURATION } from "./check.ts";
import type { Check, Finding } from "./check.ts";
import type { Operator } from "../operator.ts";

/** Checks that mail can be sent, and whether an account needs it. */
export const mailChecks: Check[] = [
  { name: "mail server", needsDatabase: false, look: mailServer },
  { name: "follow-up mails", needsDatabase: true, look: followUpMails },
];

/** Shorter than for a mail, which nobody waits for. */
const TIME_LIMITS = { connectMs: 5_000, silenceMs: 5_000, overallMs: 6_000 };

async function mailServer(operator: Operator): Promise<Finding> {
  const settings = configured(() => operator.mail());
  if (settings === "half") return NEEDS_CONFIGURATION;
  if (settings === undefined)
    return { state: "ok", says: "not set up (SVC_SMTP_URL): no mail is sent" };
  const { host } = new URL(settings.url);
  try {
    await reachMailServer({ ...settings, timeLimits: TIME_LIMITS });
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return {
      state: "fail",
      says: `${host}: ${error.reason}`,
      fix: "Check SVC_SMTP_URL, its user and password, and the server's certificate. Until then mails wait, each for a day.",
    };
  }
  const unsigned = settings.dkim === undefined ? ", and mail is not signed (SVC_DKIM_DOMAIN)" : "";
  return { state: "ok", says: `${host} lets us in${unsigned}` };
}

async function followUpMails(operator: Operator): Promise<Finding> {
  const { accounts, unknown } = await countMailTrouble(operator.db());
  if (accounts > 0 && configured(() => operator.mail()) === undefined) {
    return {
      state: "warn",
      says: `mails are on for ${accounts.toLocaleString("en")} ${accounts === 1 ? "account" : "accounts"}, and there is no mail server: each is skipped`,
      fix: "Set SVC_SMTP_URL and SVC_MAIL_FROM for the pipeline, or run `svc accounts set <account> --follow-up off`.",
    };
  }
  if (unknown > 0) {
    return {
      state: "warn",
      says: `${unknown.toLocaleString("en")} of the last 7 days may or may not have arrived`,
      fix: "Run `svc mail list --state unknown`.",
    };
  }
  return { state: "ok", says: accounts === 0 ? "no account has them on" : "none is in doubt" };
}
