import type { Strings } from "../strings/strings.ts";
import { element } from "../core/element.ts";

export type Trouble = keyof Strings["trouble"];

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
  strings,
  onAgain,
  onClose,
}: {
  trouble: Trouble;
  strings: Strings;
  onAgain: () => void;
  onClose: () => void;
}): HTMLElement {
  const canTryAgain = !FINAL.includes(trouble);
  return element(
    "section",
    { className: "notice" },
    element("h2", {}, strings.troubleTitle),
    element("p", { className: "lead", role: "alert" }, strings.trouble[trouble]),
    canTryAgain &&
      element(
        "button",
        { type: "button", className: "primary", "data-focus": "", onclick: onAgain },
        strings.again,
      ),
    element(
      "button",
      {
        type: "button",
        className: canTryAgain ? "plain" : "primary",
        ...(canTryAgain ? {} : { "data-focus": "" }),
        onclick: onClose,
      },
      strings.close,
    ),
  );
}
