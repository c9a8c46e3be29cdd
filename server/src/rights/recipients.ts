import { createHash } from "node:crypto";
import { readSettings } from "#accounts";
import { mayBeLarge } from "#agents";
import type { StartableAgent } from "#agents";
import { hostOf, namedService, servicesInUse } from "#platform";
import type { Clock, Db, NamedService, ServiceNames, ServicePurpose } from "#platform";
import { listEndpoints } from "#webhooks";
import { insertRecipients, selectRecipients } from "./recipients-store.ts";
import type { RecipientList, RecipientPurpose } from "./recipients-store.ts";

export type { RecipientPurpose } from "./recipients-store.ts";

/** A list, and the hash by which a session says that it was valid. */
export interface RecipientVersion {
  sha256: Buffer;
  list: RecipientList;
}

export interface RecipientsOptions {
  db: Db;
  clock: Clock;
  names: ServiceNames;
  publicUrl: string;
}

const KEPT_MS = 5_000;
const MAX_KEPT = 1_000;

/** Makes the lists from what processes, accounts and agents use at the moment, and stores each that was ever valid. */
export class Recipients {
  readonly #options: RecipientsOptions;
  readonly #kept = new Map<
    string,
    { untilMs: number; asked: Promise<RecipientVersion | undefined> }
  >();
  readonly #stored = new Set<string>();

  constructor(options: RecipientsOptions) {
    this.#options = options;
  }

  /** The list for new sessions of the agent. Undefined while processes have not said what they use. */
  async of(agent: StartableAgent): Promise<RecipientVersion | undefined> {
    const { agentId, version } = agent;
    const nowMs = this.#options.clock.monotonicMs();
    const key = `${agentId} ${version}`;
    const known = this.#kept.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known.asked;
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    const asked = this.#make(agent);
    this.#kept.set(key, { untilMs: nowMs + KEPT_MS, asked });
    asked.catch(() => this.#kept.delete(key));
    return asked;
  }

  /** A list that was valid once for the agent, by its hash in hex. */
  async version(agentId: string, sha256: string): Promise<RecipientVersion | undefined> {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    const hash = Buffer.from(sha256, "hex");
    const list = await selectRecipients(this.#options.db, hash);
    // Under its address another agent's list would be taken for its own.
    if (list === undefined || (list.agent ?? agentId) !== agentId) return undefined;
    return { sha256: hash, list };
  }

  async #make(agent: StartableAgent): Promise<RecipientVersion | undefined> {
    const { db } = this.#options;
    const list = await listOf(agent, this.#options);
    if (list === undefined) return undefined;
    const text = JSON.stringify(list);
    const sha256 = createHash("sha256").update(text).digest();
    const hex = sha256.toString("hex");
    if (!this.#stored.has(hex)) await insertRecipients(db, sha256, text);
    this.#stored.add(hex);
    return { sha256, list };
  }
}

async function listOf(
  { accountId, agentId, config }: StartableAgent,
  { db, names, publicUrl }: RecipientsOptions,
): Promise<RecipientList | undefined> {
  const inUse = await servicesInUse(db);
  if (inUse === undefined) return undefined;
  const { retentionDays, followUp } = await readSettings(db, accountId);
  const { brand, modes, tools, knowledge, transport } = config;
  const talks = modes.includes("voice");
  const isUsed: Record<ServicePurpose, boolean> = {
    answers: true,
    assessment: true,
    hearing: talks,
    voice: talks,
    sound: talks && transport !== "ws",
    search: tools.includes("search_knowledge") && mayBeLarge(knowledge),
    mail: followUp && config.followUp,
  };
  const receivers = (await listEndpoints(db, accountId)).filter(
    ({ state, agentIds }) => state === "live" && (agentIds?.includes(agentId) ?? true),
  );
  const getting: Getting[] = [
    ...inUse
      .filter(({ purpose }) => isUsed[purpose])
      .map(({ purpose, ...service }) => ({ purpose, service })),
    ...receivers.map(({ url }) => ({
      purpose: "records" as const,
      service: namedService(url, names, publicUrl),
    })),
  ];
  const isOwn = ({ service: { name, host } }: Getting): boolean =>
    name === undefined && host === undefined;
  // A receiver inside is the customer's or the operator's own: what it gets, the brand reads anyway.
  const own = getting.filter((one) => isOwn(one) && one.purpose !== "records");
  return {
    agent: agentId,
    brand: {
      name: brand.name,
      ...(brand.privacy !== undefined && { privacy: brand.privacy }),
      days: retentionDays,
    },
    operator: { ...operatorOf(names, publicUrl), purposes: purposesOf(own) },
    services: byService(getting.filter((one) => !isOwn(one))),
  };
}

interface Getting {
  purpose: RecipientPurpose;
  service: NamedService;
}

const ORDER: RecipientPurpose[] = [
  "answers",
  "hearing",
  "voice",
  "sound",
  "search",
  "assessment",
  "mail",
  "records",
];

function operatorOf(names: ServiceNames, publicUrl: string): NamedService {
  const host = hostOf(publicUrl);
  return names.get(host) ?? { host };
}

/** Each once, however many of its models or processes there are, in an order that does not depend on them. */
function byService(getting: Getting[]): RecipientList["services"] {
  const groups = Map.groupBy(getting, ({ service }) => label(service));
  return [...groups.values()]
    .map((all) => ({ ...inOrder(all[0]!.service), purposes: purposesOf(all) }))
    .toSorted((one, other) => rank(one) - rank(other) || compare(label(one), label(other)));
}

/** The database has an order of its own, which would be another hash. */
function inOrder({ name, host, days, privacy }: NamedService): NamedService {
  return {
    ...(name !== undefined && { name }),
    ...(host !== undefined && { host }),
    ...(days !== undefined && { days }),
    ...(privacy !== undefined && { privacy }),
  };
}

function compare(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}

function rank({ purposes }: { purposes: RecipientPurpose[] }): number {
  return ORDER.indexOf(purposes[0]!);
}

function label({ name = "", host = "" }: NamedService): string {
  return `${name} ${host}`;
}

function purposesOf(getting: Getting[]): RecipientPurpose[] {
  const given = new Set(getting.map(({ purpose }) => purpose));
  return ORDER.filter((purpose) => given.has(purpose));
}
