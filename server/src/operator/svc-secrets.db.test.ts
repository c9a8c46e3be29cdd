import { spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  addCustomer,
  dumpTables,
  end,
  EXAMPLE_TURNS,
  MAIN,
  operatorEnvironment,
  PASSWORDS,
  playEvaluated,
  say,
  start,
  startEventReceiver,
  startRehearsedModels,
  SvcProcess,
} from "#testing";
import type { Customer, EventReceiver, ReceivedEvent, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect, it, onTestFinished, vi } from "vitest";

interface Secret {
  name: string;
  secret: string;
}

/** Something that people or programs can read. */
interface Readable {
  where: string;
  text: string;
}

/** A server of all roles that logs as much as it can. */
interface LoudServer {
  url: string;
  operationsUrl: string;
  /** Standard output and standard error. */
  said(): string;
}

type Environment = Record<string, string>;
type KeyId = "k1" | "k2" | "k3";

/** A server, its operator and a customer, whose every secret is known, and all that can be read of them. */
class SecretWorld {
  readonly database: TestDatabase;
  readonly customer: Customer;
  readonly receiver: EventReceiver;
  /** How the receiver answers. */
  status = 204;
  readonly keys: Record<KeyId, string> = { k1: newKey(), k2: newKey(), k3: newKey() };
  readonly modelKey: string = `sk-${newKey()}`;
  readonly secrets: Secret[];
  readonly readable: Readable[] = [];
  readonly #svc: SvcProcess;
  readonly #directory: string;
  readonly #modelUrl: string;
  #stop: () => Promise<void> = async () => {};

  static async open(database: TestDatabase): Promise<SecretWorld> {
    const directory = await mkdtemp(join(tmpdir(), "svc-secrets-"));
    const customer = await addCustomer(database.db);
    const { rehearsal } = await startRehearsedModels();
    const receiver = await startEventReceiver(() => world.status);
    const world = new SecretWorld(database, customer, receiver, directory, rehearsal.baseUrl);
    onTestFinished(async () => {
      await world.#stop();
      world.#svc.close();
      receiver.close();
      await rehearsal.close();
      await rm(directory, { recursive: true });
    });
    return world;
  }

  constructor(
    database: TestDatabase,
    customer: Customer,
    receiver: EventReceiver,
    directory: string,
    modelUrl: string,
  ) {
    this.database = database;
    this.customer = customer;
    this.receiver = receiver;
    this.#directory = directory;
    this.#modelUrl = modelUrl;
    this.#svc = new SvcProcess(directory);
    this.secrets = [
      ...Object.entries(this.keys).map(([id, secret]) => ({ name: `key ${id}`, secret })),
      { name: "the model's key", secret: this.modelKey },
      { name: "an API token", secret: customer.token },
      { name: "the owner's password", secret: PASSWORDS.owner },
      { name: "the export's password", secret: PASSWORDS.export },
    ];
  }

  /** With these keys to encrypt secrets, the newest first. */
  environment(...ids: KeyId[]): Environment {
    return {
      ...operatorEnvironment(this.database),
      SVC_ROLE: "all",
      SVC_MIGRATE: "off",
      SVC_MODEL_URL: this.#modelUrl,
      SVC_MODEL_KEY: this.modelKey,
      SVC_EVALUATION_MODEL: "rehearsal",
      SVC_SECRET_KEYS: ids.map((id) => `${id}:${this.keys[id]}`).join(","),
      SVC_WEBHOOK_RETRY_SECS: "0.1",
      SVC_DATABASE_WAIT_SECS: "1",
    };
  }

  /** Starts a server in place of the one before. Resolves when it works, or has ended. */
  async serve(environment: Environment): Promise<LoudServer> {
    await this.#stop();
    const child = spawn(process.execPath, [MAIN], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        NODE_ENV: "production",
        NODE_COMPILE_CACHE: this.#directory,
        SVC_HOST: "127.0.0.1",
        SVC_PORT: "0",
        SVC_OPS_PORT: "0",
        SVC_LOG_LEVEL: "debug",
        ...environment,
      },
    });
    const log: Readable = { where: "a server's log", text: "" };
    this.readable.push(log);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (log.text += text));
    const ended = once(child, "close");
    this.#stop = async () => {
      child.kill("SIGTERM");
      await ended;
    };
    await until(() => child.exitCode !== null || log.text.includes('"msg":"started"'));
    return {
      url: /"url":"(http[^"]+)","msg":"listening"/.exec(log.text)?.[1] ?? "",
      operationsUrl: /"operationsUrl":"(http[^"]+)"/.exec(log.text)?.[1] ?? "",
      said: () => log.text,
    };
  }

  /** Calls `svc`. What it issues is a secret from then on, and may stand in this answer once. */
  async operate(environment: Environment, line: string): Promise<Record<string, unknown>> {
    const { exitCode, out, err } = await this.#svc.run([...line.split(" "), "--json"], {
      environment,
      directory: this.#directory,
    });
    const answer = exitCode === 0 ? (JSON.parse(out) as Record<string, unknown>) : {};
    const issued = answer["secret"] ?? answer["token"];
    if (typeof issued === "string")
      this.secrets.push({ name: `issued by ${line}`, secret: issued });
    const text = (typeof issued === "string" ? out.replace(issued, "") : out) + err;
    this.readable.push({ where: `svc ${line}`, text });
    return answer;
  }

  async look(where: string, answer: Response): Promise<void> {
    const text = JSON.stringify([...answer.headers]) + (await answer.text());
    this.readable.push({ where, text });
  }

  /** A session ends, and the server is to evaluate it. */
  async talk(): Promise<void> {
    const { db } = this.database;
    const session = await start(db, this.customer);
    await say(db, session, EXAMPLE_TURNS);
    await end(db, session);
  }

  /** The next event that the receiver gets. */
  async delivered(send: () => Promise<unknown>): Promise<ReceivedEvent> {
    const before = this.receiver.received.length;
    await send();
    await until(() => this.receiver.received.length > before);
    return this.receiver.received[before]!;
  }
}

