import { Readable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { MailSettings, MailTimeLimits } from "./mail-settings.ts";
import { MailError } from "./mail.ts";

const TIME_LIMITS: MailTimeLimits = { connectMs: 15_000, silenceMs: 60_000, overallMs: 120_000 };

/** Gives one message to the mail server, for one recipient, and returns what it said. Throws a MailError. */
export async function handOver(
  settings: MailSettings,
  recipient: string,
  message: Buffer,
): Promise<string> {
  let isHandedOver = false;
  // Read only when the server has asked for the message.
  async function* content(): AsyncGenerator<Buffer> {
    isHandedOver = true;
    yield message;
  }
  try {
    return await talk(settings, async (connection, step) => {
      const envelope = { from: settings.from.address, to: [recipient] };
      const stream = Readable.from(content(), { objectMode: false });
      const { response } = await step<{ response: string }>((done) =>
        connection.send(envelope, stream, done),
      );
      return response;
    });
  } catch (error) {
    throw judgeFailure(error as Failure, { isHandedOver, recipient });
  }
}

/** Connects, encrypts and logs in as a mail would, and sends none. Throws a MailError. */
export async function reachMailServer(settings: MailSettings): Promise<void> {
  try {
    await talk(settings, async () => undefined);
  } catch (error) {
    throw judgeFailure(error as Failure, { isHandedOver: false, recipient: "" });
  }
}

type Begin<R> = (done: (error?: Error | null, result?: R) => void) => void;
/** One exchange with the server. Ends early when the connection breaks or time is up. */
type Step = <R>(begin: Begin<R>) => Promise<R>;

/** From the connection to the login, then what there is to say. All of it within the overall limit. */
async function talk<T>(
  settings: MailSettings,
  say: (connection: SMTPConnection, step: Step) => Promise<T>,
): Promise<T> {
  const { overallMs } = settings.timeLimits ?? TIME_LIMITS;
  const { default: Connection } = await import("nodemailer/lib/smtp-connection");
  const connection = new Connection(connectionOptions(settings));
  const broken = Promise.withResolvers<never>();
  connection.on("error", broken.reject);
  const deadline = setTimeout(
    () => broken.reject(Object.assign(new Error("too slow"), { code: "ETIMEDOUT" })),
    overallMs,
  );
  const step = <R>(begin: Begin<R>): Promise<R> =>
    Promise.race([
      broken.promise,
      new Promise<R>((resolve, reject) =>
        begin((error, result) => (error ? reject(error) : resolve(result!))),
      ),
    ]);
  try {
    await step((done) => connection.connect(done));
    const login = loginOf(settings.url);
    if (login !== undefined && connection.allowsAuth) {
      await step((done) => connection.login(login, done));
    }
    return await say(connection, step);
  } finally {
    clearTimeout(deadline);
    connection.close();
  }
}

function connectionOptions(settings: MailSettings): object {
  const { hostname, port, protocol } = new URL(settings.url);
  const { connectMs, silenceMs } = settings.timeLimits ?? TIME_LIMITS;
  const { trustedCertificates: ca } = settings;
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    ...(port !== "" && { port: Number(port) }),
    secure: protocol === "smtps:",
    // Otherwise an attacker who strips STARTTLS from the server's answer could read the mail.
    requireTLS: settings.tls === "required",
    ignoreTLS: settings.tls === "off",
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    tls: { minVersion: "TLSv1.2", ...(ca !== undefined && { ca }) },
  };
}

function loginOf(url: string): { user: string; pass: string } | undefined {
  const { username, password } = new URL(url);
  if (username === "") return undefined;
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}

interface Circumstances {
  /** The server had asked for the message and was being given it. */
  isHandedOver: boolean;
  recipient: string;
}

/** Returns what an error of the mail library means for the mail, in words that contain no address. */
function judgeFailure(failure: Failure, circumstances: Circumstances): MailError {
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

/** The fields that nodemailer adds to its errors. */
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

const MAX_REASON_LENGTH = 300;

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
    .slice(0, MAX_REASON_LENGTH);
}
