import type { IncomingMessage } from "node:http";
import { visitorAddress } from "#sessions";
import ipaddr from "ipaddr.js";

/** Whose addresses are believed when they say for whom they ask. */
export type TrustedProxies = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

/** From addresses and ranges, as in the settings. */
export function trustedProxies(list: readonly string[]): TrustedProxies {
  return list.map((one) => {
    if (one.includes("/")) return ipaddr.parseCIDR(one);
    const address = ipaddr.process(one);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
}

/**
 * The address that limits count: the last one that no trusted proxy stands behind. A header from
 * anybody else says nothing.
 */
export function clientAddress(
  request: Pick<IncomingMessage, "socket" | "headers">,
  trusted: TrustedProxies,
): string {
  const header = request.headers["x-forwarded-for"];
  const forwarded = [header ?? []].flat().join(",").split(",");
  let address = parse(request.socket.remoteAddress ?? "");
  while (address !== undefined && isTrusted(address, trusted)) {
    const next = parse(forwarded.pop()?.trim() ?? "");
    if (next === undefined) break;
    address = next;
  }
  return visitorAddress(address?.toString() ?? "");
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function isTrusted(address: ipaddr.IPv4 | ipaddr.IPv6, trusted: TrustedProxies): boolean {
  return trusted.some(
    ([range, bits]) => range.kind() === address.kind() && address.match(range, bits),
  );
}
