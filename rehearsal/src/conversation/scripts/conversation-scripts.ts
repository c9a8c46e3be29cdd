import { join } from "node:path";
import * as z from "zod";
import { readScripts } from "../../read-scripts.ts";
import { languages, phrasePattern } from "../../words/words-of.ts";
import type { Language } from "../../words/words-of.ts";

/** All that a host has ready. */
export interface ConversationScripts {
  /** How many files there are. */
  count: number;
  says(language: Language): Sayings;
  /** Finds what visitors say in any language, whichever one the talk is held in. */
  hears: HeardPatterns;
  /** Under the names of their files. */
  topics: { by: string; topic: Topic; pattern: RegExp }[];
  wordingOf(question: string): QuestionWording | undefined;
  /** Words that answer a question before it is asked. */
  isAnsweredBy(question: string, said: string): boolean;
}

export type HeardPatterns = Record<(typeof heardKinds)[number], RegExp>;

/** What a host says in one language. Several to choose from for each occasion. */
export type Sayings = Record<(typeof saidKinds)[number], string[]>;

/** The same in every language. */
type Localised = Record<Language, string[]>;

/** One thing that visitors ask about. */
export interface Topic {
  /**
   * The words of the agent's knowledge that the answer renders. Without them the answer is not
   * given: it would be untrue. Left out for what the knowledge does not hold.
   */
  from?: string;
  /** Any of these, as whole words; `*` at the end stands for any ending. */
  when: Localised;
  say: Localised;
  /** Content to show with it, by its id, how it is announced, and how it is offered to somebody who did not ask. */
  show?: { id: string; say: Localised; offer?: Localised };
}

/** How a question is asked in each language. */
export interface QuestionWording {
  /** As the agent has it. A question with another text is asked as it is. */
  text: string;
  ask: Localised;
  /** Said to an answer. */
  thanks: Localised;
  /** Words in a statement of the visitor's that answer it before it is asked; `*` stands for any ending. */
  answered_by: Localised;
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
  const patterns = heardKinds.map((kind) => [
    kind,
    phrasePattern(...spoken.map(({ hears }) => hears[kind])),
  ]);
  return {
    count: spoken.length + topicFiles.length + questionFiles.length,
    says: (language) => (spoken.find((one) => one.language === language) ?? english).says,
    hears: Object.fromEntries(patterns) as HeardPatterns,
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

function everywhere(localised: Localised): RegExp {
  return phrasePattern(...languages.map((language) => localised[language]));
}

const heardKinds = [
  "trick",
  "hostile",
  "model",
  "human",
  "person",
  "farewell",
  "email",
  "off_topic",
  "how_are_you",
  "thanks",
  "hello",
  "yes",
  "no",
  "unsure",
  "browsing",
  "worry",
  "correction",
  "asks",
] as const;

const saidKinds = [
  "trick",
  "hostile",
  "model",
  "human",
  "person",
  "no_person",
  "offer_person",
  "team_sees",
  "off_topic",
  "how_are_you",
  "thanks",
  "hello",
  "browsing",
  "yes",
  "no",
  "unsure",
  "noted",
  "noted_several",
  "corrected",
  "lost",
  "unknown",
  "rest",
  "found",
  "found_foreign",
  "again",
  "invite",
  "anything_else",
  "show",
  "offer_show",
  "ask_action",
  "do_action",
  "action_done",
  "action_declined",
  "action_failed",
  "silence",
  "pick_up",
  "offer_email",
  "offer_address",
  "email_card",
  "no_email",
  "email_confirmed",
  "mail_follows",
  "email_declined",
  "goodbye",
  "recap_said",
  "recap_saw",
] as const;

/** One text, or several to choose from. */
const variants = z.union([z.string().transform((text) => [text]), z.array(z.string())]);

/** Phrases to listen for, separated by commas. */
const phrases = z.string().transform((text) =>
  text
    .split(",")
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== ""),
);

const inEachLanguage = <T>(schema: z.ZodType<T>) => z.record(z.enum(languages), schema);

/** How a host hears and speaks one language, whatever the product is. */
const manners = z.strictObject({
  about: z.string(),
  language: z.enum(languages),
  /** Phrases by which a visitor's turn is known, as whole words; `*` at the end stands for any ending. */
  hears: z.record(z.enum(heardKinds), phrases),
  says: z.record(z.enum(saidKinds), variants),
});

/** Answers that stand ready for what visitors ask about one agent. */
export const topics: z.ZodType<{ about: string; topics: Topic[] }> = z.strictObject({
  about: z.string(),
  topics: z.array(
    z.strictObject({
      from: z.string().exactOptional(),
      when: inEachLanguage(phrases),
      say: inEachLanguage(variants),
      show: z
        .strictObject({
          id: z.string(),
          say: inEachLanguage(variants),
          offer: inEachLanguage(variants).exactOptional(),
        })
        .exactOptional(),
    }),
  ),
});

/** How the questions of one agent are asked in each language. */
export const questionWordings: z.ZodType<{ about: string; questions: QuestionWording[] }> =
  z.strictObject({
    about: z.string(),
    questions: z.array(
      z.strictObject({
        text: z.string(),
        ask: inEachLanguage(variants),
        thanks: inEachLanguage(variants),
        answered_by: inEachLanguage(phrases),
      }),
    ),
  });
