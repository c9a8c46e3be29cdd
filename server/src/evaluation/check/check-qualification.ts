import type { Qualification } from "@svc/contract/types";
import type { Answer } from "../answer.ts";
import type { KeepProse } from "./check-prose.ts";
import type { Conversation } from "../rubric-of.ts";
import { isAboutJudging, ordersVerdict } from "./judging.ts";
import type { Surroundings } from "./transcript.ts";

/**
 * A verdict stands only on what the prospect said: every quote it names is proven, none is about
 * the verdict itself, and nobody is called qualified in a conversation in which they order it. Without criteria there is nothing to judge by.
 *
 * @param answeredIn turns right after a heard question, where a quote may be short.
 */
export function checkQualification(
  { qualification: claim }: Answer,
  { rubric, conversation, transcript, drop }: Surroundings,
  answeredIn: Set<number>,
  keepProse: KeepProse,
): Qualification {
  if (rubric.qualification === undefined || claim === undefined) return UNDECIDED;
  const { status, reasoning, because } = claim;
  // A model that obeys may name harmless words as its reason: whoever asks for it is not called qualified.
  if (status === "qualified" && isOrdered(conversation)) {
    drop("qualification", "about_the_judging");
    return UNDECIDED;
  }
  if (status !== "not_enough_data") {
    const faults = because.filter((quote, index) => {
      const mayBeShort = answeredIn.has(quote.turn);
      const fault = isAboutJudging(quote.quote)
        ? "about_the_judging"
        : transcript.faultOfQuote(quote, "user", { mayBeShort });
      return drop(`qualification.because[${index}]`, fault);
    });
    if (because.length === 0 || faults.length > 0) {
      drop("qualification", "unproven");
      return UNDECIDED;
    }
  }
  const kept = keepProse(reasoning, rubric.recordLanguage, "qualification.reasoning");
  if (status !== "not_enough_data" && reasoning !== "" && kept === undefined) {
    drop("qualification", "unproven");
    return UNDECIDED;
  }
  return { status, ...(kept !== undefined && { reasoning: kept }) };
}

function isOrdered({ turns, metadata }: Conversation): boolean {
  const said = turns.flatMap(({ role, content }) => (role === "user" ? content : []));
  return [...said, ...Object.entries(metadata).flat()].some(ordersVerdict);
}

const UNDECIDED: Qualification = { status: "not_enough_data" };
