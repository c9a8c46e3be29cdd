import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@svc/tools/free-port";

/** A real mail server with one mailbox, in folders of its own. The machine's Postfix, if it runs, is not touched. */
export interface OwnPostfix {
  /** `smtp://127.0.0.1:…`. Takes mail to whomever at `POSTFIX_DOMAIN`, and to nobody else. */
  url: string;
  /** Every mail in the mailbox, as it was stored. Waits until so many are there. */
  mailbox(atLeast: number): Promise<Buffer[]>;
  stop(): Promise<void>;
}

export const POSTFIX_DOMAIN = "test.invalid";

const PACKAGE = "/etc/postfix/master.cf.proto";
const STARTED_WITHIN_MS = 20_000;
const DELIVERED_WITHIN_MS = 20_000;
/** Who owns the mailbox. Nobody needs to know them. */
const OWNER = 5_000;

export async function startOwnPostfix(): Promise<OwnPostfix> {
  const folder = await mkdtemp(join(tmpdir(), "svc-postfix-"));
  // Its processes are several users.
  await chmod(folder, 0o755);
  const place = (name: string): string => join(folder, name);
  const port = await freePort();
  for (const name of ["queue", "data", "mail", "mail/box", "etc"]) await mkdir(place(name));
  await chown(place("data"), await userId("postfix"), await groupId("postfix"));
  await chown(place("mail"), OWNER, OWNER);
  await chown(place("mail/box"), OWNER, OWNER);
  await writeFile(place("etc/main.cf"), settings(folder));
  await writeFile(place("etc/master.cf"), services(await readFile(PACKAGE, "utf8"), port));

  const starter = spawn("postfix", ["-c", place("etc"), "start-fg"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  starter.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  const ended = once(starter, "exit");
  async function stop(): Promise<void> {
    // What was spawned is a shell, which waits for the one that ends all others.
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
      for (;;) {
        const names = await readdir(place("mail/box/new")).catch(() => []);
        if (names.length >= atLeast || performance.now() > until) {
          return Promise.all(names.map((name) => readFile(place(`mail/box/new/${name}`))));
        }
        await delay(100);
      }
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
myhostname = postfix.${POSTFIX_DOMAIN}
mydestination =
alias_maps =
alias_database =
virtual_mailbox_domains = ${POSTFIX_DOMAIN}
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = static:box/
virtual_uid_maps = static:${OWNER}
virtual_gid_maps = static:${OWNER}
default_transport = error:no outside mail
relay_transport = error:no outside mail
smtpd_client_connection_count_limit = 0
`;
}

/** The package's services: SMTP on our port only, nothing in a jail that the package would have to fill. */
function services(packaged: string, port: number): string {
  return packaged
    .replace(/^smtp +inet .*$/m, `127.0.0.1:${port} inet n - n - - smtpd`)
    .replaceAll(/^(\w\S*\s+(?:unix|inet)\s+\S+\s+\S+\s+)y/gm, "$1n");
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    const [greeting] = (await once(socket, "data", { signal: AbortSignal.timeout(2_000) })) as [
      Buffer,
    ];
    return greeting.toString().startsWith("220");
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function userId(name: string): Promise<number> {
  return idIn("/etc/passwd", name);
}
async function groupId(name: string): Promise<number> {
  return idIn("/etc/group", name);
}
async function idIn(file: string, name: string): Promise<number> {
  const line = (await readFile(file, "utf8")).split("\n").find((one) => one.startsWith(`${name}:`));
  if (line === undefined) throw new Error("Postfix is not installed: apt-get install postfix");
  return Number(line.split(":")[2]);
}
