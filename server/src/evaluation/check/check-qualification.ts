import type { Qualification, QualificationStatus } from "@svc/contract/types";
import type { Answer, ItemClaim } from "../answer.ts";
import { itemsOf } from "../rubric-of.ts";
import type { KeepProse } from "./check-prose.ts";
import type { Surroundings } from "./transcript.ts";

/**
 * The status is computed from the criteria that are met, each by the visitor's own words: the judge
 * names no status. Prose voids nothing: reasons whose status did not come out are left out.
 *
 * @param answeredIn turns right after a heard question, where a quote may be short.
 */
export function checkQualification(
  { qualification: claim }: Answer,
  around: Surroundings,
  answeredIn: Set<number>,
  keepProse: KeepProse,
): Qualification {
  const { rubric } = around;
  if (rubric.qualification === undefined || claim === undefined) return UNDECIDED;
  const isMet = (item: ItemClaim): boolean =>
    item.verdict === "met" && isItemMet(item, around, answeredIn);
  const status = statusOf(
    itemsOf(rubric.qualification).map(({ key, side }) => {
      const item = claim.items.find((one) => one.key === key);
      return { side, isMet: item !== undefined && isMet(item) };
    }),
  );
  if (status !== claim.claimed) {
    around.drop("qualification", "unproven");
    return UNDECIDED;
  }
  const kept = keepProse(claim.reasoning, rubric.recordLanguage, "qualification.reasoning");
  return { status, ...(kept !== undefined && { reasoning: kept }) };
}

/** One criterion that rules a visitor out is enough; those that qualify must all be met. */
export function statusOf(items: { side: Side; isMet: boolean }[]): QualificationStatus {
  const of = (side: Side): boolean[] =>
    items.filter((one) => one.side === side).map(({ isMet }) => isMet);
  if (of("disqualified").some(Boolean)) return "disqualified";
  const wanted = of("qualified");
  return wanted.length > 0 && wanted.every(Boolean) ? "qualified" : "not_enough_data";
}

type Side = "qualified" | "disqualified";

/** Every quote is the visitor's, and together they show it. */
function isItemMet(
  { key, because }: ItemClaim,
  { rubric, transcript, drop, isShown }: Surroundings,
  answeredIn: Set<number>,
): boolean {
  const where = `qualification.${key}`;
  const faults = because.filter((quote, index) => {
    const mayBeShort = answeredIn.has(quote.turn);
    const fault = transcript.faultOfQuote(quote, "user", { mayBeShort });
    return drop(`${where}[${index}]`, fault);
  });
  if (because.length === 0 || faults.length > 0) return false;
  const about = itemsOf(rubric.qualification).find((item) => item.key === key)?.text ?? "";
  return isShown(where, () => ({
    kind: "criterion",
    about,
    says: "met",
    quotes: because,
    notFound: [],
  }));
}

const UNDECIDED: Qualification = { status: "not_enough_data" };
