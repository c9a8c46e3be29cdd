import { isIP } from "node:net";
import { saysThereIsNone } from "./dns.ts";
import type { Dns } from "./dns.ts";
import { codeOf, EgressFailure } from "./failure.ts";
import { isLocalhost } from "./target.ts";

/**
 * Where a host leads. One address that must not be dialled refuses them all: a name that has
 * both kinds is a try, or a mistake that shows sooner or later.
 */
export async function vettedAddresses(
  host: string,
  { dns, isPermitted, signal }: Vetting,
): Promise<string[]> {
  const addresses = await addressesOf(host, dns, signal);
  const forbidden = addresses.find((address) => !isPermitted(address));
  if (forbidden === undefined) return addresses;
  throw new EgressFailure("forbidden_address", `${host} leads to ${forbidden}`);
}

export interface Vetting {
  dns: Dns;
  isPermitted: (address: string) => boolean;
  signal: AbortSignal;
}

async function addressesOf(host: string, dns: Dns, signal: AbortSignal): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  if (isLocalhost(host)) return ["127.0.0.1", "::1"];
  try {
    return await dns.addressesOf(host, signal);
  } catch (error) {
    if (error instanceof EgressFailure) throw error;
    const why = saysThereIsNone(error) ? "name_not_found" : "dns_failed";
    throw new EgressFailure(why, codeOf(error));
  }
}
