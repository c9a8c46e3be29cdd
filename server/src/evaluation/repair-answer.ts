import type { Answer, Dropped, DropReason } from "./answer.ts";

/** Faults of a quote that its judge can correct by copying it again. */
const REPAIRABLE: DropReason[] = ["no_such_turn", "wrong_speaker", "not_heard", "too_short"];

/** What a judge may quote again, of what was left out. */
export function repairable(dropped: Dropped[]): Dropped[] {
  return dropped.filter(({ why }) => REPAIRABLE.includes(why));
}

/**
 * The first answer, with the claims in these places as the second answer has them. Nothing that was not
 * claimed at first is taken over, and no criterion gets another verdict.
 */
export function mergeRepaired(first: Answer, second: Answer, dropped: Dropped[]): Answer {
  const isDropped = (where: string): boolean =>
    dropped.some((one) => one.where === where || one.where.startsWith(`${where}[`));
  const either = <T>(where: string, was: T | undefined, is: T | undefined): T | undefined =>
    was !== undefined && isDropped(where) ? (is ?? was) : was;
  const eachOf = <T>(where: string, was: T[], is: T[], part: (at: string, a: T, b: T) => T): T[] =>
    was.length === is.length
      ? was.map((one, index) => {
          const at = `${where}[${index}]`;
          return dropped.some((gone) => gone.where === at) ? is[index]! : part(at, one, is[index]!);
        })
      : was;
  const { qualification } = first;
  return {
    ...first,
    customerName: either("customer_name", first.customerName, second.customerName),
    questions: new Map(
      [...first.questions].map(([key, { asked, answered }]) => {
        const again = second.questions.get(key);
        return [
          key,
          {
            asked: either(`questions.${key}.asked`, asked, again?.asked),
            answered: either(`questions.${key}.answered`, answered, again?.answered),
          },
        ];
      }),
    ),
    insights: new Map(
      [...first.insights].map(([key, claim]) => [
        key,
        either(`insights.${key}`, claim, second.insights.get(key)) ?? claim,
      ]),
    ),
    prospectQuestions: eachOf(
      "prospect_questions",
      first.prospectQuestions,
      second.prospectQuestions,
      (at, was, is) => ({ ...was, answer: either(`${at}.answer`, was.answer, is.answer) }),
    ),
    objections: eachOf("objections", first.objections, second.objections, (at, was, is) => ({
      ...was,
      response: either(`${at}.response`, was.response, is.response),
    })),
    qualification: qualification && {
      ...qualification,
      items: qualification.items.map((item) => {
        const again = second.qualification?.items.find(({ key }) => key === item.key);
        return again?.verdict === item.verdict && isDropped(`qualification.${item.key}`)
          ? again
          : item;
      }),
    },
  };
}
