import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { startLanguageModel, startNameServer, startWebhookReceiver } from "@svc/rehearsal";
import type { LanguageModel, WebhookReceiver } from "@svc/rehearsal";
import { addCustomer, addReceiver, applyFolder } from "@svc/server/testing";
import type { Customer, ServerProcess } from "@svc/server/testing";
import { openStage } from "../stage/stage.ts";
import type { Stage } from "../stage/stage.ts";

/** Everything that runs: the service with all its roles, the seeded agent, a customer's receiver, and the SDK as it is served. */
export interface WholeProduct {
  stage: Stage;
  server: ServerProcess;
  model: LanguageModel;
  receiver: WebhookReceiver;
  customer: Customer;
  /** The example agent, which demonstrates Svc itself. */
  agentId: string;
  /** What the customer was given to check signatures with. */
  secret: string;
  /** Starts another process of the service. */
  serve(settings?: Record<string, string>): Promise<ServerProcess>;
}

const ROOT = resolve(import.meta.dirname, "../../..");
export const EXAMPLE: string = resolve(ROOT, "server/src/agents/example");

export async function openWholeProduct(
  onEnd: (clean: () => unknown) => void,
  settings: Record<string, string> | ((stage: Stage) => Promise<Record<string, string>>) = {},
): Promise<WholeProduct> {
  await buildSdk();
  const stage = await openStage();
  onEnd(() => stage.close());
  const ofAll = typeof settings === "function" ? await settings(stage) : {};
  const model = await startLanguageModel();
  onEnd(() => model.close());
  const customer = await addCustomer(stage.database.db);
  const { agentId } = await applyFolder(stage.database.db, customer.account.id, EXAMPLE);
  const receiver = await startWebhookReceiver();
  onEnd(() => receiver.close());
  const names = await startNameServer();
  onEnd(() => names.close());
  const { secret } = await addReceiver(stage.database.db, customer, receiver.url);
  const serve = (more: Record<string, string> = {}): Promise<ServerProcess> =>
    stage.startServer({
      SVC_ROLE: "all",
      SVC_MODEL_URL: model.baseUrl,
      SVC_EVALUATION_MODEL: "rehearsal",
      SVC_WEBHOOK_PLAIN_HTTP: "on",
      SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
      SVC_DNS_SERVERS: names.server,
      SVC_SHUTDOWN_SECS: "1",
      ...ofAll,
      ...more,
    });
  const server = await serve(typeof settings === "function" ? {} : settings);
  return { stage, server, model, receiver, customer, agentId, secret, serve };
}

/** As `npm run build` does. Returns the names of the files that belong to this build. */
export async function buildSdk(): Promise<string[]> {
  const build = resolve(ROOT, "sdk/build/build.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [build]);
  return stdout
    .split("\n")
    .flatMap((line) => line.split(" ", 1))
    .filter((name) => name !== "");
}

export const SDK_FILES: string = resolve(ROOT, "sdk/dist");
