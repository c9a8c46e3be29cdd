import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What the seed left behind. The token is shown again at every start: it opens nothing but this database. */
export interface Seeded {
  clientId: string;
  token: string;
  agentId: string;
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

  constructor(root: string) {
    this.path = join(root, ".dev");
  }

  get postgres(): string {
    return join(this.path, "postgres");
  }
  /** Read by `npx svc` where the environment names no database. */
  get settings(): string {
    return join(this.path, "svc.env");
  }
  get sessions(): string {
    return join(this.path, "sessions.ndjson");
  }
  /** Without an evaluation. */
  get talks(): string {
    return join(this.path, "talks.ndjson");
  }
  get agents(): string {
    return join(this.path, "agents");
  }
  get compileCache(): string {
    return join(this.path, "cache");
  }
  get #seeded(): string {
    return join(this.path, "seeded.json");
  }
  get #receiver(): string {
    return join(this.path, "receiver.json");
  }
  get #secretKeys(): string {
    return join(this.path, "secret-keys");
  }
  get #startPage(): string {
    return join(this.path, "start-page");
  }

  /** Undefined until a seed has come to its end: half a seed is not worth keeping. */
  async readSeeded(): Promise<Seeded | undefined> {
    const text = await readFile(this.#seeded, "utf8").catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as Seeded);
  }

  async writeSeeded(seeded: Seeded): Promise<void> {
    await this.#writeSecret(this.#seeded, `${JSON.stringify(seeded, null, 2)}\n`);
  }

  async forgetSeeded(): Promise<void> {
    for (const path of [this.#seeded, this.#receiver, this.sessions, this.talks, this.agents]) {
      await rm(path, { recursive: true, force: true });
    }
  }

  async readReceiver(): Promise<Receiver | undefined> {
    const text = await readFile(this.#receiver, "utf8").catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as Receiver);
  }

  async writeReceiver(receiver: Receiver): Promise<void> {
    await this.#writeSecret(this.#receiver, `${JSON.stringify(receiver, null, 2)}\n`);
  }

  /** Seals webhook secrets. Made once: no other key could open what is in the database. */
  async secretKeys(): Promise<string> {
    const kept = await readFile(this.#secretKeys, "utf8").catch(() => undefined);
    if (kept !== undefined) return kept;
    const made = `k1:${randomBytes(32).toString("base64")}`;
    await this.#writeSecret(this.#secretKeys, made);
    return made;
  }

  async writeSettings(settings: Record<string, string>): Promise<void> {
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}\n`);
    await this.#writeSecret(this.settings, lines.join(""));
  }

  /** After that `npx svc` says that nothing runs, instead of knocking at a closed port. */
  async forgetSettings(): Promise<void> {
    await rm(this.settings, { force: true });
    await rm(this.#startPage, { force: true });
  }

  /** The start page's address of the runner that was the last to start here. */
  async readStartPage(): Promise<string | undefined> {
    return readFile(this.#startPage, "utf8").catch(() => undefined);
  }

  async writeStartPage(url: string): Promise<void> {
    await this.#writeSecret(this.#startPage, url);
  }

  async #writeSecret(path: string, text: string): Promise<void> {
    await mkdir(this.path, { recursive: true });
    // The mode counts for new files only.
    await rm(`${path}.new`, { force: true });
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}

/** A key or the name of a voice may hold what ends a value or begins a comment. */
function quoted(value: string): string {
  if (!/[\s#'"`]/.test(value)) return value;
  // Not the double quote where it can be helped: within it a backslash means something.
  const quote = ["'", "`", '"'].find((mark) => !value.includes(mark)) ?? "'";
  return `${quote}${value}${quote}`;
}
