import type { ToolCall } from "../../language-model/answer.ts";

/** What is said and done. */
export interface Spoken {
  text: string;
  calls: ToolCall[];
  /** The script it came from, or "rules". */
  by: string;
}

export function say(text: string, calls: ToolCall[] = [], by = "manners"): Spoken {
  return { text, calls, by };
}
