import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel, startWebhookReceiver } from "@svc/rehearsal";
import type { WebhookReceiver } from "@svc/rehearsal";
import { addCustomer, end, EXAMPLE_TURNS, say, start } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import { environmentOf, PASSWORDS } from "../cli/scenarios/scenario.ts";
import { Svc } from "../cli/svc.ts";
import type { Canary, Readable } from "./canaries.ts";
import { startLoudServer } from "./loud-server.ts";
import type { LoudServer } from "./loud-server.ts";

type KeyId = "k1" | "k2" | "k3";

/** A server, its operator and a customer, whose every secret is known, and everything that could be read of them. */
export class SecretWorld {
  readonly database: TestDatabase;
  readonly customer: Customer;
  readonly receiver: WebhookReceiver;
  readonly keys: Record<KeyId, string> = { k1: newKey(), k2: newKey(), k3: newKey() };
  readonly modelKey: string = `sk-${newKey()}`;
  readonly canaries: Canary[];
  readonly #seen: Readable[] = [];
  readonly #servers: LoudServer[] = [];
  readonly #svc: Svc;
  readonly #directory: string;
  #modelUrl = "";

  static async open(
    database: TestDatabase,
    directory: string,
    onEnd: (clean: () => unknown) => void,
  ): Promise<SecretWorld> {
    const receiver = await startWebhookReceiver();
    onEnd(() => receiver.close());
    const world = new SecretWorld(database, directory, receiver, await addCustomer(database.db));
    onEnd(() => world.#close());
    const model = await startLanguageModel({ apiKey: world.modelKey });
    onEnd(() => model.close());
    world.#modelUrl = model.baseUrl;
    return world;
  }

  constructor(
    database: TestDatabase,
    directory: string,
    receiver: WebhookReceiver,
    customer: Customer,
  ) {
    this.database = database;
    this.receiver = receiver;
    this.customer = customer;
    this.#directory = directory;
    this.#svc = new Svc(directory);
    this.canaries = [
      ...Object.entries(this.keys).map(([id, secret]) => ({ name: `key ${id}`, secret })),
      { name: "the model's key", secret: this.modelKey },
      { name: "an API token", secret: customer.token },
      { name: "the owner's password", secret: PASSWORDS.owner },
      { name: "the export's password", secret: PASSWORDS.export },
    ];
  }

  /** With these keys to seal secrets, the newest first. */
  environment(...ids: KeyId[]): Record<string, string> {
    return {
      ...environmentOf(this.database),
      SVC_ROLE: "all",
      SVC_MIGRATE: "off",
      SVC_MODEL_URL: this.#modelUrl,
      SVC_MODEL_KEY: this.modelKey,
      SVC_EVALUATION_MODEL: "rehearsal",
      SVC_SECRET_KEYS: ids.map((id) => `${id}:${this.keys[id]}`).join(","),
      SVC_WEBHOOK_RETRY_SECS: "1",
    };
  }

  /** In place of the server before. */
  async serve(environment: Record<string, string>): Promise<LoudServer> {
    await this.#servers.at(-1)?.stop();
    const server = await startLoudServer({
      ...environment,
      NODE_COMPILE_CACHE: this.#directory,
    });
    this.#servers.push(server);
    return server;
  }

  /** Calls `svc`. What it issues is a secret from then on, and may stand in this answer once. */
  async operate(
    environment: Record<string, string>,
    ...argv: string[]
  ): Promise<Record<string, unknown>> {
    const { exitCode, out, err } = await this.#svc.run([...argv, "--json"], {
      environment,
      directory: this.#directory,
    });
    const answer = exitCode === 0 ? (JSON.parse(out) as Record<string, unknown>) : {};
    const issued = answer["secret"] ?? answer["token"];
    const where = `svc ${argv.join(" ")}`;
    if (typeof issued !== "string") {
      this.#seen.push({ where, text: out + err });
      return answer;
    }
    this.canaries.push({ name: `what ${where} issued`, secret: issued });
    this.#seen.push({ where, text: out.replace(issued, "") + err });
    return answer;
  }

  async look(where: string, answer: Response): Promise<void> {
    this.#seen.push({ where, text: JSON.stringify([...answer.headers]) + (await answer.text()) });
  }

  /** A session ends. */
  async talk(): Promise<void> {
    const { db } = this.database;
    const session = await start(db, this.customer);
    await say(db, session, EXAMPLE_TURNS);
    await end(db, session);
  }

  /** What the receiver gets of a session that ends now, if it gets anything soon. */
  async deliver(withinMs = 8_000): Promise<DeliveredRequest | undefined> {
    const { total } = this.receiver.counts();
    await this.talk();
    const until = performance.now() + withinMs;
    const content = (): ReturnType<WebhookReceiver["content"]> => this.receiver.content(total + 1);
    while (content()?.body === undefined && performance.now() < until) await delay(20);
    const { headers = {}, body } = content() ?? {};
    return body && { headers: headers as Record<string, string>, body };
  }

  /** All that was said and shown so far. */
  readable(): Readable[] {
    const logs = this.#servers.map((server, index) => ({
      where: `the log of server ${index + 1}`,
      text: server.said(),
    }));
    return [...logs, ...this.#seen];
  }

  async #close(): Promise<void> {
    this.#svc.close();
    await this.#servers.at(-1)?.stop();
  }
}

export interface DeliveredRequest {
  headers: Record<string, string>;
  body: Buffer;
}

function newKey(): string {
  return randomBytes(32).toString("base64");
}
