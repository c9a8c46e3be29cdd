import ipaddr from "ipaddr.js";

/** The sizes of the networks that limits count apart from the address itself. */
export type NetworkBits = 56 | 48 | 24;

/** A network that holds a visitor's address, such as `2001:db8:1::/48`. */
export interface Network {
  bits: NetworkBits;
  cidr: string;
}

/**
 * A visitor's IP address in the form that limits count. Of IPv6 the /64 counts, because one
 * household has a whole /64; IPv4 addresses mapped to IPv6 count as IPv4.
 */
export function visitorAddress(ip: string): string {
  // Invalid addresses count as one visitor: otherwise every new text from a proxy would be a new visitor.
  if (!ipaddr.isValid(ip)) return UNKNOWN_ADDRESS;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${hexOf(address.parts.slice(0, 4))}::/64`;
}

export const UNKNOWN_ADDRESS = "unknown";

/**
 * The wider networks of an address, smallest first: providers give a customer an IPv6 /56 or a /48,
 * and an IPv4 /24 is the smallest that is routed on its own. Somebody who owns one would otherwise
 * count as thousands of visitors.
 *
 * @param address as `visitorAddress` returns it
 */
export function networksOf(address: string): Network[] {
  if (address === UNKNOWN_ADDRESS) return [];
  if (!address.includes(":")) return [{ bits: 24, cidr: address.replace(/\d+$/, "0/24") }];
  const [a = 0, b = 0, c = 0, d = 0] = address.split(":", 4).map((part) => parseInt(part, 16));
  return [
    { bits: 56, cidr: `${hexOf([a, b, c, d & 0xff00])}::/56` },
    { bits: 48, cidr: `${hexOf([a, b, c])}::/48` },
  ];
}

function hexOf(parts: number[]): string {
  return parts.map((part) => part.toString(16)).join(":");
}
