import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener, Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { wrongValue } from "../shape.ts";
import { makeCertificates } from "./certificates.ts";
import { Connections } from "./connections.ts";
import type { Counts } from "./counters.ts";
import { faultList, isTlsFault } from "./fault.ts";
import type { Fault } from "./fault.ts";
import type { ReceiverParts } from "./receive.ts";
import type { ReceivedRequest, RequestContent } from "./received-request.ts";
import { RequestLog } from "./request-log.ts";
import { routes } from "./routes.ts";
import { createSecurePort } from "./secure-port.ts";
import { Keyring } from "./signatures.ts";
import { Switches } from "./switches.ts";
import type { Addresses } from "./view.ts";

export interface WebhookReceiverOptions {
  /** A free one unless told. */
  port?: number;
  /** What requests are signed with. Any of them will do. */
  secrets?: string[];
  faults?: Fault[];
  /** Takes webhooks over TLS too, on a second port. */
  tls?: {
    /** A free one unless told. */
    port?: number;
    /** Names that its certificate is for, beside localhost and 127.0.0.1. */
    names?: string[];
  };
}

/** A running stand-in of a customer's webhook receiver. Any path takes webhooks but those below `/rehearsal`. */
export interface WebhookReceiver {
  /** Its page, and its switches below `/rehearsal`. */
  url: string;
  /** Where it speaks TLS, and who vouches for it: PEM, as text and as a file for NODE_EXTRA_CA_CERTS. */
  secure: { url: string; authority: string; authorityFile: string } | undefined;
  /** In place of those set before. */
  setFaults(faults: Fault[]): void;
  setSecrets(secrets: string[]): void;
  /** Oldest first, from the one after this number; the last 200,000. They change while they are answered. */
  requests(after?: number): readonly Readonly<ReceivedRequest>[];
  /** What a request said; of the last 500. */
  content(number: number): RequestContent | undefined;
  counts(): Counts;
  close(): Promise<void>;
}

export async function startWebhookReceiver(
  options: WebhookReceiverOptions = {},
): Promise<WebhookReceiver> {
  const log = new RequestLog();
  const connections = new Connections();
  const parts: ReceiverParts = {
    log,
    connections,
    keyring: new Keyring(),
    switches: new Switches(),
  };
  const setFaults = (value: unknown): void => {
    const faults = faultList(value, "faults");
    const index = faults.findIndex(({ kind }) => isTlsFault(kind));
    if (index !== -1 && options.tls === undefined) {
      wrongValue(`faults[${index}]`, "was started without a port for TLS");
    }
    parts.switches.set(faults);
    log.counters.touch();
  };
  const setSecrets = (secrets: string[]): void => {
    parts.keyring.set(secrets);
    log.counters.touch();
  };
  setFaults(options.faults ?? []);
  setSecrets(options.secrets ?? []);

  // First of all: without openssl nothing is left half open.
  const certificates =
    options.tls && (await makeCertificates(certificateNames(options.tls.names ?? [])));
  const addresses: Addresses = { url: "" };
  const listener = routes({ parts, addresses, setFaults, setSecrets });
  const server = createHttpServer(listener);
  connections.watch(server);
  addresses.url = `http://127.0.0.1:${await listen(server, options.port)}`;
  const securePort =
    certificates && createSecurePort(createHttpServer(listener), certificates, parts);
  if (securePort !== undefined) {
    addresses.secureUrl = `https://127.0.0.1:${await listen(securePort, options.tls?.port)}`;
  }

  return {
    url: addresses.url,
    secure: certificates && {
      url: addresses.secureUrl!,
      authority: certificates.authority,
      authorityFile: certificates.authorityFile,
    },
    setFaults,
    setSecrets,
    requests: (after = 0) => log.after(after),
    content: (number) => log.content(number),
    counts: () => log.counters.read(),
    async close() {
      const ports = [server, ...(securePort === undefined ? [] : [securePort])];
      const closed = ports.map((port) => once(port.close(), "close"));
      connections.destroyAll();
      await Promise.all([...closed, certificates?.remove()]);
    },
  };
}

function createHttpServer(listener: RequestListener): HttpServer {
  const server = createServer(listener);
  // A client that keeps its connections must not find one closed just as it sends.
  server.keepAliveTimeout = 120_000;
  // Who sends half a request is to be seen, not to be cut off.
  server.requestTimeout = 0;
  return server;
}

async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function certificateNames(names: string[]): string[] {
  return ["localhost", ...names].map((name) => `DNS:${name}`).concat("IP:127.0.0.1");
}
