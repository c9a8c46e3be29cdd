import type { AgentFacts, CardWords, LiveEndReason } from "@svc/contract/types";
import type { Frame } from "../call/frame.ts";
import type { Outgoing } from "../call/live-connection.ts";
import { element, iconButton } from "../kit.ts";
import { CARDS_STYLE } from "./cards-style.ts";
import { fill } from "./fill.ts";

export interface EndedOptions {
  frame: Frame;
  agent: AgentFacts;
  words: CardWords;
  reason: LiveEndReason;
  /** The address that the visitor confirmed. */
  email: string | undefined;
  /** The conversation. */
  log: HTMLElement;
  send: (message: Outgoing) => void;
}

const STAR = "M10 2.8l2.2 4.6 5 .7-3.6 3.5.9 5-4.5-2.4-4.5 2.4.9-5L2.8 8.1l5-.7z";

export interface EndedScreen {
  element: HTMLElement;
  /** A mail goes to this address. Told by the server, which may answer after the screen is shown. */
  mailGoesTo(address: string): void;
  /** Sums the conversation up. Comes some seconds after the end, or never. */
  recap(lines: string[]): void;
}

/** The screen after a conversation: what happens next, a copy of the transcript, a rating, and the brand's link. */
export function endedScreen(options: EndedOptions): EndedScreen {
  const { agent, words, reason, email } = options;
  options.frame.addStyle(CARDS_STYLE);
  const transcript = [...options.log.querySelectorAll(".user, .assistant")]
    .map((turn) => turn.textContent)
    .join("\n\n");
  const { link, name } = agent.brand;
  const next = element(
    "span",
    { role: "status" },
    email === undefined ? words.next_without_email : fill(words.next_noted, { email }),
  );
  const recap = element("ul", { className: "recap" });
  const screen = element(
    "section",
    { className: "notice ended" },
    element("h2", { tabIndex: -1, "data-focus": "" }, words.title),
    element("p", { className: "lead" }, words.reasons[reason], " ", next),
    recap,
    rating(words, options.send),
    // Pages without TLS have no clipboard.
    transcript !== "" && "clipboard" in navigator && copyButton(transcript, words),
    element(
      "footer",
      {},
      link === undefined
        ? element("span")
        : element("a", { href: link, target: "_blank", rel: "noopener" }, name),
      element(
        "button",
        { type: "button", className: "primary", onclick: () => options.frame.close() },
        words.close,
      ),
    ),
  );
  return {
    element: screen,
    mailGoesTo(address) {
      next.textContent = fill(words.next_mail, { email: address });
    },
    recap(lines) {
      recap.replaceChildren(...lines.map((line) => element("li", {}, line)));
    },
  };
}

function rating(words: CardWords, send: EndedOptions["send"]): HTMLElement {
  const box = element(
    "fieldset",
    { className: "rating" },
    element("legend", {}, words.rate),
    ...[1, 2, 3, 4, 5].map((stars) =>
      iconButton(fill(words.stars, { number: stars }), STAR, () => {
        send({ type: "rating", stars });
        box.replaceChildren(element("p", { role: "status", className: "quiet" }, words.rated));
      }),
    ),
  );
  return box;
}

function copyButton(transcript: string, words: CardWords): HTMLElement {
  const button = element(
    "button",
    {
      type: "button",
      className: "plain",
      onclick: () => {
        void navigator.clipboard.writeText(transcript).then(
          () => {
            button.textContent = words.copied;
          },
          () => {
            button.textContent = words.not_copied;
          },
        );
      },
    },
    words.copy,
  );
  return button;
}
