import { element } from "../kit.ts";
import { cardWords } from "./card-words.ts";
import type { CardWords } from "./card-words.ts";

export type Trouble = keyof CardWords["trouble"];

/** What a visitor can read something about. */
export function knownTrouble(code: string): Trouble {
  return code in cardWords("en").trouble ? (code as Trouble) : "service_unavailable";
}

/** Trying again changes nothing about these. */
const FINAL: readonly Trouble[] = [
  "agent_unknown",
  "agent_paused",
  "origin_not_allowed",
  "daily_cap",
  "moved",
];

/** What is in the way, and what can be done. */
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
