import { join } from "node:path";
import { readScripts } from "../../read-scripts.ts";
import { languages } from "../../words/language-of.ts";
import type { Language } from "../../words/language-of.ts";
import { phrasePattern } from "../../words/phrase-pattern.ts";
import { earsOf } from "../hearing/ears.ts";
import type { Ears } from "../hearing/ears.ts";
import { manners } from "./manners.ts";
import type { Manners } from "./manners.ts";
import { questionWordings } from "./question-wordings.ts";
import type { QuestionWording } from "./question-wordings.ts";
import { topics } from "./topics.ts";
import type { Topic } from "./topics.ts";

/** All that a host has ready. */
export interface ConversationScripts {
  /** How many files there are. */
  count: number;
  says(language: Language): Manners["says"];
  ears: Ears;
  /** Under the names of their files. */
  topics: { by: string; topic: Topic; pattern: RegExp }[];
  wordingOf(question: string): QuestionWording | undefined;
  /** Words that answer a question before it is asked. */
  isAnsweredBy(question: string, said: string): boolean;
}

/** Reads the three folders; undefined where nobody taught it manners. */
export function readConversationScripts(folder: string): ConversationScripts | undefined {
  const spoken = readScripts(join(folder, "manners"), manners).map(({ script }) => script);
  const english = spoken.find(({ language }) => language === "en") ?? spoken[0];
  if (english === undefined) return undefined;
  const topicFiles = readScripts(join(folder, "topics"), topics);
  const questionFiles = readScripts(join(folder, "questions"), questionWordings);
  const wordings = questionFiles.flatMap(({ script }) =>
    script.questions.map((wording) => ({ wording, pattern: everywhere(wording.answered_by) })),
  );
  const wordingOf = (question: string) => wordings.find(({ wording }) => wording.text === question);
  return {
    count: spoken.length + topicFiles.length + questionFiles.length,
    says: (language) => (spoken.find((one) => one.language === language) ?? english).says,
    ears: earsOf(spoken),
    topics: topicFiles.flatMap(({ name, script }) =>
      script.topics.map((topic) => ({
        by: `topics/${name}`,
        topic,
        pattern: new RegExp(everywhere(topic.when), "giu"),
      })),
    ),
    wordingOf: (question) => wordingOf(question)?.wording,
    isAnsweredBy: (question, said) => wordingOf(question)?.pattern.test(said) ?? false,
  };
}

function everywhere(phrases: Record<Language, string[]>): RegExp {
  return phrasePattern(...languages.map((language) => phrases[language]));
}
