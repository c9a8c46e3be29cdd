import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../runner/claims.ts";
import type { Outcome, Tools } from "../runner/proof.ts";

const run = promisify(execFile);

/** A machine's parts that `inside.ts` proves something on. */
export type Inside = "compose" | "image" | "one-machine";

/** What a claim has inside. */
export interface InsideTools {
  say(line: string): void;
  onEnd(clean: () => unknown): void;
}

/** What the process inside tells. */
export type Told = { say: string } | { outcome: Outcome };

/**
 * Runs a claim in a network namespace and a mount namespace of its own, which are a machine for
 * that long: samples can have the ports and paths that they have, and nothing here is changed.
 */
export async function proveInside(
  name: Inside,
  { say, onEnd }: Tools,
  about: Record<string, string> = {},
): Promise<Outcome> {
  const network = `svc-deployed-${process.pid}`;
  const folder = await mkdtemp(join(tmpdir(), "svc-deployed-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "layers"));
  try {
    await run("ip", ["netns", "add", network]);
  } catch (error) {
    throw new Error("This claim makes network namespaces: run it as root, with iproute2.", {
      cause: error,
    });
  }
  onEnd(() => run("ip", ["netns", "delete", network]));
  await run("ip", ["-n", network, "link", "set", "lo", "up"]);

  const inside = join(import.meta.dirname, "inside.ts");
  const { SVC_PROOF_POSTGRES: _, ...environment } = process.env;
  const child = spawn(
    "ip",
    ["netns", "exec", network, "unshare", "--mount", "sh", "-ec", MACHINE, folder, inside, name],
    {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: {
        ...environment,
        ...about,
        REPOSITORY: ROOT,
        NODE: process.execPath,
        // Of the certificate that the machine has: both the SDK's requests and its sockets trust it.
        NODE_EXTRA_CA_CERTS: join(folder, "authority.pem"),
      },
    },
  );
  onEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  let outcome: Outcome | undefined;
  child.on("message", (told: Told) => {
    if ("say" in told) say(told.say);
    else outcome = told.outcome;
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return outcome ?? { figure: `failed: the process inside ended with ${code}`, ok: false };
}

/** $0: a folder that is removed afterwards, $1: the script, $2: its argument. */
const MACHINE = `
cd "$0"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=authority \\
  -keyout authority.key -out authority.pem 2>/dev/null
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=svc.example.com \\
  -keyout key.pem -out request.pem 2>/dev/null
echo subjectAltName=DNS:svc.example.com >names
openssl x509 -req -in request.pem -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 \\
  -extfile names -out fullchain.pem 2>/dev/null
mount -t tmpfs tmpfs layers
# What is written there stays in this namespace.
for place in etc opt usr/bin var/lib; do
  mkdir -p "layers/$place.new" "layers/$place.work"
  mount -t overlay overlay -o "lowerdir=/$place,upperdir=$PWD/layers/$place.new,workdir=$PWD/layers/$place.work" "/$place"
done
mkdir -p /opt/svc /etc/ssl/svc /etc/svc
mount --bind "$REPOSITORY" /opt/svc
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/log
mkdir -p /var/log/nginx
rm -f /usr/bin/node
cp "$NODE" /usr/bin/node
cp fullchain.pem key.pem /etc/ssl/svc/
chmod 644 /etc/ssl/svc/key.pem
echo '127.0.0.1 localhost svc.example.com' >/etc/hosts
exec "$NODE" "$1" "$2"
`;
