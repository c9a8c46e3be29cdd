import { isIP } from "node:net";
import { saysNoSuchRecord, saysThereIsNone } from "../egress/dns.ts";
import type { Dns } from "../egress/dns.ts";
import { createAddressGuard } from "../egress/address-guard.ts";
import { isLocalhost } from "../egress/target.ts";

/** Mail servers try no more either, and a domain may name hundreds. */
const MAX_EXCHANGES = 5;

const isPublic = createAddressGuard({});

/**
 * Returns whether a domain accepts mail, according to its name servers. Undefined when they did not
 * say it: taking that for a no would reject a good address because a name server was down.
 */
export async function acceptsMail(
  dns: Dns,
  domain: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const isReachable = async (host: string): Promise<boolean> =>
    (await dns.addressesOf(host, signal)).some(isPublic);
  try {
    const exchanges = await exchangesOf(dns, domain, signal);
    // Without an exchange mail goes to the domain's own host (RFC 5321, 5.1).
    if (exchanges === "none named") return await isReachable(domain);
    for (const exchange of exchanges.filter(isName).slice(0, MAX_EXCHANGES)) {
      // A domain that names one is taken at its word while that one's address is not known.
      if (await isReachable(exchange).catch(() => true)) return true;
    }
    return false;
  } catch (error) {
    return saysThereIsNone(error) ? false : undefined;
  }
}

async function exchangesOf(
  dns: Dns,
  domain: string,
  signal: AbortSignal,
): Promise<string[] | "none named"> {
  try {
    return await dns.exchangesOf(domain, signal);
  } catch (error) {
    if (saysNoSuchRecord(error)) return "none named";
    throw error;
  }
}

/** The empty one is a null MX (RFC 7505): the domain says that it takes no mail. It is easily taken for a record like others. */
function isName(exchange: string): boolean {
  return exchange !== "" && isIP(exchange) === 0 && !isLocalhost(exchange);
}
