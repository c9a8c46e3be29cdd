import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A network namespace for a visitor's browser, with a cable to this machine. */
export interface VisitorNetwork {
  /** This machine's end of the cable. */
  media: { address: string; device: string };
  /** Starts Chromium there. */
  browser: { program: string; switches: string[] };
  /** Lets the browser reach by its own address what listens on this machine's loopback only. */
  reach(...urls: string[]): Promise<void>;
  /** In place of the rules before, in the words of nftables: what happens to packets that leave the browser, and that come. */
  filter(leaves: readonly string[], comes?: readonly string[]): Promise<void>;
  /** Packets since the last reading that a rule counts by this name. */
  count(name: Counted): Promise<number>;
}

export type Counted = "over_udp" | "over_tcp";
const COUNTERS: Counted[] = ["over_udp", "over_tcp"];

export async function openVisitorNetwork(
  onEnd: (clean: () => unknown) => void,
): Promise<VisitorNetwork> {
  const network = `svc-visitor-${process.pid}`;
  const device = `svc${process.pid}`;
  const nearby = `10.${64 + ((process.pid >> 8) & 63)}.${process.pid & 255}`;
  const [address, theirs] = [`${nearby}.1`, `${nearby}.2`];
  await shell(`ip netns add ${network}`);
  onEnd(() => shell(`ip netns delete ${network}`));
  await shell(`
    ip link add ${device} type veth peer name cable netns ${network}
    ip address add ${address}/24 dev ${device}
    ip link set ${device} up
    ip -n ${network} address add ${theirs}/24 dev cable
    ip -n ${network} link set lo up
    ip -n ${network} link set cable up`);
  const folder = await mkdtemp(join(tmpdir(), "svc-visitor-"));
  onEnd(() => rm(folder, { recursive: true }));
  const program = join(folder, "chromium");
  await writeFile(
    program,
    `#!/bin/sh\nexec nsenter --net=/run/netns/${network} /usr/bin/chromium "$@"\n`,
  );
  await chmod(program, 0o755);
  const nft = (command: string): Promise<string> =>
    shell(`nsenter --net=/run/netns/${network} nft --json '${command}'`);
  return {
    media: { address, device },
    // Its pages are on loopback still, or they would get no microphone.
    browser: { program, switches: [`--host-resolver-rules=MAP 127.0.0.1 ${address}`] },
    async reach(...urls) {
      for (const url of urls) await forward(onEnd, address, Number(new URL(url).port));
    },
    async filter(leaves, comes = []) {
      const chain = (name: string, hook: string, rules: readonly string[]): string =>
        `chain ${name} { type filter hook ${hook} priority 0; ${rules.map((rule) => `${rule};`).join(" ")} }`;
      await nft(`
        table inet visitor
        delete table inet visitor
        table inet visitor {
          ${COUNTERS.map((name) => `counter ${name} {}`).join("\n")}
          ${chain("leaves", "output", leaves)}
          ${chain("comes", "input", comes)}
        }`);
    },
    async count(name) {
      const { nftables } = JSON.parse(await nft(`reset counter inet visitor ${name}`)) as {
        nftables: { counter?: { packets: number } }[];
      };
      return nftables.find(({ counter }) => counter !== undefined)?.counter?.packets ?? Number.NaN;
    },
  };
}

/** From the cable to loopback, by the same port. */
async function forward(
  onEnd: (clean: () => unknown) => void,
  address: string,
  port: number,
): Promise<void> {
  const server = createServer((from) => {
    const to = connect(port, "127.0.0.1");
    from.on("error", () => to.destroy()).on("close", () => to.destroy());
    to.on("error", () => from.destroy()).on("close", () => from.destroy());
    from.pipe(to).pipe(from);
  });
  server.listen(port, address);
  await once(server, "listening");
  onEnd(() => server.close());
}

async function shell(script: string): Promise<string> {
  try {
    return (await run("sh", ["-ec", script])).stdout;
  } catch (error) {
    throw new Error(
      "This claim makes a network namespace: run it as root, with iproute2 and nftables installed.",
      { cause: error },
    );
  }
}
