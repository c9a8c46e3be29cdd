import type { Db, Trx } from "#platform";
import type { AgentSource } from "../file/read-agent.ts";
import { plainConfig } from "../file/resolve-config.ts";
import type { AgentVersion } from "../versions/agent.ts";
import { selectCurrentVersion, selectFiles } from "../versions/store.ts";
import type { AgentConfig, PlanWarning, StoredFile } from "./agent-config.ts";
import { compareConfigs } from "./compare-configs.ts";
import type { ConfigChange, ConfigValue } from "./compare-configs.ts";
import { fileInWords } from "./describe-config.ts";
import { planWarnings } from "./plan-warnings.ts";

export type { PlanWarning } from "./agent-config.ts";

/** What would become different, and what the author may not have meant. */
export interface AgentPlan {
  slug: string;
  /** Absent for an agent that is not there yet. */
  current?: AgentVersion;
  changes: PlannedChange[];
  warnings: PlanWarning[];
}

export interface PlannedChange {
  field: string;
  change: "added" | "removed" | "changed";
  /** Whole texts; of what is no text, its type, size and hash. */
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
    changes: changes.map(({ field, from, to }) => ({
      field,
      change: from === undefined ? "added" : to === undefined ? "removed" : "changed",
      ...(from !== undefined && { from: words(from) }),
      ...(to !== undefined && { to: words(to) }),
    })),
    warnings: planWarnings(source, current?.config),
  };
}

/** A new agent is shown by what it says itself, not by what holds for all. */
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
  return mediaType.startsWith("text/");
}
