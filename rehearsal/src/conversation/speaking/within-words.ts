import { sentences } from "../../words/sentences.ts";

/** Both, or as much of the response as leaves room for the goal. Whole sentences; the first one stays. */
export function withinWords(response: string, goal: string, mostWords: number): string {
  const parts = sentences(response);
  const room = mostWords - wordCount(goal);
  while (parts.length > 1 && wordCount(parts.join(" ")) > room) parts.pop();
  return [...parts, goal].filter((text) => text !== "").join(" ");
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
