import type { Server as HttpServer } from "node:http";
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import type { SecureContext } from "node:tls";
import type { Certificates } from "../certificates.ts";
import type { Faults } from "../faults.ts";
import { isTlsFault } from "./fault.ts";
import type { Fault } from "./fault.ts";

/** A port that encrypts, well or as a fault says, and hands what it decrypts to `server`. */
export function createSecurePort(
  server: HttpServer,
  certificates: Certificates,
  faults: Faults<Fault>,
): Server {
  const good = createSecureContext(certificates.good);
  const faulty: Partial<Record<Fault["kind"], SecureContext>> = {
    tls_expired: createSecureContext(certificates.expired),
    tls_self_signed: createSecureContext(certificates.selfSigned),
    tls_wrong_host: createSecureContext(certificates.wrongHost),
    tls_1_0: createSecureContext({
      ...certificates.good,
      minVersion: "TLSv1",
      maxVersion: "TLSv1",
      // At any higher level OpenSSL refuses to speak TLS 1.0.
      ciphers: "DEFAULT@SECLEVEL=0",
    }),
  };
  return createServer((carrier) => {
    const kind = faults.draw("connection", isTlsFault)?.kind;
    if (kind === "tls_stall") return;
    const secureContext = (kind && faulty[kind]) ?? good;
    const encrypted = new TLSSocket(carrier, { isServer: true, secureContext });
    encrypted.on("error", () => {});
    carriers.set(encrypted, carrier);
    server.emit("connection", encrypted);
  });
}

/** What lies below an encrypted connection. */
const carriers = new WeakMap<Socket, Socket>();

/** Ends a connection with a reset in place of a farewell, which only the one below TLS can send. */
export function reset(socket: Socket): void {
  (carriers.get(socket) ?? socket).resetAndDestroy();
}
