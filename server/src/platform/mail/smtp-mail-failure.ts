import { MailError } from "./mail.ts";

interface Circumstances {
  /** The server had asked for the message and was being given it. */
  isHandedOver: boolean;
  recipient: string;
}

/** What an error of the mail library means for the mail, in words that hold no address. */
export function judgeFailure(failure: Failure, circumstances: Circumstances): MailError {
  const { response, responseCode, code, command } = failure;
  if (response !== undefined && responseCode !== undefined) {
    const said = withoutAddress(response, circumstances.recipient);
    return new MailError(
      isForGood(failure) ? "refused" : "later",
      command === undefined ? said : `${said} (to ${command})`,
    );
  }
  const { isHandedOver } = circumstances;
  const what = (code !== undefined && WORDS[code]) || "it could not be sent";
  const detail = failure.originalCode ?? code;
  return new MailError(
    isHandedOver ? "unknown" : "later",
    [
      what,
      ...(detail === undefined ? [] : [` (${detail})`]),
      ...(isHandedOver ? [" after the mail was handed over"] : []),
    ].join(""),
  );
}

/** What nodemailer adds to its errors. */
export interface Failure {
  code?: string;
  originalCode?: string;
  response?: string;
  responseCode?: number;
  permanent?: boolean;
  command?: string;
}

/** A 5xx about this mail. One about who we are, such as a wrong password, is cured by the operator. */
function isForGood({ code, responseCode, permanent = false }: Failure): boolean {
  const isAboutMail = code === "EENVELOPE" || code === "EMESSAGE";
  return permanent && isAboutMail && responseCode !== AUTHENTICATION_REQUIRED;
}

const AUTHENTICATION_REQUIRED = 530;

const WORDS: Record<string, string> = {
  ECONNECTION: "the connection was cut",
  ESOCKET: "the connection failed",
  ETIMEDOUT: "the mail server did not answer in time",
  EDNS: "the mail server's name was not found",
  ETLS: "the connection could not be encrypted",
  EAUTH: "the mail server did not let us in",
};

const LONGEST = 300;

/** Servers like to repeat whom they refuse. */
function withoutAddress(response: string, recipient: string): string {
  const local = recipient.slice(0, recipient.lastIndexOf("@")).toLowerCase();
  const names = (word: string): boolean => {
    const bare = word.toLowerCase().replace(/^\W+|\W+$/g, "");
    return word.includes("@") || bare === local || (local.length > 3 && bare.includes(local));
  };
  return response
    .slice(0, 2_000)
    .split(/[\s\p{C}]+/u)
    .map((word) => (names(word) ? "[address]" : word))
    .join(" ")
    .slice(0, LONGEST);
}
