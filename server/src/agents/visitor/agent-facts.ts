import type { AgentFacts, AgentMode } from "@svc/contract/types";
import type { StoredFile } from "../config/agent-config.ts";
import { builtInNotice } from "./built-in-notice.ts";
import type { StartableAgent } from "./startable-agent.ts";

/**
 * What the page and the call may know of an agent. Nothing of what it was told to do or knows.
 *
 * @param modes those that are on offer now: the agent's own, less voice while speech is away.
 */
export function agentFacts(
  { agentId, config }: StartableAgent,
  modes: AgentMode[],
  publicUrl: string,
): AgentFacts {
  const { name, brand, avatar, languages, defaultLanguage, limits, person } = config;
  const { logo, link, colors } = brand;
  const urlOf = ({ sha256 }: StoredFile): string => shownFileUrl(publicUrl, agentId, sha256);
  return {
    agent_id: agentId,
    name,
    brand: {
      name: brand.name,
      ...(logo !== undefined && { logo_url: urlOf(logo) }),
      ...(link !== undefined && { link }),
      ...(colors !== undefined && { colors }),
    },
    avatar:
      typeof avatar === "string"
        ? avatar
        : {
            poster_url: urlOf(avatar.poster),
            ...(avatar.loop !== undefined && { loop_url: urlOf(avatar.loop) }),
          },
    modes,
    languages: languages.map(({ code, notice = builtInNotice(code) }) => ({ code, notice })),
    default_language: defaultLanguage,
    max_minutes: limits.maxMinutes,
    ...(person !== undefined && { person }),
  };
}

/** Where visitors' browsers find a logo, a content or a face. */
export function shownFileUrl(publicUrl: string, agentId: string, sha256: string): string {
  return `${publicUrl}/sdk/v1/agents/${agentId}/files/${sha256}`;
}
