import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { DOMAIN_CASES, domainOf } from "./domain-cases.ts";

/** Mistakes that checks of mail domains make. */
export const FLAWS = [
  "a null MX is an exchange",
  "no exchange is a no",
  "a failure is a no",
  "any exchange will do",
] as const;
export type Flaw = (typeof FLAWS)[number];

const PRIVATE = /^(?:10\.|127\.|192\.168\.|::1$)/;

/**
 * The control: the check written a second time, with one mistake planted or with none. The cases
 * must show each mistake, and must show nothing in the check without one.
 */
export async function flawedCheck(
  server: string,
  domain: string,
  flaw: Flaw | "none",
  patience: { timeout: number; tries: number },
): Promise<boolean | undefined> {
  const resolver = new Resolver(patience);
  resolver.setServers([server]);
  const addressesOf = async (host: string): Promise<string[] | undefined> => {
    const found = await Promise.all([
      orCode(resolver.resolve4(host)),
      orCode(resolver.resolve6(host)),
    ]);
    const addresses = found.flatMap((one) => (Array.isArray(one) ? one : []));
    return addresses.length > 0 || found.every(isNone) ? addresses : undefined;
  };
  const failed = flaw === "a failure is a no" ? false : undefined;

  const records = await orCode(resolver.resolveMx(domain));
  if (records === "ENOTFOUND") return false;
  if (records === "ENODATA") {
    if (flaw === "no exchange is a no") return false;
    const addresses = await addressesOf(domain);
    return addresses === undefined ? failed : addresses.length > 0;
  }
  if (typeof records === "string") return failed;
  if (flaw === "a null MX is an exchange") return records.length > 0;
  const exchanges = records.map(({ exchange }) => exchange).filter((exchange) => exchange !== "");
  if (flaw === "any exchange will do") return exchanges.length > 0;
  for (const exchange of exchanges) {
    if (isIP(exchange) !== 0 || exchange === "localhost") continue;
    const addresses = (await addressesOf(exchange)) ?? [];
    if (addresses.length === 0 || !addresses.every((address) => PRIVATE.test(address))) return true;
  }
  return false;
}

async function orCode<T>(lookup: Promise<T>): Promise<T | string> {
  return lookup.catch((error: NodeJS.ErrnoException) => error.code ?? "");
}

function isNone(found: unknown): boolean {
  return found === "ENOTFOUND" || found === "ENODATA";
}

/** No time is measured here. */
const PATIENCE = { timeout: 400, tries: 1 };

/** For each planted mistake, and for none, how many of the cases show it. */
export async function noticeFlaws(server: string): Promise<Map<Flaw | "none", number>> {
  const shown = await Promise.all(
    (["none", ...FLAWS] as const).map(async (flaw) => {
      const verdicts = await Promise.all(
        DOMAIN_CASES.map((_, index) => flawedCheck(server, domainOf(index), flaw, PATIENCE)),
      );
      const wrong = DOMAIN_CASES.filter(({ verified }, index) => verified !== verdicts[index]);
      return [flaw, wrong.length] as const;
    }),
  );
  return new Map(shown);
}
