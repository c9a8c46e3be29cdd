import { wordsOf } from "#language";
import type { AgentFacts, AgentMode } from "@svc/contract/types";
import type { AgentConfig, ShownFile, ShownLink, StoredFile } from "../config/agent-config.ts";
import type { StartableAgent } from "./startable-agent.ts";

/**
 * The public facts of an agent for the page and the call. They include nothing of its instructions
 * or knowledge.
 *
 * @param modes the modes on offer now: the agent's own, without voice while no speech provider
 * answers.
 */
export function agentFacts(
  { agentId, state, config }: StartableAgent,
  modes: AgentMode[],
  publicUrl: string,
): AgentFacts {
  const { name, brand, theme, avatar, languages, defaultLanguage, limits, person } = config;
  const { logo, link, cta, colors } = brand;
  const urlOf = ({ sha256 }: StoredFile): string => shownFileUrl(publicUrl, agentId, sha256);
  return {
    agent_id: agentId,
    name,
    brand: {
      name: brand.name,
      ...(logo !== undefined && { logo_url: urlOf(logo) }),
      ...(link !== undefined && { link }),
      ...(cta !== undefined && { cta }),
      ...(colors !== undefined && { colors }),
    },
    ...(theme !== undefined && { theme }),
    avatar:
      typeof avatar === "string"
        ? avatar
        : {
            poster_url: urlOf(avatar.poster),
            ...(avatar.loop !== undefined && { loop_url: urlOf(avatar.loop) }),
          },
    modes,
    languages: languages.map(({ code, wordsFile }) => ({
      code,
      notice: noticeIn(config, code),
      notice_link: {
        text: wordsOf(languages, code).recipients.link,
        url: `${publicUrl}/who-hears-you/${agentId}?language=${code}`,
      },
      ...(wordsFile !== undefined && { words_url: urlOf(wordsFile) }),
    })),
    default_language: defaultLanguage,
    max_minutes: limits.maxMinutes,
    ...(person !== undefined && { person }),
    ...(state === "paused" && { paused: true }),
  };
}

/** The notice that visitors who chose a language are given; of a language that the agent has not, its first one's, as the SDK does. */
export function noticeIn({ languages }: Pick<AgentConfig, "languages">, language: string): string {
  const { code, notice } = languages.find((one) => one.code === language) ?? languages[0]!;
  return notice ?? wordsOf(languages, code).notice;
}

/** The URL of a logo, a content file or an avatar for visitors' browsers. */
export function shownFileUrl(publicUrl: string, agentId: string, sha256: string): string {
  return `${publicUrl}/sdk/v1/agents/${agentId}/files/${sha256}`;
}

/**
 * The agent's language for a visitor's preference: the same code, then a less specific code, then
 * the same language of another region, then the default.
 */
export function matchLanguage(
  wanted: string,
  { languages, defaultLanguage }: { languages: { code: string }[]; defaultLanguage: string },
): string {
  const codes = languages.map(({ code }) => code);
  const parts = wanted.split("-");
  for (let length = parts.length; length > 0; length--) {
    const code = parts.slice(0, length).join("-");
    if (codes.includes(code)) return code;
  }
  return codes.find((code) => code.split("-", 1)[0] === parts[0]) ?? defaultLanguage;
}

/** A slide as the visitors of a language see it. */
export interface TranslatedContent {
  title: string;
  /** False for a title that is shown in the agent's default language, because it has no translation. */
  isTitleTranslated: boolean;
  source: ShownFile | ShownLink;
}

export function contentIn(
  { defaultLanguage }: Pick<AgentConfig, "defaultLanguage">,
  content: AgentConfig["content"][number],
  language: string,
): TranslatedContent {
  const { languages = [], title } = content;
  const known = [...languages, { code: defaultLanguage }];
  const code = matchLanguage(language, { languages: known, defaultLanguage: "" });
  const own = languages.find((one) => one.code === code);
  const original = "file" in content ? shownFile(content) : shownLink(content);
  const { link } = own ?? {};
  return {
    title: own?.title ?? title,
    isTitleTranslated: own === undefined ? code !== "" : own.title !== undefined,
    source:
      own !== undefined && hasFile(own)
        ? shownFile(own)
        : link === undefined
          ? original
          : { ...original, link },
  };
}

function hasFile<T extends Partial<ShownFile>>(one: T): one is T & ShownFile {
  return one.file !== undefined;
}

function shownLink({ link, place }: ShownLink): ShownLink {
  return { link, ...(place !== undefined && { place }) };
}

function shownFile({ file, slide }: ShownFile): ShownFile {
  return { file, ...(slide !== undefined && { slide }) };
}
