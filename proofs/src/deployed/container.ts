import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** An image, unpacked: what a container runtime would know of it. */
export interface Image {
  /** The folder with its files. */
  root: string;
  /** As Docker's format names it. */
  config: {
    User: string;
    Env: string[];
    Cmd: [string, ...string[]];
    WorkingDir: string;
    Healthcheck?: { Test: ["CMD", ...string[]] };
  };
}

export interface ContainerOptions {
  /** The image's own by default. */
  command?: string[];
  environment?: Record<string, string>;
  /** Handed over as files in /run/secrets, by their name there. */
  secrets?: Record<string, string>;
  /** The image's own by default. */
  user?: string;
  isWritable?: boolean;
  /** A network namespace by its name; that of this process by default. */
  network?: string;
  mounts?: Mount[];
  /** Folders in memory. */
  tmpfs?: string[];
}

/** A file or folder of this machine, at a path inside. */
export interface Mount {
  source: string;
  target: string;
  isReadOnly: boolean;
}

export interface Container {
  pid: number;
  /** Everything that it has printed. */
  output(): string;
  ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts a process of the image as a container runtime does: its own mounts, the image's files read-only,
 * /run in memory, as the image's user, without new rights, with no variable but those given.
 */
export function startContainer({ root, config }: Image, options: ContainerOptions): Container {
  const { command = config.Cmd, environment = {}, secrets = {} } = options;
  const { user = config.User, isWritable = false, network, mounts = [], tmpfs = [] } = options;
  const folder = mkdtempSync(join(tmpdir(), "svc-secrets-"));
  for (const [name, value] of Object.entries(secrets)) writeFileSync(join(folder, name), value);
  const variables = [...config.Env, ...Object.entries(environment).map((pair) => pair.join("="))];
  const script = [MOUNTS, ...tmpfs.map(inMemory), ...mounts.map(bound), START].join("\n");
  const inNetwork = network === undefined ? [] : ["nsenter", `--net=/run/netns/${network}`];
  const alone = ["unshare", "--mount", "sh", "-ec", script, root, isWritable ? "rw" : "ro", folder];
  const rights = ["setpriv", "--no-new-privs", "chroot", `--userspec=${user}`, root];
  const inside = ["env", "-i", "-C", config.WorkingDir, ...variables, ...command];
  const [program, ...words] = [...inNetwork, ...alone, ...rights, ...inside];
  const child = spawn(program!, words, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  }
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    // Each step becomes the next one, so this is the process itself.
    pid: child.pid!,
    output: () => output,
    ended,
    kill: (signal) => void child.kill(signal),
  };
}

/** Runs one command to its end. */
export async function runContainer(
  image: Image,
  options: ContainerOptions,
): Promise<{ code: number | null; output: string }> {
  const container = startContainer(image, options);
  return { code: await container.ended, output: container.output() };
}

/** $0: the image's files, $1: `ro` or `rw`, $2: the secrets; then what is started. */
const MOUNTS = `
mount --bind "$0" "$0"
mount -t proc proc "$0/proc"
mount -t tmpfs tmpfs "$0/run"
mount --rbind /dev "$0/dev"
mkdir "$0/run/secrets"
cp -r "$2/." "$0/run/secrets/"
chmod -R a+rX "$0/run/secrets"
rm -r "$2"
`;

const inMemory = (path: string): string => `mkdir -p "$0${path}"; mount -t tmpfs tmpfs "$0${path}"`;

const bound = ({ source, target, isReadOnly }: Mount): string => `
mkdir -p "$0${dirname(target)}"
if [ -d "${source}" ]; then mkdir -p "$0${target}"; else [ -e "$0${target}" ] || touch "$0${target}"; fi
mount --bind "${source}" "$0${target}"
${isReadOnly ? `mount -o remount,bind,ro "$0${target}"` : ""}`;

/** Last: where something is mounted, there must be a place for it. */
const START = `
mount -o "remount,bind,$1" "$0"
shift 2
exec "$@"
`;
