import { connect, isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { saysThereIsNone } from "./dns.ts";
import type { Dns } from "./dns.ts";
import { EgressFailure, codeOf, connectFailure } from "./failure.ts";
import { isLocalhost } from "./target.ts";
import type { Target } from "./target.ts";

/** A dead address must leave time for the next one. */
const FIRST_TRIES_MS = 3_000;

/**
 * Connects to the first of these addresses that answers, and to none but these. The name is used
 * for TLS alone: looking it up a second time could lead elsewhere.
 */
export async function dial(
  target: Target,
  addresses: readonly string[],
  options: { signal: AbortSignal; trustedCertificates?: string | undefined },
): Promise<Socket> {
  const last = addresses.length - 1;
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    options.signal.throwIfAborted();
    const limitMs = index === last ? undefined : FIRST_TRIES_MS;
    try {
      return await dialOne(target, address, limitMs, options);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function dialOne(
  target: Target,
  address: string,
  limitMs: number | undefined,
  options: { signal: AbortSignal; trustedCertificates?: string | undefined },
): Promise<Socket> {
  const { signal, trustedCertificates } = options;
  const socket = target.isSecure
    ? connectTls({
        host: address,
        port: target.port,
        ...(address === target.host ? {} : { servername: target.host }),
        ...(trustedCertificates === undefined ? {} : { ca: trustedCertificates }),
        ALPNProtocols: ["http/1.1"],
        minVersion: "TLSv1.2",
        // Said outright: an environment variable can switch off the default.
        rejectUnauthorized: true,
      })
    : connect({ host: address, port: target.port });
  socket.setNoDelay(true);

  return new Promise((resolve, reject) => {
    let isAccepted = false;
    const stop = (): void => void socket.destroy(signal.reason as Error);
    const timer =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            socket.destroy(new EgressFailure("connect_failed", `no answer from ${address}`));
          }, limitMs);
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    };
    signal.addEventListener("abort", stop, { once: true });
    socket
      .once("connect", () => (isAccepted = true))
      .once(target.isSecure ? "secureConnect" : "connect", () => {
        settle();
        resolve(socket);
      })
      // Stays for the socket's life: an error that nobody listens for ends the process.
      .on("error", (error) => {
        settle();
        reject(error instanceof EgressFailure ? error : connectFailure(error, isAccepted));
      });
  });
}

/**
 * Resolves a host to addresses that may be dialled. One address that must not be dialled refuses them all: a name that has
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
