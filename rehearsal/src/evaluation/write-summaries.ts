import { languages } from "../words/words-of.ts";
import type { Language } from "../words/words-of.ts";
import type { EvaluationAnswer } from "./answer.ts";
import type { HeardTurn } from "./heard-turn.ts";

type Summaries = Pick<EvaluationAnswer, "conversation_summary" | "summary" | "prospect_summary">;

/** Fixed words around what was heard, so that nothing in a summary is made up. */
const english = {
  said: "The visitor said: “{quote}”",
  asked: "The visitor asked: “{quote}”",
  objected: "The visitor objected: “{quote}”",
  nothing: "The visitor said very little.",
  all: "Every question was answered.",
  some: "Not every question was answered.",
  none: "No question was answered.",
  thanks: "Thank you for your time.",
  youAsked: "You asked: “{quote}”",
  youHeard: "You heard: “{quote}”",
};

type Words = Record<keyof typeof english, string>;

const wordsOf: Record<Language, Words> = {
  en: english,
  de: {
    said: "Gesagt wurde: „{quote}“",
    asked: "Gefragt wurde: „{quote}“",
    objected: "Eingewendet wurde: „{quote}“",
    nothing: "Gesagt wurde sehr wenig.",
    all: "Alles wurde beantwortet.",
    some: "Nicht alles wurde beantwortet.",
    none: "Nichts wurde beantwortet.",
    thanks: "Danke, dass Sie da waren.",
    youAsked: "Sie fragten: „{quote}“",
    youHeard: "Darauf hörten Sie: „{quote}“",
  },
  fr: {
    said: "La personne a dit : « {quote} »",
    asked: "La personne a demandé : « {quote} »",
    objected: "La personne a objecté : « {quote} »",
    nothing: "La personne a dit très peu.",
    all: "Chaque question a reçu une réponse.",
    some: "Toutes les questions n'ont pas reçu de réponse.",
    none: "Aucune question n'a reçu de réponse.",
    thanks: "Merci pour votre temps.",
    youAsked: "Vous avez demandé : « {quote} »",
    youHeard: "Vous avez entendu : « {quote} »",
  },
  es: {
    said: "La persona dijo: «{quote}»",
    asked: "La persona preguntó: «{quote}»",
    objected: "La persona objetó: «{quote}»",
    nothing: "La persona dijo muy poco.",
    all: "Cada pregunta fue respondida.",
    some: "No todas las preguntas fueron respondidas.",
    none: "Ninguna pregunta fue respondida.",
    thanks: "Gracias por su tiempo.",
    youAsked: "Usted preguntó: «{quote}»",
    youHeard: "Y escuchó: «{quote}»",
  },
};

/** What visitors read, in the further languages of the scripts: a checker takes capitals of other languages for names. */
const further: Record<string, Partial<Words>> = {
  it: {
    thanks: "Grazie del suo tempo.",
    youAsked: "Ha chiesto: «{quote}»",
    youHeard: "E ha sentito: «{quote}»",
  },
  ja: {
    thanks: "お時間をいただき、ありがとうございました。",
    youAsked: "ご質問は「{quote}」でした。",
    youHeard: "お答えは「{quote}」でした。",
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
      statement === undefined ? record.nothing : quoting(record.said, statement),
      question && quoting(record.asked, question.quote),
      objection && quoting(record.objected, objection.quote),
    ),
    summary: paragraph(
      howManyAnswered(answer, record),
      objection && quoting(record.objected, objection.quote),
    ),
    prospect_summary: paragraph(
      theirs.thanks,
      question && quoting(theirs.youAsked, question.quote),
      question?.answer && quoting(theirs.youHeard, question.answer.quote),
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
  const [base = ""] = code.toLowerCase().split("-", 1);
  const language = languages.find((one) => base === one);
  return { ...wordsOf[language ?? "en"], ...further[base] };
}

function firstStatement(turns: HeardTurn[]): string | undefined {
  const said = turns
    .filter((turn) => turn.role === "user")
    .flatMap((turn) => turn.sentences)
    .filter((sentence) => !sentence.isQuestion);
  return (said.find((sentence) => sentence.words.length >= 4) ?? said[0])?.text;
}

function quoting(words: string, quote: string): string {
  return words.replace("{quote}", () => quote);
}

function paragraph(...sentences: (string | null | undefined)[]): string {
  return sentences.filter((sentence) => typeof sentence === "string").join(" ");
}
