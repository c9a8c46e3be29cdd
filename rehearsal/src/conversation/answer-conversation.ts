import type { Named } from "../read-scripts.ts";
import { languageOf } from "../words/language-of.ts";
import { phrasePattern } from "../words/phrase-pattern.ts";
import { wordsOf } from "../words/words-of.ts";
import type { ConversationScript, ScriptedAnswer } from "./script.ts";

/** What a conversation needs of a request. */
export interface Said {
  /** Nothing yet: undefined. */
  lastUserText: string | undefined;
  /** The last message is a tool's. */
  afterTool: boolean;
  /** Names of the tools that may be called. */
  tools: string[];
}

export interface Spoken {
  text: string;
  call?: { tool: string; arguments: Record<string, unknown> };
  /** The script it came from, or "rules". */
  by: string;
}

/** Said when no script has an answer. */
const otherwise = {
  en: "I know no more than my script. What else would you like to see?",
  de: "Ich weiß nicht mehr als mein Skript. Was möchten Sie noch sehen?",
  fr: "Je ne sais rien de plus que mon script. Que souhaitez-vous voir d'autre ?",
  es: "No sé más que mi guion. ¿Qué más le gustaría ver?",
};

const greeting = "Hello, I am an AI guide. What brings you here?";

/** Answers the visitor's last words from the first scripted answer that fits. */
export function conversationAnswerer(scripts: Named<ConversationScript>[]): (said: Said) => Spoken {
  const known = scripts.flatMap(({ name, script }) =>
    script.answers.map((answer) => ({ name, answer, pattern: phrasePattern(answer.when) })),
  );
  return ({ lastUserText, afterTool, tools }) => {
    if (lastUserText === undefined) return { text: greeting, by: "rules" };
    const fitting = known.find(({ pattern }) => pattern.test(lastUserText));
    const fallback = otherwise[languageOf(wordsOf(lastUserText)) ?? "en"];
    if (fitting === undefined) return { text: fallback, by: "rules" };
    const { answer, name: by } = fitting;
    return afterTool
      ? { text: answer.afterwards ?? fallback, by }
      : { ...spoken(answer, tools), by };
  };
}

function spoken({ say, call, afterwards }: ScriptedAnswer, tools: string[]): Omit<Spoken, "by"> {
  const canCall = call !== undefined && tools.includes(call.tool);
  if (canCall) return { text: say, call };
  return { text: [say, call === undefined ? "" : afterwards].filter(Boolean).join(" ") };
}
