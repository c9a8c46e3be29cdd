import type { AgentFacts, CallWords, CardWords } from "@svc/contract/types";
import type { Frame } from "../call/frame.ts";
import { element } from "../kit.ts";
import { CARDS_STYLE } from "./cards-style.ts";

export type Trouble = keyof CardWords["trouble"];

/** Codes of the server that there is no text for are shown as `service_unavailable`. */
export function knownTrouble(code: string, { trouble }: CardWords): Trouble {
  return Object.hasOwn(trouble, code) ? (code as Trouble) : "service_unavailable";
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
  agent,
  strings,
  words,
  onAgain,
  onClose,
  frame,
}: {
  trouble: Trouble;
  agent: Pick<AgentFacts, "person">;
  strings: Pick<CallWords, "person">;
  words: CardWords;
  onAgain: () => void;
  onClose: () => void;
  frame: Frame;
}): HTMLElement {
  frame.addStyle(CARDS_STYLE);
  const canTryAgain = !FINAL.includes(trouble);
  return element(
    "section",
    { className: "notice" },
    element("h2", {}, words.trouble_title),
    element("p", { className: "lead", role: "alert" }, words.trouble[trouble]),
    canTryAgain &&
      element(
        "button",
        { type: "button", className: "primary", "data-focus": "", onclick: onAgain },
        words.again,
      ),
    // Whom an agent cannot talk with, a person may.
    agent.person !== undefined &&
      element(
        "a",
        { className: "button light", href: agent.person, target: "_blank", rel: "noopener" },
        strings.person,
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
