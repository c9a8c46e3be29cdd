import type { AgentSource } from "../file/read-agent.ts";
import type { AgentConfig, PlanWarning } from "./agent-config.ts";
import { posterWarnings } from "./poster/poster-warnings.ts";

/** What works, and may still not be what the author meant. */
export function planWarnings(source: AgentSource, current?: Partial<AgentConfig>): PlanWarning[] {
  const { config, unused } = source;
  const warnings: PlanWarning[] = [];
  const warn = (field: string, message: string): void => void warnings.push({ field, message });
  if (config.allowedOrigins.length === 0)
    warn("allowed_origins", "Any origin may start this agent. List your own pages.");
  if (config.qualification === undefined)
    warn("qualification", "There are no criteria: every evaluation will say not_enough_data.");
  if (config.knowledge.length === 0)
    warn("knowledge", "It knows nothing of the product, and will say so when asked.");
  for (const { code, notice } of config.languages) {
    if (notice === undefined)
      warn(`languages.${code}`, "It has no notice of its own: visitors read the built-in one.");
  }
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
