import { once } from "node:events";
import { connect } from "node:net";
import type { SettledStatus } from "@svc/contract/types";
import { isOk, isStandInReady } from "./child-processes.ts";
import type { Seeded } from "./dev-folder.ts";
import type { OwnPlaces } from "./settings.ts";
import type { Facts, Part } from "./start-page.ts";

type PortName =
  | "server"
  | "operations"
  | "model"
  | "speech"
  | "receiver"
  | "inbox"
  | "smtp"
  | "names";

/** The current state of each part, checked again each time the start page asks. */
export class LiveState {
  readonly serverUrl: string;
  readonly operationsUrl: string;
  readonly modelUrl: string;
  readonly speechUrl: string;
  readonly receiverUrl: string;
  readonly inboxUrl: string;
  readonly smtpUrl: string;
  readonly dnsServer: string;
  /** The services used in place of stand-ins. */
  readonly own: OwnPlaces;
  /** Where sound goes over a LiveKit server. */
  livekitUrl: string | undefined;
  /** The port that PostgreSQL listens on, and what to print about it. */
  database: { port: number; detail: string } | undefined;
  ready = false;
  #seeded: Seeded | undefined;
  #count: SessionCount | undefined;

  constructor(ports: Record<PortName, number>, own: OwnPlaces = {}) {
    this.serverUrl = `http://127.0.0.1:${ports.server}`;
    this.operationsUrl = `http://127.0.0.1:${ports.operations}`;
    this.modelUrl = `http://127.0.0.1:${ports.model}`;
    this.speechUrl = `http://127.0.0.1:${ports.speech}`;
    this.receiverUrl = `http://127.0.0.1:${ports.receiver}`;
    this.inboxUrl = `http://127.0.0.1:${ports.inbox}`;
    this.smtpUrl = `smtp://127.0.0.1:${ports.smtp}`;
    this.dnsServer = `127.0.0.1:${ports.names}`;
    this.own = own;
  }

  set seeded(seeded: Seeded) {
    this.#seeded = seeded;
    this.#count = new SessionCount(this.serverUrl, seeded.token);
  }

  async isServerReady(): Promise<boolean> {
    return isOk(`${this.operationsUrl}/readyz`);
  }

  async parts(): Promise<Omit<Facts["parts"], "sessions">> {
    const [database, model, server] = await Promise.all([
      this.#databasePart(),
      this.#modelPart(),
      this.#serverPart(),
    ]);
    return { database, model, server };
  }

  async facts(): Promise<Facts> {
    return {
      ready: this.ready,
      parts: { ...(await this.parts()), sessions: await this.#sessionsPart() },
      serverUrl: this.serverUrl,
      operationsUrl: this.operationsUrl,
      modelUrl: this.modelUrl,
      ownModel: this.own.model,
      receiverUrl: this.receiverUrl,
      inboxUrl: this.inboxUrl,
      seeded: this.#seeded,
    };
  }

  async #databasePart(): Promise<Part> {
    if (this.database === undefined) return starting("PostgreSQL 18");
    const { port, detail } = this.database;
    return (await answers(port)) ? { state: "ready", word: "ready", detail } : away(detail);
  }

  async #modelPart(): Promise<Part> {
    const { model } = this.own;
    if (model !== undefined) {
      return { state: "ready", word: "yours", detail: `${model}, as this shell's settings say` };
    }
    const detail = "A stand-in, by rules and scripts";
    if (await isStandInReady(this.modelUrl)) return { state: "ready", word: "ready", detail };
    return this.ready ? away(detail) : starting(detail);
  }

  async #serverPart(): Promise<Part> {
    if (await this.isServerReady())
      return { state: "ready", word: "ready", detail: this.serverUrl };
    return this.ready ? away("Restarting, or stopped: see its log") : starting(this.serverUrl);
  }

  async #sessionsPart(): Promise<Part> {
    if (!this.ready || this.#count === undefined) return starting("Four languages, thirty days");
    const { processed, abandoned, error } = await this.#count.read();
    return {
      state: "ready",
      word: String(processed + abandoned + error),
      detail: `${processed} processed, ${abandoned} abandoned, ${error} error`,
    };
  }
}

function starting(detail: string): Part {
  return { state: "starting", word: "starting", detail };
}

function away(detail: string): Part {
  return { state: "away", word: "not answering", detail };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(1_000) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Counts sessions as a customer would: it walks the export and goes on where it stopped. */
export class SessionCount {
  readonly #token: string;
  #next: string;
  #byId = new Map<string, SettledStatus>();

  constructor(serverUrl: string, token: string) {
    this.#token = token;
    this.#next = `${serverUrl}/v1/sessions.json?fields=id,status`;
  }

  /** Counts by status. While the server does not answer, the last counts stay. */
  async read(): Promise<Record<SettledStatus, number>> {
    await this.#walk().catch(() => {});
    const counts = { processed: 0, abandoned: 0, error: 0 };
    for (const status of this.#byId.values()) counts[status] += 1;
    return counts;
  }

  async #walk(): Promise<void> {
    for (;;) {
      const headers = { authorization: `Bearer ${this.#token}` };
      const response = await fetch(this.#next, { headers, signal: AbortSignal.timeout(2_000) });
      if (!response.ok) return;
      const { items } = (await response.json()) as {
        items: { id: string; status: SettledStatus }[];
      };
      for (const { id, status } of items) this.#byId.set(id, status);
      const next = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
      if (next === undefined) return;
      this.#next = next;
    }
  }
}
