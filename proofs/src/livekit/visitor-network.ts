import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { soundFirst } from "../browsers/sound-card.ts";

const run = promisify(execFile);

/** What happens to packets on their way, in both directions. */
export interface Weather {
  /** Of all packets, chosen at random. */
  lossPercent?: number;
  /** As many pass in a second; without a number all that come. */
  kbits?: number;
  /** How long each takes, one way. */
  lateMs?: number;
}

/** A network namespace for a visitor's browser, with a road to this machine that leads through another. */
export interface VisitorNetwork {
  /** This machine's end of the road. */
  media: { address: string; device: string };
  /** Starts Chromium there. */
  browser: { program: string; switches: string[] };
  /** Lets the browser reach by its own address what listens on this machine's loopback only. */
  reach(...urls: string[]): Promise<void>;
  /** In place of the rules before, in the words of nftables: what happens to packets that leave the browser, and that come. */
  filter(leaves: readonly string[], comes?: readonly string[]): Promise<void>;
  /** In place of the weather before. */
  weather(weather: Weather): Promise<void>;
  /** The share of packets that the weather has cost since. */
  lost(): Promise<number>;
  /** Packets since the last reading that a rule counts by this name. */
  count(name: Counted): Promise<number>;
}

const LATE_ROAD = join(import.meta.dirname, "late-road.py");

export type Counted = "over_udp" | "over_tcp";
const COUNTERS: Counted[] = ["over_udp", "over_tcp"];

export async function openVisitorNetwork(
  onEnd: (clean: () => unknown) => void,
): Promise<VisitorNetwork> {
  const network = `svc-visitor-${process.pid}`;
  const road = `svc-road-${process.pid}`;
  const device = `svc${process.pid}`;
  const nearby = `10.${64 + ((process.pid >> 8) & 63)}.${process.pid & 255}`;
  const [address, theirs] = [`${nearby}.1`, `${nearby}.2`];
  for (const name of [network, road]) {
    await shell(`ip netns add ${name}`);
    onEnd(() => shell(`ip netns delete ${name}`));
  }
  await shell(`
    ip link add ${device} type veth peer name here netns ${road}
    ip -n ${road} link add there type veth peer name near
    ip -n ${road} link add far type veth peer name cable netns ${network}
    ip -n ${road} link add bridge type bridge
    for end in here there; do ip -n ${road} link set $end master bridge; done
    for end in here there bridge near far; do ip -n ${road} link set $end up; done
    ip address add ${address}/24 dev ${device}
    ip link set ${device} gso_max_segs 1 up
    ip -n ${network} address add ${theirs}/24 dev cable
    ip -n ${network} link set lo up
    ip -n ${network} link set cable gso_max_segs 1 up`);
  const late = spawn("nsenter", [`--net=/run/netns/${road}`, "python3", LATE_ROAD, "near", "far"], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  onEnd(() => late.kill());
  soundFirst(late.pid!);
  const folder = await mkdtemp(join(tmpdir(), "svc-visitor-"));
  onEnd(() => rm(folder, { recursive: true }));
  const program = join(folder, "chromium");
  await writeFile(
    program,
    `#!/bin/sh\nexec nsenter --net=/run/netns/${network} /usr/bin/chromium "$@"\n`,
  );
  await chmod(program, 0o755);
  const nft = (command: string, where = network): Promise<string> =>
    shell(`nsenter --net=/run/netns/${where} nft --json '${command}'`);
  const readCounter = async (command: string, where = network): Promise<number> => {
    const { nftables } = JSON.parse(await nft(command, where)) as {
      nftables: { counter?: { packets: number } }[];
    };
    return nftables.find(({ counter }) => counter !== undefined)?.counter?.packets ?? Number.NaN;
  };
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
    // Lost on the way, as packets are: one that is dropped where it is sent is an error of whoever sends it.
    async weather({ lossPercent = 0, kbits, lateMs = 0 }) {
      late.stdin.write(`${lateMs}\n`);
      const loses = `numgen random mod 100 < ${lossPercent} counter name lost drop;`;
      await nft(
        `
        table bridge road
        delete table bridge road
        table bridge road {
          counter sent {}
          counter lost {}
          chain on { type filter hook forward priority 0; counter name sent; ${lossPercent > 0 ? loses : ""} }
        }`,
        road,
      );
      const queue =
        kbits === undefined ? "pfifo" : `tbf rate ${kbits}kbit burst 16kb latency 400ms`;
      await shell(
        `for end in here there; do tc -n ${road} qdisc replace dev $end root ${queue}; done`,
      );
    },
    async lost() {
      const [sent = 0, lost = 0] = await Promise.all(
        ["sent", "lost"].map((name) => readCounter(`list counter bridge road ${name}`, road)),
      );
      return lost / sent;
    },
    count: (name) => readCounter(`reset counter inet visitor ${name}`),
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
