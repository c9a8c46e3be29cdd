import { Resolver } from "node:dns/promises";

/** Asks name servers itself, by c-ares. `dns.lookup` would let one dead name server block every thread that looks up names. */
export interface Dns {
  /** IPv4 addresses first. Rejects with c-ares' error when there are none, or with the signal's reason. */
  addressesOf(name: string, signal: AbortSignal): Promise<string[]>;
  /** Returns the mail exchanges of a name, the preferred host first; `""` says that it takes none. Rejects as `addressesOf` does. */
  exchangesOf(name: string, signal: AbortSignal): Promise<string[]>;
}

export interface DnsOptions {
  /** Name servers as in resolv.conf, optionally with a port: `127.0.0.1:5353`. By default those of the machine. */
  servers?: readonly string[] | undefined;
}

/** A second try waits twice as long, so a name server that is silent costs 4.5 s. */
const PATIENCE = { timeout: 1_500, tries: 2 };

export function createDns({ servers = [] }: DnsOptions = {}): Dns {
  async function ask<T>(
    signal: AbortSignal,
    lookUp: (resolver: Resolver) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    // Each lookup has its own resolver: cancelling one must not cancel those of other tenants.
    const resolver = new Resolver(PATIENCE);
    // With an empty list it would have nobody to ask.
    if (servers.length > 0) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await lookUp(resolver);
    } finally {
      signal.removeEventListener("abort", cancel);
      signal.throwIfAborted();
    }
  }
  return {
    addressesOf: (name, signal) => ask(signal, (resolver) => addressesBy(resolver, name)),
    exchangesOf: (name, signal) => ask(signal, (resolver) => exchangesBy(resolver, name)),
  };
}

async function addressesBy(resolver: Resolver, name: string): Promise<string[]> {
  const lookups = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = lookups.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  if (found.length > 0) return found;
  const errors = lookups.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  // "There is none" counts only when both were told so.
  throw errors.find((error) => !saysThereIsNone(error)) ?? errors[0];
}

async function exchangesBy(resolver: Resolver, name: string): Promise<string[]> {
  const records = await resolver.resolveMx(name);
  return records
    .toSorted((one, other) => one.priority - other.priority)
    .map(({ exchange }) => exchange.toLowerCase());
}

/** The name servers answered, and the name does not exist or has no record of that kind. */
export function saysThereIsNone(error: unknown): boolean {
  const code = dnsCode(error);
  return code === "ENOTFOUND" || code === "EBADNAME" || saysNoSuchRecord(error);
}

/** The name servers answered: the name exists, and has no record of that kind. */
export function saysNoSuchRecord(error: unknown): boolean {
  return dnsCode(error) === "ENODATA";
}

function dnsCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
