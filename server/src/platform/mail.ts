import type { Log } from "./log.ts";

/** How mail leaves. */
export interface Mail {
  send(message: MailMessage): Promise<void>;
}

export interface MailMessage {
  to: string;
  subject: string;
  text: string;
}

/** Where no mail server is configured: the log says that there was something to say. */
export function createLogMail(log: Log): Mail {
  return {
    send: async ({ to, subject, text }) =>
      log.warn({ pii: { to, text }, subject }, "mail is not set up: not sent"),
  };
}
