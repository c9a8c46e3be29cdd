import type { AgentFacts, LiveEndReason } from "@svc/contract/types";
import { fill } from "../strings/strings.ts";
import type { Strings } from "../strings/strings.ts";
import { element, iconButton } from "../core/element.ts";
import { ICONS } from "./icons.ts";

export interface EndedOptions {
  agent: AgentFacts;
  strings: Strings;
  reason: LiveEndReason;
  email: string | undefined;
  /** The conversation as text. */
  transcript: string;
  onRate: (stars: number) => void;
  onClose: () => void;
}

/** Goodbye: what happens next, a copy to keep, one tap of opinion, one link of the brand's. */
export function endedScreen(options: EndedOptions): HTMLElement {
  const { agent, strings, reason, email, transcript } = options;
  const { link, name } = agent.brand;
  return element(
    "section",
    { className: "notice ended" },
    element("h2", { tabIndex: -1, "data-focus": "" }, strings.endedTitle),
    element(
      "p",
      { className: "lead" },
      strings.ended[reason],
      " ",
      email === undefined ? strings.nextWithoutEmail : fill(strings.nextWithEmail, { email }),
    ),
    rating(options),
    transcript !== "" && copyButton(transcript, strings),
    element(
      "footer",
      {},
      link === undefined
        ? element("span")
        : element("a", { href: link, target: "_blank", rel: "noopener" }, name),
      element(
        "button",
        { type: "button", className: "primary", onclick: options.onClose },
        strings.close,
      ),
    ),
  );
}

function rating({ strings, onRate }: EndedOptions): HTMLElement {
  const box = element(
    "fieldset",
    { className: "rating" },
    element("legend", {}, strings.rate),
    ...[1, 2, 3, 4, 5].map((stars) =>
      iconButton(fill(strings.stars, { number: stars }), ICONS.star, () => {
        onRate(stars);
        box.replaceChildren(element("p", { role: "status", className: "quiet" }, strings.rated));
      }),
    ),
  );
  return box;
}

function copyButton(transcript: string, strings: Strings): HTMLElement {
  const button = element(
    "button",
    {
      type: "button",
      className: "plain",
      onclick: () => {
        // Without TLS a page has no clipboard; the words are still in the page's memory then.
        void navigator.clipboard?.writeText(transcript).then(() => {
          button.textContent = strings.copied;
        });
      },
    },
    strings.copy,
  );
  return button;
}
