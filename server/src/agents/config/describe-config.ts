import type { AgentConfig, StoredFile } from "./agent-config.ts";
import { flattenConfig } from "./compare-configs.ts";
import { inBytes } from "../file/agent-folder.ts";

/** The settings of a version, by the names of the agent file. */
export function describeConfig(config: AgentConfig): [field: string, value: string][] {
  return flattenConfig(config).map(([field, value]) => [
    field,
    typeof value === "string" ? value : fileInWords(value),
  ]);
}

export function fileInWords({ mediaType, size, sha256 }: StoredFile): string {
  return `${mediaType}, ${inBytes(size)}, ${sha256.slice(0, 8)}`;
}
