import { fold, namesIn, OwnerFigures, Source } from "#language";
import type { DemoAgent } from "../conversation.ts";
import { RULES } from "../prompt/instructions.ts";

/** What an agent may say and what it must keep to itself. */
export interface AgentTexts {
  /** Knowledge, content, names, greetings, titles, questions: whatever stands there may be said. */
  open: Source[];
  /** The figures that stand there. */
  figures: OwnerFigures;
  /** Rules, persona, instructions, conditions, criteria. */
  hidden: Source[];
  /** The questions to ask, by their keys. */
  questions: ReadonlyMap<string, Source>;
  /** Names and codes that stand in the hidden texts alone. */
  marks: string[];
}

const read = new WeakMap<DemoAgent, AgentTexts>();

/** Kept as long as the agent is: it is the same for all conversations of a version. */
export function agentTexts(agent: DemoAgent): AgentTexts {
  const texts = read.get(agent) ?? textsOf(agent);
  read.set(agent, texts);
  return texts;
}

function textsOf(agent: DemoAgent): AgentTexts {
  const { config } = agent;
  const texts = openTexts(agent);
  const open = texts.map((text) => new Source(text));
  const codes = config.languages.map(({ code }) => code);
  const conditions = [
    ...config.content.map(({ showWhen = "" }) => showWhen),
    ...(config.actions ?? []).map(({ doWhen = "" }) => doWhen),
  ];
  const own = [config.persona ?? "", config.instructions ?? "", ...conditions];
  const { qualified = "", disqualified = "" } = config.qualification ?? {};
  const languages = codes.map((code) => languageNames.of(code) ?? "");
  const known = [...open, new Source(languages.join(" "))];
  const keys = config.questions.map(({ key }) => key);
  const secretWords = codesOf([RULES, ...own, ...keys]);
  // "HARBOUR" of HARBOUR-7 is a word that anybody may say.
  const names = namesOf(own, config.defaultLanguage).filter(
    (name) => !secretWords.some((word) => fold(word).includes(` ${name} `)),
  );
  const marks = new Set([...names, ...secretWords]);
  return {
    open,
    figures: new OwnerFigures(texts, codes),
    questions: new Map(config.questions.map(({ key, text }) => [key, new Source(text)])),
    hidden: [RULES, ...own, qualified, disqualified].map((text) => new Source(text)),
    marks: [...marks].filter((mark) => !known.some((source) => source.says(mark))),
  };
}

function openTexts({ config, knowledge, contentTexts, translatedTexts }: DemoAgent): string[] {
  const { name, brand, languages, content, actions = [], questions, person = "" } = config;
  return [
    name,
    brand.name,
    brand.link ?? "",
    person,
    ...languages.flatMap(({ greeting = "", notice = "" }) => [greeting, notice]),
    ...content.flatMap((one) => [one.title, "link" in one ? one.link : ""]),
    ...content.flatMap(({ languages: own = [] }) =>
      own.flatMap(({ title = "", link = "" }) => [title, link]),
    ),
    ...actions.flatMap(({ title, describe, languages: own = [] }) => [
      title,
      describe,
      ...own.map((one) => one.title),
    ]),
    ...(contentTexts?.values() ?? []),
    ...(translatedTexts ?? []),
    ...questions.map(({ text }) => text),
    ...knowledge.flatMap((section) => [section.name, section.text]),
  ];
}

function namesOf(texts: string[], language: string): string[] {
  const [base = language] = language.split("-");
  return texts
    .flatMap((text) => namesIn(text, base))
    .filter(({ name, mayBePlain }) => !mayBePlain && name.length >= SHORTEST_NAME)
    .map(({ name }) => name);
}

const SHORTEST_NAME = 4;

/** "Answer in German" is no secret. */
const languageNames = new Intl.DisplayNames("en", { type: "language" });

/** Words with digits or an underscore, or of five capitals and more. */
function codesOf(texts: string[]): string[] {
  const words = texts.flatMap((text) => text.match(/[\p{L}\p{N}_-]{5,}/gu) ?? []);
  return words.filter((word) => /\p{L}.*[\p{N}_]|[\p{N}_].*\p{L}|^[\p{Lu}-]+$/u.test(word));
}
