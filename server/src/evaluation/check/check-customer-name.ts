import type { Answer, DropReason } from "../answer.ts";
import { fold, Source } from "#language";
import type { Surroundings } from "./surroundings.ts";

/**
 * The prospect's name: every word of it is in the turn that is quoted, or in the metadata. The agent
 * may have said it right before and they agreed, unless it is the agent's own.
 */
export function checkCustomerName(
  { customerName: claim }: Answer,
  { rubric, conversation, transcript, drop }: Surroundings,
): string | undefined {
  if (claim === undefined) return undefined;
  const words = fold(claim.value).trim().split(" ");
  const are = (sources: Source[]): boolean =>
    words.every((word) => sources.some((source) => source.says(word)));
  let fault: DropReason | undefined;
  if (claim.turn === 0) {
    const values = Object.values(conversation.metadata).map((value) => new Source(value));
    const quoted = values.filter((value) => value.says(claim.quote));
    if (quoted.length === 0) fault = "not_heard";
    else if (!quoted.some((value) => are([value]))) fault = "ungrounded";
  } else {
    const [said, ...before] = transcript.near(claim.turn);
    const own = new Source(rubric.names.join(" "));
    const isOwn = words.some((word) => own.says(word) && said?.says(word) !== true);
    fault = transcript.faultOfQuote(claim, "user", {
      mayBeShort: transcript.followsQuestion(claim.turn),
    });
    if (said === undefined || isOwn || !are([said, ...before])) fault ??= "ungrounded";
  }
  return drop("customer_name", fault) ? undefined : claim.value;
}
