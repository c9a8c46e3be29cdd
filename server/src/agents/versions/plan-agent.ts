import { audit } from "#accounts";
import type { Cell, Db, Trx } from "#platform";
import type { AgentConfig, PlanWarning, StoredFile } from "../config/agent-config.ts";
import { compareConfigs, fileInWords } from "../config/compare-configs.ts";
import type { ConfigChange, ConfigValue } from "../config/compare-configs.ts";
import { posterWarnings } from "../config/poster/poster-warnings.ts";
import { mayOpen, pageOf } from "../knowledge/knowledge-sections.ts";
import type { AgentSource } from "../file/read-agent.ts";
import { plainConfig } from "../file/resolve-config.ts";
import { addAgent, addAgentVersion } from "./agent.ts";
import type { AgentVersion } from "./agent.ts";
import { lockAgent, selectCurrentVersion, selectFiles, updateRemoved } from "./store.ts";

export type { PlanWarning } from "../config/agent-config.ts";

/** The changes that applying a folder would make, and warnings for its author. */
export interface AgentPlan {
  slug: string;
  /** Absent for a new agent. */
  current?: AgentVersion;
  /** The agent was removed, and applying brings it back. */
  isRemoved: boolean;
  changes: PlannedChange[];
  warnings: PlanWarning[];
}

export interface PlannedChange {
  field: string;
  change: "added" | "removed" | "changed";
  /** The full text. For binary files, their type, size and hash. */
  from?: string;
  to?: string;
}

/** Compares a folder with the version that new sessions run. */
export async function planAgent(
  db: Db | Trx,
  accountId: number,
  source: AgentSource,
): Promise<AgentPlan> {
  const current = await selectCurrentVersion(db, accountId, source.slug);
  const changes =
    current === undefined ? ownWords(source.config) : compareConfigs(current.config, source.config);
  const words = await valuesInWords(
    db,
    changes.flatMap(({ from }) => from ?? []),
    source,
  );
  return {
    slug: source.slug,
    ...(current !== undefined && {
      current: { agentId: current.agentId, version: current.version },
    }),
    isRemoved: current !== undefined && current.removedAt !== null,
    changes: changes.map(({ field, from, to }) => ({
      field,
      change: from === undefined ? "added" : to === undefined ? "removed" : "changed",
      ...(from !== undefined && { from: words(from) }),
      ...(to !== undefined && { to: words(to) }),
    })),
    warnings: planWarnings(source, current?.config),
  };
}

/** For a new agent, shows only the settings that differ from the defaults. */
function ownWords(config: AgentConfig): ConfigChange[] {
  const { name: _name, brand: _brand, ...usual } = plainConfig("");
  const own = new Set(compareConfigs(usual, config).map(({ field }) => field));
  return compareConfigs({}, config).filter(({ field }) => own.has(field));
}

async function valuesInWords(
  db: Db | Trx,
  olds: ConfigValue[],
  source: AgentSource,
): Promise<(value: ConfigValue) => string> {
  const hashes = olds.flatMap((old) => (typeof old === "string" || !isText(old) ? [] : old.sha256));
  const bytes = await selectFiles(db, hashes);
  for (const file of source.files) bytes.set(file.sha256, file.bytes);
  return (value) => {
    if (typeof value === "string") return value;
    const text = isText(value) ? bytes.get(value.sha256)?.toString() : undefined;
    return text ?? fileInWords(value);
  };
}

function isText({ mediaType }: StoredFile): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json";
}

