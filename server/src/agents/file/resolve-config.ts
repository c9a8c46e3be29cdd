import { AGENT_DEFAULTS } from "@svc/contract/schemas";
import type {
  AgentAction,
  AgentAvatar,
  AgentContent,
  AgentFile,
  AgentPlace,
  AgentPoster,
  AgentQualification,
  AgentTool,
} from "@svc/contract/types";
import { sentencesOf } from "#language";
import type {
  AgentConfig,
  ConfigAction,
  ContentTranslation,
  CriterionItem,
  ShownFile,
  StoredFile,
} from "../config/agent-config.ts";
import { normalOrigin } from "./agent-file-problems.ts";
import { contentCodes, translationPath } from "./file-references.ts";

/** The configuration that an agent file defines, with all defaults filled in and all values normalised. */
export function resolveConfig(
  file: AgentFile,
  knowledge: StoredFile[],
  stored: (path: string) => StoredFile,
  isFile: (path: string) => boolean = () => false,
  shown: (path: string, code?: string) => ShownFile = (path) => ({ file: stored(path) }),
  /** Other languages that a file has in itself. */
  languagesIn: (path: string) => string[] = () => [],
): AgentConfig {
  const languages = Object.entries(file.languages ?? AGENT_DEFAULTS.languages);
  const defaultLanguage = file.default_language ?? languages[0]![0];
  const content = (file.content ?? []).map((one) => {
    const inFile = one.file === undefined ? [] : languagesIn(one.file);
    const named = contentCodes(Object.fromEntries(languages), one.languages ?? {});
    const translations = [...new Set([...named, ...inFile])].map((code) =>
      inFile.includes(code)
        ? { ...resolveTranslation(one, code, shown, () => false), ...shown(one.file!, code) }
        : resolveTranslation(one, code, shown, isFile),
    );
    const own = translations.filter((translation) => Object.keys(translation).length > 1);
    return { ...resolveContent(one, shown), ...(own.length > 0 && { languages: own }) };
  });
  const { brand = {}, theme, limits = {}, qualification, person } = file;
  const actions = Object.entries(file.actions ?? {}).map(resolveAction);
  return {
    name: file.name.trim(),
    brand: {
      name: (brand.name ?? file.name).trim(),
      ...(brand.logo !== undefined && { logo: stored(brand.logo) }),
      ...(brand.link !== undefined && { link: brand.link }),
      ...(brand.privacy !== undefined && { privacy: brand.privacy }),
      ...(brand.cta !== undefined && { cta: mapValues(brand.cta, trimmed) }),
      ...(brand.colors !== undefined && { colors: mapValues(brand.colors, normalColor) }),
    },
    ...(theme !== undefined && theme !== "auto" && { theme }),
    modes: file.modes ?? AGENT_DEFAULTS.modes,
    ...(file.transport === "ws" && { transport: file.transport }),
    languages: languages.map(([code, texts]) => ({ code, ...mapValues(texts ?? {}, trimmed) })),
    defaultLanguage,
    recordLanguage: file.record_language ?? defaultLanguage,
    ...(file.persona !== undefined && { persona: file.persona.trim() }),
    ...(file.instructions !== undefined && { instructions: file.instructions.trim() }),
    knowledge,
    content: [...content, ...Object.entries(file.places ?? {}).map(resolvePlace)],
    ...(actions.length > 0 && { actions }),
    questions: keyed(file.questions),
    insights: keyed(file.insights),
    ...(qualification !== undefined && {
      qualification: resolveQualification(qualification, file.record_language ?? defaultLanguage),
    }),
    tools: file.tools ?? possibleTools(file, knowledge),
    limits: {
      maxMinutes: limits.max_minutes ?? AGENT_DEFAULTS.limits.max_minutes,
      ...(limits.at_once !== undefined && { atOnce: limits.at_once }),
      ...(limits.daily_starts !== undefined && { dailyStarts: limits.daily_starts }),
      ...(limits.daily_cost !== undefined && { dailyCost: limits.daily_cost }),
    },
    allowedOrigins: (file.allowed_origins ?? []).map((one) => normalOrigin(one) ?? one),
    testOrigins: (file.test_origins ?? []).map((one) => normalOrigin(one) ?? one),
    avatar: resolveAvatar(file.avatar ?? AGENT_DEFAULTS.avatar, stored),
    ...(person !== undefined && { person: person.includes("://") ? person : `mailto:${person}` }),
    followUp: file.follow_up ?? AGENT_DEFAULTS.follow_up,
  };
}

/** The configuration of an agent that has only a name. */
export function plainConfig(name: string): AgentConfig {
  return resolveConfig({ name }, [], (path) => {
    throw new Error(`a plain agent has no file ${path}`);
  });
}

/**
 * The criteria as text, and one by one where a side has several. What qualifies is split at sentences
 * too, since it can only become stricter: all must be met. What rules out is split at dashes and empty lines
 * alone, because one is enough there, and a sentence may be an exception to the one before it.
 */
