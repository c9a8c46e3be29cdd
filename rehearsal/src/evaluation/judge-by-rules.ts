import { contentWords, languageOf, phrasePattern, shared, wordsOf } from "../words/words-of.ts";
import type { EvaluationAnswer, QualificationAnswer, QuestionAnswer, Value } from "./answer.ts";
import type { EvaluationDocument } from "./document.ts";
import { hear, quote, replyTo } from "./heard-turn.ts";
import type { HeardSentence, HeardTurn } from "./heard-turn.ts";
import { howManyAnswered, wordsFor, writeSummaries } from "./write-summaries.ts";

const objection = phrasePattern(
  ["too expensive", "no budget", "have no time", "don't have time", "not convinced", "don't trust"],
  ["I'm worried", "I am worried", "we're worried", "we are worried", "my concern"],
  ["zu teuer", "kein Budget", "keine Zeit", "nicht überzeugt", "mir Sorgen", "habe Bedenken"],
  ["trop cher", "pas le temps", "pas le budget", "pas convaincu", "pas convaincue", "m'inquiète"],
  ["demasiado caro", "muy caro", "no tenemos tiempo", "no me convence", "me preocupa"],
);

/** Nobody listens to more than this. */
const MAX_ITEMS = 20;

/** How a configured question may be asked beside its own text. */
export type Wordings = (question: string) => readonly string[];

/** An evaluation that claims only what it can quote word for word. */
export function judgeByRules(
  document: EvaluationDocument,
  wordings: Wordings = () => [],
): EvaluationAnswer {
  const turns = hear(document.transcript);
  const said = turns
    .filter((turn) => turn.role === "user")
    .flatMap((turn) => turn.sentences.map((sentence) => ({ turn, sentence })));
  const questions = Object.fromEntries(
    document.questions.map(({ key, text }) => [
      key,
      judgeQuestion([text, ...wordings(text)], turns),
    ]),
  );
  const spoken = languageOf(said.flatMap(({ sentence }) => sentence.words));
  // The summary for a visitor is written in a language of the agent's.
  const isOffered = document.languages.some((code) => code.split("-", 1)[0] === spoken);
  const [first = spoken ?? document.record_language] = document.languages;
  const claims = {
    language: isOffered ? spoken! : first,
    customer_name: findName(document),
    questions,
    insights: Object.fromEntries(
      document.insights.map(({ key, text }) => [key, findInsight(text, said)]),
    ),
    prospect_questions: said
      .filter(({ sentence }) => sentence.isQuestion)
      .slice(0, MAX_ITEMS)
      .map(({ turn, sentence }) => ({
        ...quote(turn, sentence),
        question: sentence.text,
        answer: replyTo(turn, turns),
      })),
    objections: said
      .filter(({ sentence }) => objection.test(sentence.text))
      .slice(0, MAX_ITEMS)
      .map(({ turn, sentence }) => ({
        ...quote(turn, sentence),
        objection: sentence.text,
        response: replyTo(turn, turns),
      })),
    ...(document.qualification && {
      qualification: judgeQualification(questions, document.record_language),
    }),
  };
  return { ...claims, ...writeSummaries(claims, turns, document.record_language) };
}

/** The statement that shares the most with what is looked for: two content words at least. */
function findInsight(
  text: string,
  said: { turn: HeardTurn; sentence: HeardSentence }[],
): Value | null {
  const wanted = contentWords(wordsOf(text));
  let best: Value | null = null;
  let most = Math.min(2, wanted.size) - 1;
  for (const { turn, sentence } of said) {
    const count = shared(wanted, sentence.content);
    if (sentence.isQuestion || count <= most || sentence.words.length < 3) continue;
    most = count;
    best = { ...quote(turn, sentence), value: sentence.text };
  }
  return best;
}

/** Rules cannot weigh criteria: whoever answered everything counts as qualified. */
function judgeQualification(
  questions: EvaluationAnswer["questions"],
  recordLanguage: string,
): QualificationAnswer {
  const answers = Object.values(questions).map((question) => question.answered);
  const because = answers.flatMap((answer) =>
    answer !== null && wordsOf(answer.quote).length >= 3
      ? [{ turn: answer.turn, quote: answer.quote }]
      : [],
  );
  const enough = because.length > 0 && answers.every((answer) => answer !== null);
  return {
    status: enough ? "qualified" : "not_enough_data",
    reasoning: howManyAnswered({ questions }, wordsFor(recordLanguage)),
    because: enough ? because : [],
  };
}

/** The visitor's name: as they gave it, else as the page did. */
function findName({ transcript, metadata }: EvaluationDocument): Value | null {
  for (const { turn, role, heard } of transcript) {
    const match = role === "user" ? introduction.exec(heard) : null;
    if (match !== null) return { turn, quote: match[0], value: match[1]! };
  }
  const known = new Map(Object.entries(metadata));
  const value = metadataKeys.map((key) => known.get(key)?.trim()).find(Boolean);
  return value === undefined ? null : { turn: 0, quote: value, value };
}

/** "I am …" is not here: what follows is as often a trade, a place or a mood. */
const introduction: RegExp =
  /(?:[Mm]y name is|[Ii] am called|[Ii]ch heiße|[Mm]ein Name ist|[Jj]e m['’]appelle|[Mm]e llamo|[Mm]i nombre es) ((?:\p{Lu}[\p{L}'’-]+)(?: \p{Lu}[\p{L}'’-]+){0,2})/u;

const metadataKeys = ["name", "full_name", "fullName", "first_name", "firstName"];

/** How much of a configured question must be in a sentence of the agent's for it to be that question. */
const MOST = 0.6;

const noAnswer = phrasePattern(
  ["don't know", "no idea", "rather not", "not sure"],
  ["weiß nicht", "weiß ich nicht", "keine Ahnung"],
  ["sais pas", "aucune idée"],
  ["no sé", "no lo sé", "ni idea"],
);

/**
 * Asked: a sentence of the agent's with most of its content words. Answered: what the visitor says to that.
 *
 * @param wordings the configured text, and how it may be asked in other words or languages.
 */
function judgeQuestion(wordings: readonly string[], turns: HeardTurn[]): QuestionAnswer {
  const wanted = wordings.map((text) => contentWords(wordsOf(text))).filter(({ size }) => size > 0);
  for (const [index, turn] of turns.entries()) {
    if (turn.role !== "assistant") continue;
    const asked = turn.sentences.find(({ content }) =>
      wanted.some((words) => shared(words, content) >= words.size * MOST),
    );
    if (asked === undefined) continue;
    return { asked: quote(turn, asked), answered: answerIn(nextUserTurn(turns, index)) };
  }
  return { asked: null, answered: null };
}

function nextUserTurn(turns: HeardTurn[], after: number): HeardTurn | undefined {
  return turns.slice(after + 1).find((turn) => turn.role === "user");
}

function answerIn(turn: HeardTurn | undefined): QuestionAnswer["answered"] {
  const said = turn?.sentences.filter(isAnswer) ?? [];
  const best = said.find((sentence) => sentence.words.length >= 3) ?? said[0];
  if (turn === undefined || best === undefined) return null;
  return { ...quote(turn, best), answer: withoutStop(best) };
}

function isAnswer({ isQuestion, text }: HeardSentence): boolean {
  return !isQuestion && !noAnswer.test(text) && !introduction.test(text);
}

function withoutStop({ text }: HeardSentence): string {
  return text.replace(/[.!]$/, "");
}
