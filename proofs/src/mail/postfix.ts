import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createSmtpMail, mailHeaders, MailError, normalizeEmail } from "@svc/server/testing";
import { freePort } from "@svc/tools/free-port";
import fc from "fast-check";
import { addresses } from "./hostile-mails.ts";

export interface PostfixTally {
  sent: number;
  refused: number;
  faults: string[];
}

const DOMAIN = "test.invalid";
const AT_ONCE = 20;

/** Sends mails to hostile addresses at a real mail server's domain, and judges what is then in its mailbox. */
export async function deliverToPostfix(
  count: number,
  seed: number,
  onEnd: (clean: () => unknown) => void,
): Promise<PostfixTally> {
  const postfix = await startPostfix();
  onEnd(() => postfix.stop());
  const chosen = drawRecipients(count, seed);
  const sent = new Map<string, string>();
  for (let from = 0; from < chosen.length; from += AT_ONCE) {
    await Promise.all(
      chosen.slice(from, from + AT_ONCE).map(async (to, index) => {
        const id = `${from + index}@${DOMAIN}`;
        if (await isTaken(postfix.url, to, id)) sent.set(`<${id}>`, to);
      }),
    );
  }
  const tally = { sent: sent.size, refused: chosen.length - sent.size };
  const faults: string[] = [];
  for (const raw of await postfix.mailbox(sent.size)) {
    const lines = raw.toString("latin1").replaceAll("\n", "\r\n");
    const headers = mailHeaders(Buffer.from(lines, "latin1"));
    const values = (wanted: string): string[] =>
      headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
    const [id = ""] = values("message-id");
    const meant = sent.get(id);
    const [reached = ""] = values("x-original-to");
    // The mailbox has bytes where the address has letters.
    if (Buffer.from(reached, "latin1").toString() !== meant) {
      faults.push(`${id}, meant for ${meant}, reached ${reached}`);
    }
    for (const name of ["to", "subject", "x-original-to"]) {
      if (values(name).length !== 1) faults.push(`${meant}: ${values(name).length} times ${name}`);
    }
    for (const name of ["cc", "bcc"]) if (values(name).length > 0) faults.push(`${meant}: ${name}`);
    sent.delete(id);
  }
  faults.push(...[...sent.values()].map((to) => `${to}: no mail`));
  return { ...tally, faults };
}

/** Addresses that the product would store, all at Postfix's domain and none twice. */
function drawRecipients(count: number, seed: number): string[] {
  const drawn = fc.sample(addresses, { numRuns: count * 10, seed });
  const stored = drawn.flatMap(
    (address) => normalizeEmail(address.replace(/@[^@]*$/, `@${DOMAIN}`)) ?? [],
  );
  return [...new Set(stored)].slice(0, count);
}

async function isTaken(url: string, to: string, messageId: string): Promise<boolean> {
  try {
    await createSmtpMail({ url, from: { address: `hello@${DOMAIN}` }, tls: "off" }).send({
      to,
      subject: `Your conversation with\r\nBcc: eve@${DOMAIN}`,
      text: "Hello.\n.\nRCPT TO:<eve@evil.test>\n",
      messageId,
    });
    return true;
  } catch (error) {
    if (error instanceof MailError && error.outcome === "refused") return false;
    throw error;
  }
}

/** A real mail server with one mailbox, in folders of its own. The machine's Postfix, if it runs, is not touched. */
interface Postfix {
  /** Takes mail to whomever at `DOMAIN`, and to nobody else. */
  url: string;
  /** Every mail in the mailbox, as it was stored. Waits until so many are there. */
  mailbox(atLeast: number): Promise<Buffer[]>;
  stop(): Promise<void>;
}

const PACKAGE = "/etc/postfix/master.cf.proto";
const STARTED_WITHIN_MS = 20_000;
const DELIVERED_WITHIN_MS = 20_000;
/** User and group of the mailbox; neither needs a name. */
const OWNER = 5_000;

async function startPostfix(): Promise<Postfix> {
  const folder = await mkdtemp(join(tmpdir(), "svc-postfix-"));
  // Its processes run as several users.
  await chmod(folder, 0o755);
  const place = (name: string): string => join(folder, name);
  const port = await freePort();
  for (const name of ["queue", "data", "mail", "mail/box", "etc"]) await mkdir(place(name));
  const idOf = (flag: "-u" | "-g"): number => Number(execFileSync("id", [flag, "postfix"]));
  await chown(place("data"), idOf("-u"), idOf("-g"));
  for (const name of ["mail", "mail/box"]) await chown(place(name), OWNER, OWNER);
  await writeFile(place("etc/main.cf"), settings(folder));
  await writeFile(place("etc/master.cf"), services(await readFile(PACKAGE, "utf8"), port));

  const starter = spawn("postfix", ["-c", place("etc"), "start-fg"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  starter.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  const ended = once(starter, "exit");
  async function stop(): Promise<void> {
    // What was spawned is a shell, which waits for the process that ends all others.
    const master = await readFile(place("queue/pid/master.pid"), "utf8").catch(() => undefined);
    if (starter.exitCode === null) process.kill(Number(master ?? starter.pid), "SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
  const deadline = performance.now() + STARTED_WITHIN_MS;
  while (!(await answers(port))) {
    if (starter.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`Postfix did not start: ${complaint.trim()}`);
    }
    await delay(50);
  }
  return {
    url: `smtp://127.0.0.1:${port}`,
    stop,
    async mailbox(atLeast) {
      const until = performance.now() + DELIVERED_WITHIN_MS;
      const list = (): Promise<string[]> => readdir(place("mail/box/new")).catch(() => []);
      while ((await list()).length < atLeast && performance.now() < until) await delay(100);
      return Promise.all((await list()).map((name) => readFile(place(`mail/box/new/${name}`))));
    },
  };
}

function settings(folder: string): string {
  return `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/postfix.log
maillog_file_prefixes = ${folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = postfix.${DOMAIN}
mydestination =
alias_maps =
alias_database =
virtual_mailbox_domains = ${DOMAIN}
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = static:box/
virtual_uid_maps = static:${OWNER}
virtual_gid_maps = static:${OWNER}
default_transport = error:no outside mail
relay_transport = error:no outside mail
smtpd_client_connection_count_limit = 0
`;
}

/** The package's services: SMTP on our port only, nothing in a chroot that the package would have to fill. */
function services(packaged: string, port: number): string {
  return packaged
    .replace(/^smtp +inet .*$/m, `127.0.0.1:${port} inet n - n - - smtpd`)
    .replaceAll(/^(\w\S*\s+(?:unix|inet)\s+\S+\s+\S+\s+)y/gm, "$1n");
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    const greeting: unknown[] = await once(socket, "data", { signal: AbortSignal.timeout(2_000) });
    return String(greeting[0]).startsWith("220");
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