/** Warnings about settings that work but may not be what the author meant. */
function planWarnings(source: AgentSource, current?: Partial<AgentConfig>): PlanWarning[] {
  const { config, unused } = source;
  const warnings: PlanWarning[] = [];
  const warn = (field: string, message: string): void => void warnings.push({ field, message });
  if (config.allowedOrigins.length === 0)
    warn("allowed_origins", "Any origin may start this agent. List your own pages.");
  if (config.qualification === undefined)
    warn("qualification", "There are no criteria: every evaluation will say not_enough_data.");
  if (config.knowledge.length === 0)
    warn("knowledge", "It knows nothing of the product, and will say so when asked.");
  warnings.push(...unopenedPages(source));
  for (const { code, notice } of config.languages) {
    if (notice === undefined)
      warn(`languages.${code}`, "It has no notice of its own: visitors read the built-in one.");
  }
  warnings.push(...config.content.flatMap((one) => untranslated(config, one)));
  for (const field of ["questions", "insights"] as const) {
    const kept = new Set(config[field].map(({ key }) => key));
    for (const { key } of current?.[field] ?? []) {
      if (!kept.has(key))
        warn(`${field}.${key}`, "The key goes away. Sessions evaluated so far keep it.");
    }
  }
  warnings.push(...posterWarnings(config.avatar, source.files));
  for (const file of unused) warn(file, "Nothing uses this file. Name it, or remove it.");
  return warnings;
}

/** Pages that no answer will lead to. */
function unopenedPages({ config, files }: AgentSource): PlanWarning[] {
  const known = new Set(config.knowledge.map(({ sha256 }) => sha256));
  const pages = files
    .filter(({ sha256 }) => known.has(sha256))
    .flatMap(({ bytes }) => pageOf(bytes.toString()) ?? [])
    .filter((page) => !mayOpen(page, config));
  const [first] = pages;
  if (first === undefined) return [];
  const message = `${pages.length} of the files name a source that visitors are not led to, such as ${first.url}: only https addresses and those of allowed_origins are.`;
  return [{ field: "knowledge", message }];
}

/** Says which visitors see a slide in a language that is not theirs. Source code has none. */
function untranslated(config: AgentConfig, one: AgentConfig["content"][number]): PlanWarning[] {
  const others = config.languages
    .map(({ code }) => code)
    .filter((code) => baseOf(code) !== baseOf(config.defaultLanguage));
  const lacks = (part: "title" | "file"): string[] =>
    others.filter(
      (code) =>
        !one.languages?.some((own) => {
          const isIt = own.code === code || baseOf(own.code) === baseOf(code);
          return isIt && (part === "title" ? own.title : (own.file ?? own.link)) !== undefined;
        }),
    );
  const isPlace = one.kind === "place";
  const noTitle = lacks("title");
  const noFile = one.kind === "code" || !("file" in one) ? [] : lacks("file");
  const parts = [
    ...(noTitle.length > 0 ? [`no ${isPlace ? "caption" : "title"} in ${noTitle.join(", ")}`] : []),
    ...(noFile.length > 0 ? [`no file in ${noFile.join(", ")}`] : []),
  ];
  if (parts.length === 0) return [];
  const message = `There is ${parts.join(", and ")}. Those visitors see the one in ${config.defaultLanguage}.`;
  return [{ field: `${isPlace ? "places" : "content"}.${one.id}.languages`, message }];
}

function baseOf(code: string): string {
  return code.split("-", 1)[0]!;
}

export interface AppliedAgent extends AgentVersion {
  /** The changes from the version before. Without changes, no version is added. */
  plan: AgentPlan;
}

/** Makes the folder's agent the one that new sessions run. Applying the same folder again changes nothing. */
export async function applyAgent(
  trx: Trx,
  actor: string,
  cell: Cell,
  accountId: number,
  source: AgentSource,
): Promise<AppliedAgent> {
  const { slug, config, files } = source;
  const agent = await lockAgent(trx, accountId, { slug });
  const plan = await planAgent(trx, accountId, source);
  if (agent === undefined)
    return { plan, ...(await addAgent(trx, actor, cell, accountId, slug, config, files)) };
  if (agent.removedAt !== null) {
    await updateRemoved(trx, agent.id, false);
    await audit(trx, {
      actor,
      action: "agent.restore",
      accountId,
      subject: agent.id,
      detail: { slug },
    });
  }
  if (plan.current !== undefined && plan.changes.length === 0) return { plan, ...plan.current };
  return { plan, ...(await addAgentVersion(trx, actor, accountId, agent.id, config, files)) };
}
