import * as z from "zod";
import { makeCertificates } from "../certificates.ts";
import { openPort } from "../port.ts";
import { readJson } from "../read-value.ts";
import { pageRoutes } from "../stand-in-page.ts";
import { answerNothing, createHttpServer, json, openStandIn, wholeNumber } from "../stand-in.ts";
import type { Routes } from "../stand-in.ts";
import { createFaults } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { readEvent, receive } from "./receive.ts";
import type { ReceivedEvent, ReceiverParts } from "./receive.ts";
import { RequestLog } from "./request-log.ts";
import type { Counts, ReceivedRequest, RequestContent } from "./request-log.ts";
import { createSecurePort } from "./secure-port.ts";
import { Keyring } from "./signatures.ts";

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
  /** Where it speaks TLS, and the authority that issued its certificate: PEM, as text and as a file for NODE_EXTRA_CA_CERTS. */
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
  // First of all: without openssl no port is left open.
  const certificates = options.tls && (await makeCertificates(options.tls.names));
  const log = new RequestLog();
  const keyring = new Keyring(options.secrets ?? []);
  const faults = createFaults({ hasTls: certificates !== undefined });
  const parts: ReceiverParts = { log, keyring, faults };
  const { url, serve, setFaults, close } = await openStandIn(faults, options);
  const addresses: Addresses = { url };
  const listener = serve(routes(parts, addresses), (request, response) => {
    const isWebhook = request.method === "POST" && !request.url?.startsWith("/rehearsal/");
    if (isWebhook) receive(parts, request, response);
    else answerNothing(request, response);
  });
  const securePort =
    certificates &&
    (await openPort(
      createSecurePort(createHttpServer(listener), certificates, faults),
      options.tls?.port,
    ));
  if (securePort) addresses.secureUrl = `https://127.0.0.1:${securePort.number}`;

  return {
    url,
    secure: certificates && {
      url: addresses.secureUrl!,
      authority: certificates.authority,
      authorityFile: certificates.authorityFile,
    },
    setFaults: (wanted) => void setFaults(wanted),
    setSecrets: (secrets) => keyring.set(secrets),
    requests: (after = 0) => log.after(after),
    content: (number) => log.content(number),
    counts: () => log.counts(),
    async close() {
      await Promise.all([close(), securePort?.close(), certificates?.remove()]);
    },
  };
}

interface Addresses {
  url: string;
  secureUrl?: string;
}

/** What the page shows. */
export interface View extends Addresses {
  secrets: number;
  counts: Counts;
  faults: (Fault & { hits: number })[];
  /** Newest first. */
  requests: (ReceivedRequest & { event?: ReceivedEvent | { problem: string } })[];
}

function routes(parts: ReceiverParts, addresses: Addresses): Routes {
  const { log, keyring } = parts;
  return {
    ...pageRoutes(import.meta.dirname, words, (newest) => viewOf(parts, addresses, newest)),
    "GET /rehearsal/requests": ({ query }) => {
      const requests = log.after(wholeNumber(query, "after", 0), wholeNumber(query, "limit", 1000));
      return json({ counts: log.counts(), requests });
    },
    "GET /rehearsal/content": ({ query }) => {
      const { headers, body } = log.content(wholeNumber(query, "number", 0)) ?? {};
      return json({ headers, body: body?.toString() });
    },
    "PUT /rehearsal/secrets": ({ body }) => {
      keyring.set(readJson(z.strictObject({ secrets: z.array(z.string()) }), body).secrets);
      return json({ known: keyring.size });
    },
    "POST /rehearsal/secrets": ({ body }) => {
      keyring.add(readJson(z.strictObject({ secret: z.string() }), body).secret);
      return json({ known: keyring.size });
    },
  };
}

const words = {
  title: "Webhook receiver",
  intro: `It stands in for a customer's program: whatever is posted to <code id="url"></code> is taken, checked and
    shown here.`,
  boxes: ["Requests", "Signatures"],
  nothing:
    "Nothing yet. Evaluate a session, or evaluate one again, and it arrives here in a moment.",
};

function viewOf(
  { log, keyring, faults }: ReceiverParts,
  addresses: Addresses,
  newest: number,
): View {
  return {
    ...addresses,
    secrets: keyring.size,
    counts: log.counts(),
    faults: faults.list(),
    requests: log.newest(newest).map((request) => {
      const body = log.content(request.number)?.body;
      return { ...request, ...(body !== undefined && { event: readEvent(body) }) };
    }),
  };
}
