import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { Server } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseEnv } from "node:util";
import { startWebhookReceiver } from "@svc/rehearsal";
import pg from "pg";
import { plantedNoticed, walkInText } from "../journeys/api-journey.ts";
import type { WholeProduct } from "../product/whole-product.ts";
import type { Outcome } from "../runner/proof.ts";
import { TALKS } from "../talk/talks.ts";
import { loadCompose } from "./compose-file.ts";
import type { ComposeFile, Service } from "./compose-file.ts";
import { runContainer, startContainer } from "./container.ts";
import type { Container, ContainerOptions, Image } from "./container.ts";
import { rightsOf } from "./image.ts";
import type { InsideTools } from "./namespace.ts";

/** The images that the file builds, by their names there. */
export type ComposeImages = Record<"svc:svc" | "svc:stand-ins", Image>;

const PROJECT = "/run/compose/project";
const VOLUMES = "/run/compose/volumes";
const NETWORK = "172.30.117";
const PUBLIC_URL = "https://localhost";

/** What compose.yaml says, from nothing to a webhook, as a stranger starts it. */
export async function proveCompose(
  { say, onEnd }: InsideTools,
  images: ComposeImages,
): Promise<Outcome> {
  makeProject();
  const compose = new Compose(await loadCompose(PROJECT), images, onEnd);
  const { file } = compose;
  const misspelt = await loadCompose(PROJECT, (text) =>
    text.replace("depends_on:", "depends_upon:"),
  ).then(
    () => false,
    () => true,
  );
  const faults: string[] = [];

  await compose.up("db");
  const early = await compose.run("api");
  const isRefused = early.code !== 0 && early.output.includes("migration");
  const startedAt = performance.now();
  const names = Object.keys(file.services).filter((name) => compose.isWanted(name));
  for (const name of names) await compose.up(name);
  say(`${names.length} services up after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  faults.push(...compose.judgeRights());

  const { product, secret } = await compose.openProduct();
  const walked = await walkInText({ ...product, secret } as WholeProduct, TALKS[0]!);
  faults.push(
    ...walked.faults,
    ...(await judgeStandIns(walked.expected.sessionId, TALKS[0]!.email)),
  );
  for (const fault of faults) say(`fault: ${fault}`);
  const controls = [isRefused, misspelt, plantedNoticed(walked.delivered, walked.expected)];
  say(
    `control: without the migrations no role starts, a misspelt key is refused: ${controls.join(", ")}`,
  );
  return {
    figure: `${faults.length} faults in ${names.length} services`,
    ok:
      faults.length === 0 &&
      isRefused &&
      misspelt &&
      controls[2] === "4 of 4" &&
      names.length === 10,
    engines: ["Debian's PostgreSQL 15", "Debian's Caddy"],
  };
}

/** The repository as it was cloned, with what the script for strangers writes; nothing here is changed. */
function makeProject(): void {
  const shell = (script: string): unknown => execFileSync("sh", ["-ec", script]);
  mkdirSync(VOLUMES, { recursive: true });
  for (const [name, lower] of [
    ["project", process.env["REPOSITORY"]!],
    ["debian", "/"],
  ]) {
    shell(`cd /run/compose && mkdir -p ${name} ${name}.new ${name}.work
      mount -t overlay overlay -o lowerdir=${lower},upperdir=$PWD/${name}.new,workdir=$PWD/${name}.work ${name}`);
  }
  shell(`cd ${PROJECT} && rm -rf .env secrets agents && sh deploy/compose/init.sh`);
  // The machine that the containers are on: its own address, and theirs.
  shell(
    `ip link add compose type bridge && ip address add ${NETWORK}.1/24 dev compose && ip link set compose up`,
  );
}

class Compose {
  readonly file: ComposeFile;
  readonly #images: Record<string, Image>;
  readonly #onEnd: InsideTools["onEnd"];
  readonly #started = new Map<string, Container>();
  readonly #addresses = new Map<string, string>();

  constructor(file: ComposeFile, images: ComposeImages, onEnd: InsideTools["onEnd"]) {
    this.file = file;
    this.#onEnd = onEnd;
    this.#images = { ...images, ...debianImages() };
    Object.entries(file.services).forEach(([name, service], index) => {
      const address = service.networks.default?.ipv4_address ?? `${NETWORK}.${10 + index}`;
      this.#addresses.set(name, address);
      connectNetwork(name, index, address);
    });
    const hosts = [...this.#addresses].map(([name, address]) => `${address} ${name}\n`);
    writeFileSync("/run/compose/hosts", `127.0.0.1 localhost\n${hosts.join("")}`);
  }

  isWanted(name: string): boolean {
    const { profiles = ["rehearsal"] } = this.file.services[name]!;
    return profiles.includes("rehearsal");
  }

  /** Starts what it depends on, waits as the file says, starts it, and waits until it is healthy. */
  async up(name: string): Promise<void> {
    if (this.#started.has(name)) return;
    const service = this.file.services[name]!;
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      await this.up(other);
      const isDone = condition === "service_completed_successfully";
      if (isDone && (await this.#started.get(other)!.ended) !== 0) {
        throw new Error(`${other} failed: ${this.#started.get(other)!.output()}`);
      }
    }
    if (name === "caddy") plantAuthority();
    const container = startContainer(this.#imageOf(service), this.#optionsOf(name));
    this.#started.set(name, container);
    this.#onEnd(() => container.kill("SIGKILL"));
    for (const { published, target, protocol } of service.ports ?? []) {
      if (protocol !== "tcp") continue;
      const inside = this.#addresses.get(name)!;
      const server = forward([Number(published), "127.0.0.1"], [target, inside]);
      this.#onEnd(() => server.close());
    }
    await this.#healthy(name, container);
  }

  async #healthy(name: string, container: Container): Promise<void> {
    const test = this.file.services[name]!.healthcheck?.test;
    if (test === undefined) return;
    while ((await this.run(name, test.slice(1))).code !== 0) {
      const code = await Promise.race([container.ended, delay(200, "runs" as const)]);
      if (code !== "runs") throw new Error(`${name} ended with ${code}: ${container.output()}`);
    }
  }

  /** A process beside the service's own, with all that it has, to its end. */
  run(name: string, command?: string[]): Promise<{ code: number | null; output: string }> {
    const service = this.file.services[name]!;
    const { entrypoint } = service;
    const words = command && entrypoint ? [...entrypoint, ...command] : command;
    return runContainer(this.#imageOf(service), {
      ...this.#optionsOf(name),
      ...(words !== undefined && { command: words }),
    });
  }

  /** Processes of ours that could write, or are root's. */
  judgeRights(): string[] {
    return ["api", "live", "pipeline", "page", "model", "receiver", "mail"].flatMap((name) => {
      const { isReadOnly, user } = rightsOf(this.#started.get(name)!.pid);
      return isReadOnly && user === "10001" ? [] : [`${name} may write, or is ${user}'s`];
    });
  }

  /** The agent of the page, and a receiver of our own beside the stand-in's. */
  async openProduct(): Promise<{ product: Partial<WholeProduct>; secret: string }> {
    const svc = async (...words: string[]): Promise<Record<string, string>> => {
      const { code, output } = await this.run("svc", [...words, "--json"]);
      if (code !== 0) throw new Error(`svc ${words.join(" ")}: ${output}`);
      return JSON.parse(output) as Record<string, string>;
    };
    const page = await until(PUBLIC_URL, (text) => /agentId: "(\w+)"/.exec(text)?.[1]);
    const receiver = await startWebhookReceiver();
    this.#onEnd(() => receiver.close());
    const port = Number(new URL(receiver.url).port);
    const server = forward([port, `${NETWORK}.1`], [port, "127.0.0.1"]);
    this.#onEnd(() => server.close());
    const hook = `http://${NETWORK}.1:${port}/own`;
    const { secret } = await svc("webhooks", "add", hook, "--account", "Demo");
    const { token } = await svc("tokens", "issue", "Demo", "--label", "claim");
    const url = new URL(readFileSync(join(PROJECT, "secrets/database-url"), "utf8").trim());
    url.hostname = this.#addresses.get("db")!;
    const pool = new pg.Pool({ connectionString: url.href });
    this.#onEnd(() => pool.end());
    const product = {
      server: { url: PUBLIC_URL },
      agentId: page,
      customer: { token },
      receiver,
      stage: { database: { pool } },
    };
    return { product: product as unknown as Partial<WholeProduct>, secret: secret! };
  }

  #imageOf({ image }: Service): Image {
    const found = this.#images[image.split(/:\d/, 1)[0]!];
    if (found === undefined) throw new Error(`No image is known as ${image}.`);
    return found;
  }

  #optionsOf(name: string): ContainerOptions {
    const service = this.file.services[name]!;
    const { entrypoint, command, volumes = [], secrets = [], tmpfs = [] } = service;
    const given = (service.env_file ?? []).map(({ path }) => parseEnv(readFileSync(path, "utf8")));
    const mounts = volumes.map(({ type, source, target, read_only: isReadOnly = false }) => {
      if (type === "volume") mkdirSync(join(VOLUMES, source), { recursive: true });
      return { source: type === "volume" ? join(VOLUMES, source) : source, target, isReadOnly };
    });
    const words = [...(entrypoint ?? []), ...(command ?? [])];
    return {
      ...(words.length > 0 && { command: words }),
      ...(service.user !== undefined && { user: service.user }),
      environment: Object.assign({}, ...given, service.environment) as Record<string, string>,
      secrets: Object.fromEntries(
        secrets.map(({ source, target }) => [
          basename(target),
          readFileSync(this.file.secrets[source]!.file, "utf8"),
        ]),
      ),
      isWritable: service.read_only !== true,
      network: name,
      mounts: [...mounts, { source: "/run/compose/hosts", target: "/etc/hosts", isReadOnly: true }],
      tmpfs,
    };
  }
}

