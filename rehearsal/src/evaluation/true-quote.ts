import { sentences } from "../words/sentences.ts";
import type { Quote } from "./answer.ts";
import type { EvaluationDocument } from "./document.ts";

/** The longest sentence that the visitor said: evidence that stands up to any look at the quote alone. */
export function trueQuote({ transcript }: Pick<EvaluationDocument, "transcript">): Quote {
  let longest: Quote = { turn: 1, quote: "" };
  for (const { turn, role, heard } of transcript) {
    for (const quote of role === "user" ? sentences(heard) : []) {
      if (quote.length > longest.quote.length) longest = { turn, quote };
    }
  }
  return longest;
}
