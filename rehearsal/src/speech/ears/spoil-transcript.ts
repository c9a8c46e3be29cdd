import type { SpeechFaultKind } from "../fault.ts";

/** What a failing recogniser makes of a transcript. */
export function spoilTranscript(
  text: string,
  fault: SpeechFaultKind | undefined,
  language: string,
): string {
  if (text === "") return text;
  if (fault === "garbage") return "Brillig ploverine sant umbrelic vox.";
  if (fault !== "wrong_language") return text;
  return language.startsWith("de")
    ? "I would like to know what the weather is like."
    : "Ich möchte gerne wissen, wie das Wetter wird.";
}