/** Passes connections on, as Docker does it for the ports of a container. */
function forward(from: [port: number, host: string], to: [port: number, host: string]): Server {
  return createServer((socket) => {
    const inner = connect(...to);
    socket.on("error", () => inner.destroy()).pipe(inner);
    inner.on("error", () => socket.destroy()).pipe(socket);
  }).listen(...from);
}

/** A network of its own for a container, on the machine's bridge. */
function connectNetwork(name: string, index: number, address: string): void {
  const script = `
    ip netns add ${name}
    ip link add c${index} type veth peer name eth0 netns ${name}
    ip link set c${index} master compose up
    ip -n ${name} address add ${address}/24 dev eth0
    ip -n ${name} link set lo up
    ip -n ${name} link set eth0 up`;
  execFileSync("sh", ["-ec", script]);
}

/** In place of the official images, which cannot be had here: Debian's packages, started as those images start. */
function debianImages(): Record<string, Image> {
  const image = (Cmd: [string, ...string[]], ...Env: string[]): Image => ({
    root: "/run/compose/debian",
    config: {
      User: "0:0",
      WorkingDir: "/",
      Cmd,
      Env: [`PATH=/usr/lib/postgresql/15/bin:/usr/bin:/bin`, ...Env],
    },
  });
  return {
    postgres: image(["sh", "-ec", POSTGRES, "sh"]),
    caddy: image(
      ["caddy", "run", "--config", "/etc/caddy/Caddyfile"],
      "XDG_DATA_HOME=/data",
      "XDG_CONFIG_HOME=/config",
    ),
  };
}

