import english from "@svc/contract/words/en.json" with { type: "json" };
import type { Words } from "@svc/contract/types";

/** Our English texts, each under its path: `spoken.nudge`. What a further language must have. */
export const ENGLISH_TEXTS: ReadonlyMap<string, string> = new Map(
  textsIn(english).filter(([path]) => path !== "language"),
);

/** Every text in nested maps, under its path. Whatever is no text is left out. */
export function textsIn(value: unknown, path = ""): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    textsIn(inner, path === "" ? key : `${path}.${key}`),
  );
}

/** The whole words of a language. Every text must be there. */
export function wordsFrom(language: string, texts: ReadonlyMap<string, string>): Words {
  const fill = (value: unknown, path: string): unknown =>
    typeof value === "string"
      ? texts.get(path)
      : Object.fromEntries(
          Object.entries(value as object).map(([key, inner]) => [
            key,
            fill(inner, path === "" ? key : `${path}.${key}`),
          ]),
        );
  return { ...(fill(english, "") as Words), language };
}

/** Longer than any of ours by far; a notice may have so many. */
const MAX_CHARACTERS = 2_000;

/**
 * What keeps a text from being used, in words for its author; undefined when it fits.
 *
 * @param texts those of the same language: some name a button.
 */
export function wordProblem(
  path: string,
  text: string,
  texts: ReadonlyMap<string, string>,
): string | undefined {
  if (text.trim() === "") return "There is no text here. Write some.";
  if (text.length > MAX_CHARACTERS)
    return `This text has ${text.length.toLocaleString("en")} characters. Shorten it to ${MAX_CHARACTERS.toLocaleString("en")}.`;
  const wanted = placeholdersIn(ENGLISH_TEXTS.get(path) ?? "");
  const written = placeholdersIn(text);
  const missing = wanted.filter((one) => !written.includes(one));
  if (missing.length > 0) return `${missing.join(" and ")} is missing here. Write it as it stands.`;
  const unknown = written.filter((one) => !wanted.includes(one));
  if (unknown.length > 0)
    return `${unknown.join(" and ")} has no meaning here. ${wanted.length === 0 ? "Remove it." : `Use ${wanted.join(" and ")}.`}`;
  if (path.startsWith("spoken.") && path !== "spoken.greeting" && /[?؟？]/.test(text))
    return "Only the greeting may ask. Write it without a question.";
  const talk = texts.get("call.talk") ?? "";
  if (NAMES_TALK.test(path) && !text.includes(talk))
    return `This must name the button as call.talk does: "${talk}".`;
  return undefined;
}

/** Texts that tell the visitor to press the button that begins a call by voice. */
const NAMES_TALK = /^microphone\.(?:problems\.(?!insecure|policy)\w+|allowed)\.text$/;

/** Whether a translation is its English original. A single word, such as a name, may be the same in both. */
export function isUntranslated(path: string, text: string): boolean {
  const original = ENGLISH_TEXTS.get(path) ?? "";
  const words = original.replaceAll(/\{[^}]*\}/g, "").match(/\p{L}{2,}/gu) ?? [];
  return words.length > 1 && text.trim() === original;
}

function placeholdersIn(text: string): string[] {
  return [...new Set(text.match(/\{[^}]*\}/g))];
}
