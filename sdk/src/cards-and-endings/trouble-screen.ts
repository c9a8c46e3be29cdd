import { element } from "../kit.ts";
import { cardWords } from "./card-words.ts";
import type { CardWords } from "./card-words.ts";

export type Trouble = keyof CardWords["trouble"];

/** Codes of the server that there is no text for are shown as `service_unavailable`. */
export function knownTrouble(code: string): Trouble {
  return Object.hasOwn(cardWords("en").trouble, code) ? (code as Trouble) : "service_unavailable";
}

/** Trying again does not help. */
const FINAL: readonly Trouble[] = [
  "agent_unknown",
  "agent_paused",
  "origin_not_allowed",
  "daily_cap",
  "moved",
];

/** The screen that says why there is no call, and what the visitor can do. */
export function troubleScreen({
  trouble,
  language,
  onAgain,
  onClose,
}: {
  trouble: Trouble;
  language: string;
  onAgain: () => void;
  onClose: () => void;
}): HTMLElement {
  const words = cardWords(language);
  const canTryAgain = !FINAL.includes(trouble);
  return element(
    "section",
    { className: "notice" },
    element("h2", {}, words.troubleTitle),
    element("p", { className: "lead", role: "alert" }, words.trouble[trouble]),
    canTryAgain &&
      element(
        "button",
        { type: "button", className: "primary", "data-focus": "", onclick: onAgain },
        words.again,
      ),
    element(
      "button",
      {
        type: "button",
        className: canTryAgain ? "plain" : "primary",
        ...(canTryAgain ? {} : { "data-focus": "" }),
        onclick: onClose,
      },
      words.close,
    ),
  );
}