function resolveQualification(
  { qualified, disqualified }: AgentQualification,
  language: string,
): NonNullable<AgentConfig["qualification"]> {
  const wanted = splitCriteria(qualified, (part) => sentencesOf(part, language));
  const unwanted = splitCriteria(disqualified ?? [], (part) => [part]);
  const items = (side: CriterionItem["side"], texts: string[]): CriterionItem[] =>
    texts.map((text, index) => ({
      key: texts.length === 1 ? side : `${side}_${index + 1}`,
      side,
      text,
    }));
  return {
    qualified: asText(qualified),
    ...(disqualified !== undefined && { disqualified: asText(disqualified) }),
    ...(Math.max(wanted.length, unwanted.length) > 1 && {
      items: [...items("qualified", wanted), ...items("disqualified", unwanted)],
    }),
  };
}

/** A list is as its author split it. */
function splitCriteria(given: string | string[], split: (part: string) => string[]): string[] {
  if (typeof given !== "string") return given.map(trimmed);
  return given
    .split(/\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)/u)
    .map((part) => part.replace(/^\s*(?:[-*•]|\d+[.)])\s+/u, "").replaceAll(/\s*\n\s*/gu, " "))
    .flatMap(split)
    .map(trimmed)
    .filter((text) => text !== "");
}

function asText(given: string | string[]): string {
  return typeof given === "string" ? given.trim() : given.map(trimmed).join("\n");
}

function resolveContent(
  { id, title, kind, file, link, show_when: showWhen }: AgentContent,
  shown: (path: string) => ShownFile,
): AgentConfig["content"][number] {
  return {
    id,
    title: title.trim(),
    kind,
    ...(showWhen !== undefined && { showWhen: showWhen.trim() }),
    ...(file === undefined ? { link: link! } : shown(file)),
  };
}

/** Only the code where nothing is different in that language. */
function resolveTranslation(
  { file, languages = {} }: AgentContent,
  code: string,
  shown: (path: string) => ShownFile,
  isFile: (path: string) => boolean,
): ContentTranslation {
  const { title, link, file: named } = languages[code] ?? {};
  const beside = file && translationPath(file, code);
  const own = named ?? (beside !== undefined && isFile(beside) ? beside : undefined);
  return {
    code,
    ...(title !== undefined && { title: title.trim() }),
    ...(own !== undefined && shown(own)),
    ...(link !== undefined && { link }),
  };
}

function resolvePlace([id, place]: [string, AgentPlace]): AgentConfig["content"][number] {
  const { path = "", selector, caption = inWords(id), show_when: showWhen, confirm } = place;
  const translations = Object.entries(place.languages ?? {}).map(([code, own]) => ({
    code,
    ...(own.caption !== undefined && { title: own.caption.trim() }),
    ...(own.path !== undefined && { link: own.path }),
  }));
  return {
    id,
    title: caption.trim(),
    kind: "place",
    ...(showWhen !== undefined && { showWhen: showWhen.trim() }),
    ...(translations.length > 0 && { languages: translations }),
    link: path,
    place: { selector: selector.trim(), confirm: confirm ?? AGENT_DEFAULTS.place.confirm },
  };
}

function resolveAction([id, action]: [string, AgentAction]): ConfigAction {
  const { describe, title = inWords(id), do_when: doWhen, params = {} } = action;
  const translations = Object.entries(action.languages ?? {}).flatMap(([code, own]) =>
    own.title === undefined ? [] : { code, title: own.title.trim() },
  );
  return {
    id,
    describe: describe.trim(),
    title: title.trim(),
    ...(doWhen !== undefined && { doWhen: doWhen.trim() }),
    params: Object.entries(params).map(([key, param]) => ({ key, ...param })),
    confirm: action.confirm ?? AGENT_DEFAULTS.action.confirm,
    perMinute: action.per_minute ?? AGENT_DEFAULTS.action.per_minute,
    ...(translations.length > 0 && { languages: translations }),
  };
}

/** `price_table` → `Price table`. */
function inWords(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1).replaceAll(/[_-]/g, " ");
}

function resolveAvatar(
  avatar: AgentAvatar | AgentPoster,
  stored: (path: string) => StoredFile,
): AgentConfig["avatar"] {
  if (typeof avatar === "string") return avatar;
  const { poster, loop } = avatar;
  return { poster: stored(poster), ...(loop !== undefined && { loop: stored(loop) }) };
}

/** The tools that have something to do for this agent. */
function possibleTools(file: AgentFile, knowledge: StoredFile[]): AgentTool[] {
  const isShowing = (file.content ?? []).length + Object.keys(file.places ?? {}).length > 0;
  return [
    ...(isShowing ? (["show_content"] as const) : []),
    "ask_email",
    ...(knowledge.length > 0 ? (["search_knowledge"] as const) : []),
    ...(file.person === undefined ? [] : (["talk_to_a_person"] as const)),
    "end_session",
  ];
}

function keyed(texts: Record<string, string> = {}): { key: string; text: string }[] {
  return Object.entries(texts).map(([key, text]) => ({ key, text: text.trim() }));
}

/** `#FA0` → `#ffaa00`. */
function normalColor(color: string): string {
  return color.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3").toLowerCase();
}

const trimmed = (text: string): string => text.trim();

function mapValues<T extends object>(map: T, change: (text: string) => string): T {
  return Object.fromEntries(
    Object.entries(map).map(([key, value]) => [key, change(value as string)]),
  ) as T;
}