function newKey(): string {
  return randomBytes(32).toString("base64");
}

function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const isTrue = async (): Promise<void> => expect(await isSo()).toBe(true);
  return vi.waitFor(isTrue, { timeout: 60_000, interval: 30 });
}

/** Signed as the first secret says, in our header and in that of Standard Webhooks. */
function isSigned({ headers, body }: ReceivedEvent, secret: string): boolean {
  const plain = createHmac("sha256", secret).update(body).digest("hex");
  return headers["x-webhook-signature"] === plain && isVerified({ headers, body }, secret);
}

/** A receiver that follows Standard Webhooks accepts it with this secret. */
function isVerified({ headers, body }: ReceivedEvent, secret: string): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.`;
  const signature = createHmac("sha256", key).update(signed).update(body).digest("base64");
  return String(headers["webhook-signature"]).split(" ").includes(`v1,${signature}`);
}

/** A model's provider that refuses every request and repeats the key in its answer, as some do. */
async function startTelltaleProvider(): Promise<string> {
  const server = createServer((request, response) => {
    const message = `Incorrect API key provided: ${request.headers.authorization}`;
    request.resume().once("end", () => {
      response.writeHead(401, { "content-type": "application/json", "x-key": message });
      response.end(JSON.stringify({ error: { message, type: message, code: message } }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** All that a copy of the database gives away, as text. */
async function dumpDatabase(database: TestDatabase): Promise<string> {
  return [...(await dumpTables(database)).values()].join("\n");
}

/** Right and wrong use of the API, of the operations port, and of the command line. */
async function provoke(world: SecretWorld, server: LoudServer, endpointId: string): Promise<void> {
  const { token, account, agent } = world.customer;
  const basic = Buffer.from(`${account.clientId}:${token}`).toString("base64");
  const credentials = [
    [`Bearer ${token}`],
    [`Basic ${basic}`],
    [`Bearer ${token}x`],
    [`Bearer ${token}`, `Bearer ${token}`],
    [token],
  ];
  for (const [index, values] of credentials.entries()) {
    const headers = new Headers(values.map((value) => ["authorization", value]));
    for (const query of ["", "?since=x", `?since=${token}`, `?access_token=${token}`]) {
      const answer = await fetch(`${server.url}/v1/sessions.json${query}`, { headers });
      if (query === "") expect(answer.ok).toBe(index < 2);
      await world.look(`the answer to credentials ${index}`, answer);
    }
    await world.look("a strange address", await fetch(`${server.url}/${token}`, { headers }));
  }
  for (const path of ["metrics", "readyz", "healthz", token])
    await world.look(`/${path}`, await fetch(`${server.operationsUrl}/${path}`));
  for (const line of [
    `tokens issue ${account.clientId} --label canary`,
    `tokens list ${account.clientId}`,
    `tokens revoke ${token}`,
    `agents preview ${agent.agentId}`,
    `agents show ${agent.agentId}`,
    `accounts show ${account.clientId}`,
    `accounts show ${token}`,
    "webhooks list",
    `webhooks show ${endpointId}`,
    `webhooks test ${endpointId}`,
    `webhooks test ${token}`,
    "deliveries list",
    "deliveries show 1",
    "sessions list",
    "audit list",
    "db status",
    "doctor",
  ])
    await world.operate(world.environment("k1"), line);
}

// A12, S12
databaseTest(
  "secrets are shown once, when they are issued, and keys can be replaced",
  async ({ database }) => {
    const world = await SecretWorld.open(database);
    const { customer, keys } = world;
    const evaluated = (): Promise<unknown> => playEvaluated(database.db, customer);
    const k1 = world.environment("k1");
    const add = `webhooks add ${world.receiver.url} --account ${customer.account.clientId}`;
    const { id, secret } = (await world.operate(k1, add)) as { id: string; secret: string };

    const first = await world.serve(k1);
    expect(isSigned(await world.delivered(() => world.talk()), secret)).toBe(true);
    world.status = 500;
    await evaluated();
    const exhausted = "SELECT FROM deliveries WHERE state = 'exhausted'";
    await until(async () => (await database.pool.query(exhausted)).rowCount === 1);
    world.status = 204;
    await provoke(world, first, id);

    // A newer key, with a model that refuses its own.
    const both = { ...world.environment("k2", "k1"), SVC_MODEL_URL: await startTelltaleProvider() };
    const second = await world.serve(both);
    expect(isSigned(await world.delivered(evaluated), secret)).toBe(true);
    await world.talk();
    await until(() => second.said().includes("answered 401"));
    await world.operate(both, "doctor");
    await world.operate(both, "evaluate --status error --since 1h");
    expect(await world.operate(both, "webhooks reseal")).toEqual({ resealed: 1, total: 1 });
    const { rows } = await database.pool.query("SELECT secret FROM webhook_endpoints");
    expect(rows).toEqual([{ secret: expect.stringMatching(/^k2\.d:/) }]);

    // The control: without the key nothing can be signed, and nothing unsigned is sent.
    const before = world.receiver.received.length;
    const third = await world.serve(world.environment("k3"));
    await evaluated();
    await until(() => third.said().includes("The key k2, which sealed it"));
    expect(world.receiver.received).toHaveLength(before);

    const k2 = world.environment("k2");
    await world.serve(k2);
    // What was held back goes out once its key is there.
    await until(() => world.receiver.received.length > before);
    expect(isSigned(world.receiver.received[before]!, secret)).toBe(true);
    // So does the session that was to be evaluated again: until then the next event may be its own.
    const open =
      "SELECT FROM evaluations WHERE finished_at IS NULL UNION ALL SELECT FROM deliveries WHERE finished_at IS NULL";
    await until(async () => (await database.pool.query(open)).rowCount === 0);
    expect(isSigned(await world.delivered(evaluated), secret)).toBe(true);
    const rotated = await world.operate(k2, `webhooks rotate ${id}`);
    expect(rotated["secret"]).not.toBe(secret);
    const staged = await world.delivered(evaluated);
    expect(isSigned(staged, secret)).toBe(true);
    expect(isVerified(staged, String(rotated["secret"]))).toBe(true);
    await world.operate(k2, `webhooks rotate ${id} --activate`);
    const next = await world.delivered(evaluated);
    expect(isSigned(next, String(rotated["secret"]))).toBe(true);
    expect(isVerified(next, secret)).toBe(true);

    // What does not start says why, and not with what.
    const broken: Environment[] = [
      { SVC_SECRET_KEYS: `k1:${keys.k1.slice(0, -2)}` },
      { SVC_SECRET_KEYS: `k1:${keys.k1},k1:${keys.k2}` },
      { SVC_DATABASE_URL: k1["SVC_DATABASE_URL"]!.replace(/:\d+\//, ":1/") },
      { SVC_DATABASE_URL: `postgres//${world.modelKey}` },
    ];
    for (const change of broken) {
      await world.serve({ ...k1, ...change });
      await world.operate({ ...k1, ...change }, "webhooks reseal");
    }

    const dump = { where: "a dump of the database", text: await dumpDatabase(database) };
    expect(findSecrets([...world.readable, dump], world.secrets)).toEqual([]);
    expect(world.secrets.length).toBeGreaterThanOrEqual(11);
    // The control: a secret that is stored as it is.
    await database.pool.query("CREATE TABLE careless AS SELECT $1::text AS secret", [secret]);
    const careless = { where: "a careless dump", text: await dumpDatabase(database) };
    expect(findSecrets([careless], world.secrets)).toHaveLength(1);
  },
  180_000,
);

