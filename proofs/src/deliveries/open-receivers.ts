import { startWebhookReceiver } from "@svc/rehearsal";
import type { WebhookReceiver } from "@svc/rehearsal";
import { addCustomer, addReceiver, startScriptedDns } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import type { Trouble } from "./trouble.ts";

/** A customer with receivers, all of them one stand-in told apart by their paths. */
export interface Receivers {
  customer: Customer;
  receiver: WebhookReceiver;
  /** By path. */
  endpoints: Map<string, { id: string; secret: string }>;
  /** What the pipeline must be told to reach them. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

export async function openReceivers(
  { db }: TestDatabase,
  { plain, secure, named, faults, lookUp }: Trouble,
): Promise<Receivers> {
  const dns = await startScriptedDns(({ name, type }) => (type === "A" ? lookUp(name) : []));
  const receiver = await startWebhookReceiver({ tls: {}, faults });
  const { port } = new URL(receiver.url);
  const urls = [
    ...plain.map((path) => [path, receiver.url + path] as const),
    ...secure.map((path) => [path, receiver.secure!.url + path] as const),
    ...named.map((path) => [path, `http://${path.slice(1)}.test:${port}${path}`] as const),
  ];
  const customer = await addCustomer(db);
  const endpoints: Receivers["endpoints"] = new Map();
  for (const [path, url] of urls) endpoints.set(path, await addReceiver(db, customer, url));
  receiver.setSecrets([...endpoints.values()].map(({ secret }) => secret));
  return {
    customer,
    receiver,
    endpoints,
    environment: {
      SVC_WEBHOOK_PLAIN_HTTP: "on",
      SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
      SVC_DNS_SERVERS: dns.server,
      NODE_EXTRA_CA_CERTS: receiver.secure!.authorityFile,
    },
    close: async () => {
      dns.close();
      await receiver.close();
    },
  };
}
