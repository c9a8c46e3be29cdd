import { list, object, text } from "../../shape.ts";
import type { Shape } from "../../shape.ts";
import { localised, phrases, variants } from "./localised.ts";
import type { Localised } from "./localised.ts";

/** How the questions of one agent are asked in each language. */
export interface QuestionWordings {
  about: string;
  questions: QuestionWording[];
}

export interface QuestionWording {
  /** As the agent has it. A question with another text is asked as it is. */
  text: string;
  ask: Localised<string[]>;
  /** Said to an answer. */
  thanks: Localised<string[]>;
  /** Words in a statement of the visitor's that answer it before it is asked; `*` stands for any ending. */
  answered_by: Localised<string[]>;
}

export const questionWordings: Shape<QuestionWordings> = object<QuestionWordings>({
  about: text,
  questions: list(
    object<QuestionWording>({
      text,
      ask: localised(variants),
      thanks: localised(variants),
      answered_by: localised(phrases),
    }),
  ),
});
