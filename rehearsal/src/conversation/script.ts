import { anyObject, list, object, optional, or, text } from "../shape.ts";
import type { Shape } from "../shape.ts";

/** What the model says to a visitor, and which tools it calls. */
export interface ConversationScript {
  about: string;
  answers: ScriptedAnswer[];
}

export interface ScriptedAnswer {
  /** Any of these, as whole words, in what the visitor said last. */
  when: string[];
  say: string;
  call?: { tool: string; arguments: Record<string, unknown> };
  /** Said once the tool has answered. */
  afterwards?: string;
}

export const conversationScript: Shape<ConversationScript> = object<ConversationScript>({
  about: text,
  answers: list(
    object<ScriptedAnswer>({
      when: list(text),
      say: or(text, ""),
      call: optional(
        object<NonNullable<ScriptedAnswer["call"]>>({ tool: text, arguments: or(anyObject, {}) }),
      ),
      afterwards: optional(text),
    }),
  ),
});
