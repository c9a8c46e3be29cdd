import { createHash } from "node:crypto";
import type { AgentFile } from "@svc/contract/types";
import type { AgentFolder } from "./agent-files.ts";

/**
 * What an agent's folder says, field by field, written from the documentation alone: the plan
 * must name exactly the fields whose meaning differs.
 */
export function meaningOf({ file, files }: AgentFolder): Map<string, string> {
  const meaning = new Map<string, string>();
  const say = (field: string, value: Said | Said[]): void => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return;
    meaning.set(field, Array.isArray(value) ? value.join(", ") : String(value));
  };
  const sayFile = (field: string | undefined, path: string | undefined): void => {
    if (path === undefined) return;
    if (field !== undefined) say(field, path);
    meaning.set(path, createHash("sha256").update(files[path]!).digest("hex"));
  };
  const languages = file.languages ?? { en: null };
  const first = file.default_language ?? Object.keys(languages)[0]!;
  const knowledge = file.knowledge ?? Object.keys(files).filter(isKnowledge).toSorted(byName);
  say("name", file.name);
  say("brand.name", file.brand?.name ?? file.name);
  say("brand.link", file.brand?.link);
  sayFile("brand.logo", file.brand?.logo);
  say("brand.colors.primary", file.brand?.colors?.primary);
  say("brand.colors.text", file.brand?.colors?.text);
  say("modes", file.modes ?? ["voice", "text"]);
  say("languages", Object.keys(languages));
  for (const [code, texts] of Object.entries(languages))
    for (const [name, words] of Object.entries(texts ?? {}))
      say(`languages.${code}.${name}`, words);
  say("default_language", first);
  say("record_language", file.record_language ?? first);
  say("persona", file.persona);
  say("instructions", file.instructions);
  say("knowledge", knowledge);
  for (const path of knowledge) sayFile(undefined, path);
  say(
    "content",
    (file.content ?? []).map(({ id }) => id),
  );
  for (const { id, file: path, ...rest } of file.content ?? []) {
    sayFile(`content.${id}.file`, path);
    for (const [name, value] of Object.entries(rest)) say(`content.${id}.${name}`, value);
  }
  for (const list of ["questions", "insights"] as const) {
    say(list, Object.keys(file[list] ?? {}));
    for (const [key, words] of Object.entries(file[list] ?? {})) say(`${list}.${key}`, words);
  }
  say("qualification.qualified", file.qualification?.qualified);
  say("qualification.disqualified", file.qualification?.disqualified);
  say("tools", file.tools ?? usualTools(file, knowledge));
  say("limits.max_minutes", file.limits?.max_minutes ?? 20);
  for (const name of ["at_once", "daily_starts", "daily_cost"] as const)
    say(`limits.${name}`, file.limits?.[name]);
  say("allowed_origins", file.allowed_origins);
  say("test_origins", file.test_origins);
  const { avatar = "linden" } = file;
  if (typeof avatar === "string") say("avatar", avatar);
  else {
    sayFile("avatar.poster", avatar.poster);
    sayFile("avatar.loop", avatar.loop);
  }
  const { person } = file;
  say("person", person === undefined || person.includes("://") ? person : `mailto:${person}`);
  say("follow_up", file.follow_up ?? true);
  return meaning;
}

/** The fields that mean something else in the other folder. */
export function differences(from: AgentFolder, to: AgentFolder): string[] {
  const [before, after] = [meaningOf(from), meaningOf(to)];
  const fields = new Set([...before.keys(), ...after.keys()]);
  return [...fields].filter((field) => before.get(field) !== after.get(field)).toSorted();
}

function usualTools(file: AgentFile, knowledge: string[]): string[] {
  return [
    ...((file.content ?? []).length > 0 ? ["show_content"] : []),
    "ask_email",
    ...(knowledge.length > 0 ? ["search_knowledge"] : []),
    ...(file.person === undefined ? [] : ["talk_to_a_person"]),
    "end_session",
  ];
}

type Said = string | number | boolean | undefined;

const isKnowledge = (path: string): boolean => path.startsWith("knowledge/");
const byName = (a: string, b: string): number => (a < b ? -1 : 1);
