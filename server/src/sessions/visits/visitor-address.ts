import ipaddr from "ipaddr.js";

/**
 * A visitor's address as limits count it. One household has a whole /64 of IPv6 addresses to choose
 * from; an IPv4 address may come in an IPv6 one.
 */
export function visitorAddress(ip: string): string {
  // What a proxy wrote that is no address is one visitor, or it would be a new one with every word.
  if (!ipaddr.isValid(ip)) return "unknown";
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
