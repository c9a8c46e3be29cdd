import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The seed's results. The token is shown again at every start: it gives access to this database only. */
export interface Seeded {
  clientId: string;
  token: string;
  agentId: string;
  /** Of the made-up product. Absent where an older checkout has seeded. */
  productAgentId?: string;
  /** A session worth looking at, which was evaluated here. */
  sessionId: string;
}

/** The receiver that webhooks are sent to, as it was registered. */
export interface Receiver {
  url: string;
  endpointId: string;
  secret: string;
}

/** `.dev`: everything that the development runner keeps, in one folder that git ignores. */
export class DevFolder {
  readonly path: string;
  readonly postgres: string;
  /** Read by `npx svc` where the environment names no database. */
  readonly settings: string;
  readonly sessions: string;
  /** Conversations without an evaluation. */
  readonly talks: string;
  readonly agents: string;
  readonly compileCache: string;
  readonly #seeded: string;
  readonly #receiver: string;
  readonly #secretKeys: string;
  readonly #startPage: string;

  constructor(root: string) {
    this.path = join(root, ".dev");
    this.postgres = join(this.path, "postgres");
    this.settings = join(this.path, "svc.env");
    this.sessions = join(this.path, "sessions.ndjson");
    this.talks = join(this.path, "talks.ndjson");
    this.agents = join(this.path, "agents");
    this.compileCache = join(this.path, "cache");
    this.#seeded = join(this.path, "seeded.json");
    this.#receiver = join(this.path, "receiver.json");
    this.#secretKeys = join(this.path, "secret-keys");
    this.#startPage = join(this.path, "start-page");
  }

  /** Undefined until a seed has come to its end: half a seed is not worth keeping. */
  async readSeeded(): Promise<Seeded | undefined> {
    return parsed<Seeded>(await this.#read(this.#seeded));
  }

  async writeSeeded(seeded: Seeded): Promise<void> {
    await this.#writeSecret(this.#seeded, JSON.stringify(seeded, null, 2));
  }

  async forgetSeeded(): Promise<void> {
    for (const path of [this.#seeded, this.#receiver, this.sessions, this.talks, this.agents]) {
      await rm(path, { recursive: true, force: true });
    }
  }

  async readReceiver(): Promise<Receiver | undefined> {
    return parsed<Receiver>(await this.#read(this.#receiver));
  }

  async writeReceiver(receiver: Receiver): Promise<void> {
    await this.#writeSecret(this.#receiver, JSON.stringify(receiver, null, 2));
  }

  /** Encrypts webhook secrets. Made once: no other key could decrypt what is in the database. */
  async secretKeys(): Promise<string> {
    const kept = await this.#read(this.#secretKeys);
    if (kept !== undefined) return kept;
    const made = `k1:${randomBytes(32).toString("base64")}`;
    await this.#writeSecret(this.#secretKeys, made);
    return made;
  }

  async writeSettings(settings: Record<string, string>): Promise<void> {
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}\n`);
    await this.#writeSecret(this.settings, lines.join(""));
  }

  /** After that `npx svc` says that nothing runs, instead of connecting to a closed port. */
  async forgetSettings(): Promise<void> {
    for (const path of [this.settings, this.#startPage]) await rm(path, { force: true });
  }

  /** The start page's address of the runner that was the last to start here. */
  async readStartPage(): Promise<string | undefined> {
    return this.#read(this.#startPage);
  }

  async writeStartPage(url: string): Promise<void> {
    await this.#writeSecret(this.#startPage, url);
  }

  async #read(path: string): Promise<string | undefined> {
    return readFile(path, "utf8").catch(() => undefined);
  }

  async #writeSecret(path: string, text: string): Promise<void> {
    await mkdir(this.path, { recursive: true });
    // A mode is given to new files only.
    await rm(`${path}.new`, { force: true });
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}

function parsed<T>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** A key or the name of a voice may hold what ends a value or begins a comment. */
function quoted(value: string): string {
  if (!/[\s#'"`]/.test(value)) return value;
  // The double quote comes last, because a backslash has a meaning inside it.
  const quote = ["'", "`", '"'].find((mark) => !value.includes(mark)) ?? "'";
  return `${quote}${value}${quote}`;
}
