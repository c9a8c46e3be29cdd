import { BlockList, isIPv6 } from "node:net";
import type { Server, Socket } from "node:net";

export interface ConnectionLimit {
  /** 0 for no limit. */
  perAddress: number;
  /** Addresses or ranges of proxies, which open the connections of many visitors. */
  trustedProxies: readonly string[];
  /** The form of an address that counts as one visitor. */
  addressOf(ip: string): string;
}

/**
 * Refuses connections above the limit of their address. Otherwise one client takes every file
 * handle of the process with connections on which it sends nothing.
 */
export function limitConnections(
  server: Server,
  { perAddress, trustedProxies, addressOf }: ConnectionLimit,
): void {
  if (perAddress === 0) return;
  const trusted = blockListOf(trustedProxies);
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const { remoteAddress: ip } = socket;
    if (ip === undefined || trusted.check(ip, isIPv6(ip) ? "ipv6" : "ipv4")) return;
    const address = addressOf(ip);
    const count = (open.get(address) ?? 0) + 1;
    if (count > perAddress) return refuse(socket);
    open.set(address, count);
    socket.once("close", () => {
      const left = open.get(address)! - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

function blockListOf(list: readonly string[]): BlockList {
  const ranges = new BlockList();
  for (const one of list) {
    const [address = "", bits] = one.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) ranges.addAddress(address, family);
    else ranges.addSubnet(address, Number(bits), family);
  }
  return ranges;
}

const BODY = JSON.stringify({
  error: {
    code: "rate_limited",
    message:
      "Too many connections are open from this address. Close some, or wait a moment and connect again.",
  },
});

/** The answer to whatever is asked on a connection above a limit. */
export const TOO_MANY_CONNECTIONS: string = `HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json; charset=utf-8\r\ncache-control: no-store\r\nretry-after: 10\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`;

function refuse(socket: Socket): void {
  socket.on("error", () => socket.destroy());
  socket.write(TOO_MANY_CONNECTIONS);
  socket.destroySoon();
}
