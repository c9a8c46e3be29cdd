import { languages } from "../words/words-of.ts";
import type { Language } from "../words/words-of.ts";
import type { EvaluationAnswer } from "./answer.ts";
import type { HeardTurn } from "./heard-turn.ts";

type Summaries = Pick<EvaluationAnswer, "conversation_summary" | "summary" | "prospect_summary">;

/** Fixed words around what was heard, so that nothing in a summary is made up. */
interface Words {
  said(quote: string): string;
  asked(quote: string): string;
  objected(quote: string): string;
  nothing: string;
  all: string;
  some: string;
  none: string;
  thanks: string;
  youAsked(quote: string): string;
  youHeard(quote: string): string;
}

const wordsOf: Record<Language, Words> = {
  en: {
    said: (quote) => `The visitor said: “${quote}”`,
    asked: (quote) => `The visitor asked: “${quote}”`,
    objected: (quote) => `The visitor objected: “${quote}”`,
    nothing: "The visitor said very little.",
    all: "Every question was answered.",
    some: "Not every question was answered.",
    none: "No question was answered.",
    thanks: "Thank you for your time.",
    youAsked: (quote) => `You asked: “${quote}”`,
    youHeard: (quote) => `You heard: “${quote}”`,
  },
  de: {
    said: (quote) => `Gesagt wurde: „${quote}“`,
    asked: (quote) => `Gefragt wurde: „${quote}“`,
    objected: (quote) => `Eingewendet wurde: „${quote}“`,
    nothing: "Gesagt wurde sehr wenig.",
    all: "Alles wurde beantwortet.",
    some: "Nicht alles wurde beantwortet.",
    none: "Nichts wurde beantwortet.",
    thanks: "Danke, dass Sie da waren.",
    youAsked: (quote) => `Sie fragten: „${quote}“`,
    youHeard: (quote) => `Darauf hörten Sie: „${quote}“`,
  },
  fr: {
    said: (quote) => `La personne a dit : « ${quote} »`,
    asked: (quote) => `La personne a demandé : « ${quote} »`,
    objected: (quote) => `La personne a objecté : « ${quote} »`,
    nothing: "La personne a dit très peu.",
    all: "Chaque question a reçu une réponse.",
    some: "Toutes les questions n'ont pas reçu de réponse.",
    none: "Aucune question n'a reçu de réponse.",
    thanks: "Merci pour votre temps.",
    youAsked: (quote) => `Vous avez demandé : « ${quote} »`,
    youHeard: (quote) => `Vous avez entendu : « ${quote} »`,
  },
  es: {
    said: (quote) => `La persona dijo: «${quote}»`,
    asked: (quote) => `La persona preguntó: «${quote}»`,
    objected: (quote) => `La persona objetó: «${quote}»`,
    nothing: "La persona dijo muy poco.",
    all: "Cada pregunta fue respondida.",
    some: "No todas las preguntas fueron respondidas.",
    none: "Ninguna pregunta fue respondida.",
    thanks: "Gracias por su tiempo.",
    youAsked: (quote) => `Usted preguntó: «${quote}»`,
    youHeard: (quote) => `Y escuchó: «${quote}»`,
  },
};

/** The record's summaries in its language, the visitor's in theirs. */
export function writeSummaries(
  answer: Omit<EvaluationAnswer, keyof Summaries>,
  turns: HeardTurn[],
  recordLanguage: string,
): Summaries {
  const record = wordsFor(recordLanguage);
  const theirs = wordsFor(answer.language);
  const statement = firstStatement(turns);
  const question = answer.prospect_questions[0];
  const objection = answer.objections[0];
  return {
    conversation_summary: paragraph(
      statement === undefined ? record.nothing : record.said(statement),
      question && record.asked(question.quote),
      objection && record.objected(objection.quote),
    ),
    summary: paragraph(
      howManyAnswered(answer, record),
      objection && record.objected(objection.quote),
    ),
    prospect_summary: paragraph(
      theirs.thanks,
      question && theirs.youAsked(question.quote),
      question?.answer && theirs.youHeard(question.answer.quote),
    ),
  };
}

/** How far the questions got, in a sentence of that language. */
export function howManyAnswered(
  { questions }: Pick<EvaluationAnswer, "questions">,
  words: Words,
): string {
  const all = Object.values(questions);
  const answered = all.filter((question) => question.answered !== null);
  if (answered.length === 0) return words.none;
  return answered.length === all.length ? words.all : words.some;
}

/** A code such as `de-CH` takes the words of its language; one without words takes English. */
export function wordsFor(code: string): Words {
  const language = languages.find((one) => code.toLowerCase().split("-", 1)[0] === one);
  return wordsOf[language ?? "en"];
}

function firstStatement(turns: HeardTurn[]): string | undefined {
  const said = turns
    .filter((turn) => turn.role === "user")
    .flatMap((turn) => turn.sentences)
    .filter((sentence) => !sentence.isQuestion);
  return (said.find((sentence) => sentence.words.length >= 4) ?? said[0])?.text;
}

function paragraph(...sentences: (string | null | undefined)[]): string {
  return sentences.filter((sentence) => typeof sentence === "string").join(" ");
}
