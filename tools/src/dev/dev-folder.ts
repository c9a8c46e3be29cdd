import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What the seed left behind. The token is shown again at every start: it opens nothing but this database. */
export interface Seeded {
  clientId: string;
  token: string;
  agentId: string;
  /** A session worth looking at. */
  sessionId: string;
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
  get agents(): string {
    return join(this.path, "agents");
  }
  get compileCache(): string {
    return join(this.path, "cache");
  }
  get #seeded(): string {
    return join(this.path, "seeded.json");
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
    for (const path of [this.#seeded, this.sessions, this.agents]) {
      await rm(path, { recursive: true, force: true });
    }
  }

  async writeSettings(settings: Record<string, string>): Promise<void> {
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
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
