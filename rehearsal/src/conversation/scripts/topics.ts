import { list, object, optional, text } from "../../shape.ts";
import type { Shape } from "../../shape.ts";
import { localised, phrases, variants } from "./localised.ts";
import type { Localised } from "./localised.ts";

/** Answers that stand ready for what visitors ask about one agent. */
export interface Topics {
  about: string;
  topics: Topic[];
}

/** One thing that visitors ask about. */
export interface Topic {
  /**
   * The words of the agent's knowledge that the answer renders. Without them the answer is not
   * given: it would be untrue. Left out for what the knowledge does not hold.
   */
  from?: string;
  /** Any of these, as whole words; `*` at the end stands for any ending. */
  when: Localised<string[]>;
  say: Localised<string[]>;
  /** Content to show with it, by its id, and how it is announced. */
  show?: { id: string; say: Localised<string[]> };
}

export const topics: Shape<Topics> = object<Topics>({
  about: text,
  topics: list(
    object<Topic>({
      from: optional(text),
      when: localised(phrases),
      say: localised(variants),
      show: optional(object<NonNullable<Topic["show"]>>({ id: text, say: localised(variants) })),
    }),
  ),
});
