import type { Server as HttpServer } from "node:http";
import { createServer } from "node:net";
import type { Server } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import type { SecureContext } from "node:tls";
import type { Certificates } from "./certificates.ts";
import type { TlsFaultKind } from "./fault.ts";
import type { ReceiverParts } from "./receive.ts";

/** A port that encrypts, well or as a fault says, and hands what it decrypts to `server`. */
export function createSecurePort(
  server: HttpServer,
  certificates: Certificates,
  { switches, connections }: ReceiverParts,
): Server {
  const good = createSecureContext(certificates.good);
  const faulty: Record<Exclude<TlsFaultKind, "tls_stall">, SecureContext> = {
    tls_expired: createSecureContext(certificates.expired),
    tls_self_signed: createSecureContext(certificates.selfSigned),
    tls_wrong_host: createSecureContext(certificates.wrongHost),
    tls_1_0: createSecureContext({
      ...certificates.good,
      minVersion: "TLSv1",
      maxVersion: "TLSv1",
      // Else OpenSSL refuses to speak it.
      ciphers: "DEFAULT@SECLEVEL=0",
    }),
  };
  let count = 0;
  const port = createServer((carrier) => {
    const fault = switches.chooseForConnection(++count);
    if (fault === "tls_stall") return;
    const secureContext = fault === undefined ? good : faulty[fault];
    const encrypted = new TLSSocket(carrier, { isServer: true, secureContext });
    connections.carries(carrier, encrypted);
    server.emit("connection", encrypted);
  });
  connections.watch(port);
  return port;
}
