import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Which addresses requests may go to beside public ones. */
export interface GuardOptions {
  /** Loopback and the private ranges too. */
  allowPrivate?: boolean | undefined;
  /** Ranges that are public by their number and the operator's own in fact: `203.0.114.0/24`. */
  alsoForbidden?: readonly string[] | undefined;
}

/** Judges addresses, as DNS gives them or as a URL spells them out: may a request go there? */
export function createAddressGuard({
  allowPrivate = false,
  alsoForbidden = [],
}: GuardOptions): (address: string) => boolean {
  const ranges = alsoForbidden.map((range) => ipaddr.parseCIDR(range));
  return (address) => {
    const kind = addressKind(address);
    if (kind === "forbidden" || (kind === "private" && !allowPrivate)) return false;
    return !isWithin(ipaddr.parse(address), ranges);
  };
}

export type AddressKind = "public" | "private" | "forbidden";

/**
 * Classifies an IP address. `private` is what an operator may allow: loopback and the
 * private ranges. All that is neither that nor public is forbidden to everybody: link-local
 * addresses, where clouds hand out credentials, multicast, and each way of writing an IPv4
 * address inside an IPv6 one.
 */
export function addressKind(address: string): AddressKind {
  // Only the one spelling that is dialled as it is judged: no octal, no short form, no zone.
  if (isIP(address) === 0 || address.includes("%")) return "forbidden";
  const parsed = ipaddr.parse(address);
  if (isWithin(parsed, CLOUD_HOSTS)) return "forbidden";
  const range = parsed.range();
  if (range === "unicast") {
    // ipaddr.js calls unicast what it has no other name for, `::5efe:127.0.0.1` included.
    const isPublic = parsed.kind() === "ipv4" || isWithin(parsed, GLOBAL_UNICAST);
    return isPublic ? "public" : "forbidden";
  }
  const isPrivate = range === "private" || range === "loopback" || range === "uniqueLocal";
  return isPrivate ? "private" : "forbidden";
}

type Address = ReturnType<typeof ipaddr.parse>;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

const GLOBAL_UNICAST = [ipaddr.parseCIDR("2000::/3")];

/**
 * Addresses at which clouds serve their own machines, outside the ranges that are forbidden anyway:
 * metadata of AWS, Google and Scaleway inside private ranges; the wire server and DNS of Azure and the
 * services of IBM Cloud for its own machines, which are public by their numbers.
 */
const CLOUD_HOSTS = [
  "168.63.129.16/32",
  "161.26.0.0/16",
  "166.8.0.0/14",
  "fd00:ec2::254/128",
  "fd00:ec2::253/128",
  "fd00:ec2::123/128",
  "fd20:ce::254/128",
  "fd00:42::42/128",
].map((range) => ipaddr.parseCIDR(range));

function isWithin(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some((range) => range[0].kind() === address.kind() && address.match(range));
}
