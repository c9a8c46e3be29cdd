import { contentWords, shared } from "../words/content-words.ts";
import { languageOf } from "../words/language-of.ts";
import { phrasePattern } from "../words/phrase-pattern.ts";
import { wordsOf } from "../words/words-of.ts";
import type { EvaluationAnswer, QualificationAnswer, Value } from "./answer.ts";
import type { EvaluationDocument } from "./document.ts";
import { findName } from "./find-name.ts";
import { hear, quote, replyTo } from "./heard-turn.ts";
import type { HeardSentence, HeardTurn } from "./heard-turn.ts";
import { judgeQuestion } from "./judge-question.ts";
import { howManyAnswered, wordsFor, writeSummaries } from "./write-summaries.ts";

const objection = phrasePattern(
  ["too expensive", "no budget", "have no time", "don't have time", "not convinced", "don't trust"],
  ["I'm worried", "I am worried", "we're worried", "we are worried", "my concern"],
  ["zu teuer", "kein Budget", "keine Zeit", "nicht überzeugt", "mir Sorgen", "habe Bedenken"],
  ["trop cher", "pas le temps", "pas le budget", "pas convaincu", "pas convaincue", "m'inquiète"],
  ["demasiado caro", "muy caro", "no tenemos tiempo", "no me convence", "me preocupa"],
);

/** Nobody listens to more than this. */
const MOST_ITEMS = 20;

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
  const claims = {
    language:
      languageOf(said.flatMap(({ sentence }) => sentence.words)) ??
      document.languages[0] ??
      document.record_language,
    customer_name: findName(document),
    questions,
    insights: Object.fromEntries(
      document.insights.map(({ key, text }) => [key, findInsight(text, said)]),
    ),
    prospect_questions: said
      .filter(({ sentence }) => sentence.isQuestion)
      .slice(0, MOST_ITEMS)
      .map(({ turn, sentence }) => ({
        ...quote(turn, sentence),
        question: sentence.text,
        answer: replyTo(turn, turns),
      })),
    objections: said
      .filter(({ sentence }) => objection.test(sentence.text))
      .slice(0, MOST_ITEMS)
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
