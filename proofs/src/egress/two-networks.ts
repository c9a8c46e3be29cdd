import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const IP = "ip";

/**
 * Two network namespaces with a cable between them: in one the sender, in the other the rest of
 * the world, to which every address belongs. What leaves the sender is counted by nftables.
 */
export interface TwoNetworks {
  start(side: Side, script: URL, args?: string[]): Promise<Worker>;
  /** Packets since the last reading. */
  read(): Promise<Packets>;
}

type Side = "sender" | "world";

export interface Packets {
  /** To addresses that were named as allowed. */
  outside: number;
  /** To any other, loopback included. The name server and the neighbour's protocol are left out. */
  inside: number;
  /** Which those others were. */
  reached: string[];
}

/** A process in one of the two networks. */
export interface Worker {
  ask<T>(message: object): Promise<T>;
}

/** Of the cable's ends. They are public, as the sender's own would be. */
const LINK = { sender: ["45.0.0.2", "2a00::2"], world: ["45.0.0.1", "2a00::1"] } as const;
export const NAME_SERVER: string = LINK.world[0];
const SETTINGS = "/etc/netns";

export async function openNetworks(
  allowed: string[],
  onEnd: (clean: () => unknown) => void,
): Promise<TwoNetworks> {
  const name = (side: Side): string => `svc-egress-${process.pid}-${side}`;
  const [sender, world] = [name("sender"), name("world")];
  for (const network of [sender, world]) {
    await shell(`ip netns add ${network}`);
    onEnd(() => shell(`ip netns delete ${network}`));
  }
  await shell(`
    ip link add cable netns ${sender} type veth peer name cable netns ${world}
    for network in ${sender} ${world}; do
      ip -n $network link set lo up
      ip -n $network link set cable up
    done
    ip -n ${sender} address add ${LINK.sender[0]}/24 dev cable
    ip -n ${sender} address add ${LINK.sender[1]}/64 dev cable nodad
    ip -n ${world} address add ${LINK.world[0]}/24 dev cable
    ip -n ${world} address add ${LINK.world[1]}/64 dev cable nodad
    ip -n ${sender} route add default via ${LINK.world[0]}
    ip -n ${sender} -6 route add default via ${LINK.world[1]}
    ip -n ${world} route add local 0.0.0.0/0 dev lo table main
    ip -n ${world} -6 route add local ::/0 dev lo table main`);
  await useNameServer(sender, onEnd);
  const nft = (command: string): Promise<string> =>
    shell(`ip netns exec ${sender} nft --json '${command}'`);
  await nft(rulesFor(allowed));

  return {
    async start(side, script, args = []) {
      const command = [process.execPath, fileURLToPath(script), ...args];
      const child = spawn(IP, ["netns", "exec", name(side), ...command], {
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
      // `ip` becomes the command, so this ends the process itself.
      onEnd(() => child.kill("SIGKILL"));
      const ended = once(child, "exit").then(() => Promise.reject(new Error(`${side} ended`)));
      const next = async (): Promise<unknown> => {
        const [message] = (await Promise.race([once(child, "message"), ended])) as unknown[];
        return message;
      };
      await next();
      return {
        ask<T>(message: object) {
          child.send(message);
          return next() as Promise<T>;
        },
      };
    },
    async read() {
      const table = await nft("list table inet egress");
      await nft(
        "reset counters table inet egress; flush set inet egress reached4; flush set inet egress reached6",
      );
      return readTable(table);
    },
  };
}

/** `ip netns exec` puts this file in the place of /etc/resolv.conf. */
async function useNameServer(
  network: string,
  onEnd: (clean: () => unknown) => void,
): Promise<void> {
  const folder = join(SETTINGS, network);
  const wasThere = (await mkdir(folder, { recursive: true })) === folder;
  onEnd(async () => {
    await rm(folder, { recursive: true });
    // It stays while others have theirs in it.
    if (!wasThere) await rmdir(SETTINGS).catch(() => {});
  });
  await writeFile(join(folder, "resolv.conf"), `nameserver ${NAME_SERVER}\n`);
}

function rulesFor(allowed: string[]): string {
  const ipv4 = allowed.filter((address) => !address.includes(":")).join(", ");
  const ipv6 = allowed.filter((address) => address.includes(":")).join(", ");
  return `
    table inet egress {
      counter outside {}
      counter inside {}
      set reached4 { type ipv4_addr; size 65535; flags dynamic; }
      set reached6 { type ipv6_addr; size 65535; flags dynamic; }
      chain output {
        type filter hook output priority 0; policy accept;
        meta l4proto ipv6-icmp accept
        ip daddr ${NAME_SERVER} udp dport 53 accept
        ip daddr { ${ipv4} } counter name outside accept
        ip6 daddr { ${ipv6} } counter name outside accept
        counter name inside
        add @reached4 { ip daddr }
        add @reached6 { ip6 daddr }
      }
    }`;
}

function readTable(json: string): Packets {
  const { nftables } = JSON.parse(json) as {
    nftables: {
      counter?: { name: string; packets: number };
      set?: { name: string; elem?: string[] };
    }[];
  };
  const packets = (name: string): number =>
    nftables.find(({ counter }) => counter?.name === name)?.counter?.packets ?? Number.NaN;
  const reached = nftables.flatMap(({ set }) => set?.elem ?? []);
  return { outside: packets("outside"), inside: packets("inside"), reached };
}

async function shell(script: string): Promise<string> {
  try {
    const { stdout } = await run("sh", ["-ec", script], { maxBuffer: 2 ** 26 });
    return stdout;
  } catch (error) {
    throw new Error(
      "This claim makes network namespaces: run it as root, with iproute2 and nftables installed.",
      { cause: error },
    );
  }
}
