import type { AgentFacts, CardWords, SessionStart } from "@svc/contract/types";
import type { Frame } from "../call/frame.ts";
import type { Service } from "../core/service.ts";
import { element } from "../kit.ts";
import { CARDS_STYLE } from "./cards-style.ts";
import { emailForm } from "./cards.ts";
import { fill } from "./fill.ts";

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

/** Who finds no place can leave an address. */
const FULL: readonly Trouble[] = ["at_capacity", "daily_cap"];

interface TroubleOptions {
  trouble: Trouble;
  agent: Pick<AgentFacts, "person">;
  words: CardWords;
  onAgain: () => void;
  onClose: () => void;
  frame: Frame;
  service: Pick<Service, "request">;
  /** Handed in, since it is in the chunk that loads this one. */
  startSession(request: Service["request"], start: SessionStart): Promise<object>;
  /** The start that was refused, if one was. */
  wanted: SessionStart | undefined;
  /** What became of the address that the visitor left. */
  left?: string;
}

/** The screen that says why there is no call, and what the visitor can do. */
export function troubleScreen(options: TroubleOptions): HTMLElement {
  const { trouble, agent, words, onAgain, onClose, frame, wanted, left } = options;
  frame.addStyle(CARDS_STYLE);
  const canTryAgain = !FINAL.includes(trouble);
  const confirmEmail = async (_: string, email: string): Promise<void> => {
    const metadata = { ...wanted!.metadata, email };
    const start: SessionStart = { ...wanted!, metadata, without_call: true };
    const answer = await options.startSession(options.service.request, start);
    const isTaken = !("refused" in answer);
    const text = isTaken ? fill(words.email_done, { email }) : words.trouble.service_unavailable;
    frame.show(() => troubleScreen({ ...options, left: text }));
  };
  return element(
    "section",
    { className: "notice" },
    element("h2", {}, words.trouble_title),
    element("p", { className: "lead", role: "alert" }, left ?? words.trouble[trouble]),
    canTryAgain &&
      element(
        "button",
        { type: "button", className: "primary", "data-focus": "", onclick: onAgain },
        words.again,
      ),
    wanted &&
      !left &&
      FULL.includes(trouble) &&
      emailForm({ id: "", kind: "email" }, words, {
        confirmEmail,
        dismiss: onClose,
      }),
    // Whom an agent cannot talk with, a person may.
    agent.person !== undefined &&
      element(
        "a",
        { className: "button light", href: agent.person, target: "_blank", rel: "noopener" },
        words.person,
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
