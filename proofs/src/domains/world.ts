import type { Session } from "@svc/contract/types";
import { startLanguageModel, startWebhookReceiver } from "@svc/rehearsal";
import { addCustomer, addReceiver } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import { startPipelineProcess } from "../pipeline/pipeline-process.ts";
import type { Stage } from "../stage/stage.ts";
import { startNameServer } from "./name-server.ts";
import type { NameServer } from "./name-server.ts";

/** The server at work, a name server that it asks, and a receiver of its events. */
export interface World {
  database: TestDatabase;
  names: NameServer;
  /** For another process of the pipeline. */
  environment: Record<string, string>;
  /** A customer whose events come in here. */
  addCustomer(): Promise<Customer>;
  /** What the customer reads of these sessions, in the same order. */
  exported(customer: Customer, ids: string[]): Promise<(Partial<Session> | undefined)[]>;
  /** The sessions as their events told them. */
  events(id: string): Partial<Session>[];
}

export async function openWorld(
  stage: Stage,
  onEnd: (clean: () => unknown) => void,
): Promise<World> {
  const { database } = stage;
  const names = await startNameServer();
  onEnd(() => names.close());
  const model = await startLanguageModel();
  onEnd(() => model.close());
  const receiver = await startWebhookReceiver();
  onEnd(() => receiver.close());
  const environment = {
    SVC_MODEL_URL: model.baseUrl,
    SVC_DNS_SERVERS: names.server,
    SVC_WEBHOOK_PLAIN_HTTP: "on",
    SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
  };
  const pipeline = startPipelineProcess(database, "pipeline", environment);
  onEnd(() => pipeline.signal("SIGKILL"));
  const api = await stage.startServer();
  await pipeline.started;
  return {
    database,
    names,
    environment,
    addCustomer: async () => {
      const customer = await addCustomer(database.db);
      await addReceiver(database.db, customer, receiver.url);
      return customer;
    },
    exported: async ({ token }, ids) => {
      const answer = await fetch(`${api.url}/v1/sessions.json`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { items } = (await answer.json()) as { items: Partial<Session>[] };
      return ids.map((id) => items.find((item) => item.id === id));
    },
    events: (id) =>
      receiver
        .requests()
        .filter(({ sessionId }) => sessionId === id)
        .map(({ number }) => {
          const event = JSON.parse(String(receiver.content(number)?.body)) as { data: Session };
          return event.data;
        }),
  };
}