/** What the entry point of PostgreSQL's official image does for a new volume. */
const POSTGRES = `
export PGDATA=/var/lib/postgresql/18/docker
mkdir -p $PGDATA /var/run/postgresql
chown -R postgres: /var/lib/postgresql /var/run/postgresql
exec setpriv --reuid=postgres --regid=postgres --clear-groups sh -ec '
  initdb --username=postgres --pwfile=$POSTGRES_PASSWORD_FILE --auth-local=trust --auth-host=scram-sha-256 --no-sync
  echo "host all all all scram-sha-256" >>$PGDATA/pg_hba.conf
  pg_ctl -w -o "-c listen_addresses=" start
  for script in /docker-entrypoint-initdb.d/*.sh; do . $script; done
  pg_ctl -w -m fast stop
  exec postgres -c "listen_addresses=*"'
`;

/** Caddy issues the certificate of localhost itself. Its authority is one that this process trusts already. */
function plantAuthority(): void {
  const place = join(VOLUMES, "certificates/caddy/pki/authorities/local");
  mkdirSync(place, { recursive: true });
  const authority = process.env["NODE_EXTRA_CA_CERTS"]!;
  writeFileSync(join(place, "root.crt"), readFileSync(authority));
  writeFileSync(join(place, "root.key"), readFileSync(authority.replace(".pem", ".key")));
}

/** What is found in an answer, once it is there. */
async function until<T>(url: string, find: (text: string) => T | undefined): Promise<T> {
  let last = "";
  for (let tries = 0; tries < 300; tries++) {
    last = await fetch(url).then(
      (response) => response.text(),
      (error: Error) => String(error.cause),
    );
    const found = find(last);
    if (found !== undefined) return found;
    await delay(100);
  }
  throw new Error(`${url} does not have what is looked for: ${last.slice(0, 2_000)}`);
}

/** The stand-ins of the customer and of the mail server got theirs too, the first with a signature that holds. */
async function judgeStandIns(sessionId: string, email: string): Promise<string[]> {
  const faults: string[] = [];
  const look = (url: string, pattern: RegExp, what: string): Promise<unknown> =>
    until(url, (text) => (pattern.test(text) ? text : undefined)).catch(() => faults.push(what));
  // The number of the secret that it was signed with is there only where one was.
  const signed = new RegExp(`"secret":1\\},"sessionId":"${sessionId}"`);
  await look(
    "http://127.0.0.1:8091/rehearsal/requests",
    signed,
    "the receiver has no signed event",
  );
  await look("http://127.0.0.1:8092/rehearsal/mails", new RegExp(email), "no mail was caught");
  return faults;
}
