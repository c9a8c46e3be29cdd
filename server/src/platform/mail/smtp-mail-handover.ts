import { Readable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { MailSettings, MailTimeLimits } from "./mail-settings.ts";
import { judgeFailure } from "./smtp-mail-failure.ts";
import type { Failure } from "./smtp-mail-failure.ts";

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
    // Whoever strips STARTTLS from the server's answer would otherwise read along.
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