/** Which secrets can be read where: as they are, and as dumps, logs and addresses write them. */
function findSecrets(readables: readonly Readable[], secrets: readonly Secret[]): string[] {
  return readables.flatMap(({ where, text }) => {
    const lowered = text.toLowerCase();
    return secrets
      .filter(({ secret }) => {
        const bare = secret.replace(/^whsec_/, "");
        const key = Buffer.from(bare, "base64");
        const isKey = key.length >= 16 && key.toString("base64") === bare;
        const whole = Buffer.from(secret);
        // The part of its base64 that does not depend on what stands behind it.
        const inside = whole.subarray(0, whole.length - (whole.length % 3)).toString("base64");
        return (
          [bare, encodeURIComponent(bare), inside].some((form) => text.includes(form)) ||
          lowered.includes(Buffer.from(bare).toString("hex")) ||
          (isKey && lowered.includes(key.toString("hex")))
        );
      })
      .map(({ name }) => `${name} in ${where}`);
  });
}

const EXAMPLE = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

it.each([
  ["as it is", `{"secret":"${EXAMPLE}"}`],
  ["without its prefix", `key=${EXAMPLE.slice(6)}&`],
  ["in a dumped column of bytes", `\\x${Buffer.from(EXAMPLE).toString("hex")}`],
  [
    "as its key, in capitals",
    Buffer.from(EXAMPLE.slice(6), "base64").toString("hex").toUpperCase(),
  ],
  ["inside a Basic header", Buffer.from(`${EXAMPLE}:`).toString("base64")],
])("a secret is found %s", (_how, text) => {
  const secrets = [{ name: "a secret", secret: EXAMPLE }];
  expect(findSecrets([{ where: "a log", text }], secrets)).toHaveLength(1);
});
