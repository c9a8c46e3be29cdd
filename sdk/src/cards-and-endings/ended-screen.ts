import type {
  AgentCta,
  AgentFacts,
  CardWords,
  LiveEndReason,
  LiveShown,
} from "@svc/contract/types";
import type { Frame } from "../call/frame.ts";
import type { Outgoing } from "../call/live-connection.ts";
import { element, iconButton } from "../kit.ts";
import { CARDS_STYLE } from "./cards-style.ts";
import { fill } from "./fill.ts";

export interface EndedOptions {
  frame: Frame;
  agent: AgentFacts;
  /** The agent's face, which comes along from the conversation. */
  face: { element: HTMLElement };
  words: CardWords;
  reason: LiveEndReason;
  /** The address that the visitor confirmed. */
  email: string | undefined;
  /** As the page passed it on. */
  metadata: Record<string, string> | string;
  /** The conversation, which stays readable. */
  log: HTMLElement;
  /** What was shown, in its order. */
  seen: readonly LiveShown[];
  open: (content: LiveShown) => void;
  send: (message: Outgoing) => void;
  onGoOn: () => void;
}

const STAR = "M10 2.8l2.2 4.6 5 .7-3.6 3.5.9 5-4.5-2.4-4.5 2.4.9-5L2.8 8.1l5-.7z";

export interface EndedScreen {
  element: HTMLElement;
  /** A mail goes to this address. Told by the server, which may answer after the screen is shown. */
  mailGoesTo(address: string): void;
  /** Sums the conversation up. Comes some seconds after the end, or never. */
  recap(lines: string[]): void;
}

/** The screen after a conversation: a recap, what was shown, what to do next, a rating, and all that was said. */
export function endedScreen(options: EndedOptions): EndedScreen {
  const { agent, frame, words, reason, email, log } = options;
  frame.addStyle(CARDS_STYLE);
  const next = element(
    "span",
    { role: "status" },
    email === undefined ? words.next_without_email : fill(words.next_noted, { email }),
  );
  const last = [...log.querySelectorAll(".assistant .said")].at(-1)?.textContent;
  // The agent's last words stand where the recap comes: without one, its room would be empty.
  const recap = element(
    "div",
    { className: "recap" },
    last && element("p", { className: "said" }, last),
  );
  const screen = element(
    "section",
    { className: "ended" },
    element(
      "div",
      { className: "goodbye" },
      options.face.element,
      element("h2", { tabIndex: -1, "data-focus": "" }, words.title),
      element("p", { className: "lead" }, words.reasons[reason], " ", next),
      recap,
    ),
    element(
      "div",
      { className: "next" },
      ...seenSlides(options),
      action(options),
      element(
        "div",
        { className: "row" },
        button(words.go_on, options.onGoOn),
        agent.person !== undefined && away(agent.person, words.person, "button light"),
      ),
      rating(words, options.send),
      element(
        "div",
        { className: "row" },
        // Pages without TLS have no clipboard.
        log.textContent !== "" && "clipboard" in navigator && copyButton(log, words),
        button(words.close, () => frame.close(), "plain"),
      ),
    ),
    log,
  );
  return {
    element: screen,
    mailGoesTo(address) {
      next.textContent = fill(words.next_mail, { email: address });
    },
    recap(lines) {
      recap.replaceChildren(element("ul", {}, ...lines.map((line) => element("li", {}, line))));
    },
  };
}

function button(text: string, onclick: () => void, className = ""): HTMLElement {
  return element("button", { type: "button", className, onclick }, text);
}

function away(href: string, text: string, className: string): HTMLElement {
  return element("a", { href, className, target: "_blank", rel: "noopener" }, text);
}

/** What the agent's owner wants visitors to do next: their action, or else their page. */
function action({ agent, email, metadata }: EndedOptions): HTMLElement | undefined {
  const { cta, link, name } = agent.brand;
  if (cta !== undefined) {
    const visitor = typeof metadata === "string" ? undefined : metadata["name"];
    return away(prefilled(cta, email, visitor), cta.text, "button");
  }
  return link === undefined ? undefined : away(link, name, "button");
}

/** Calendars that take them are given the address that the visitor confirmed, and the name that the page knows. */
export function prefilled({ link }: AgentCta, email?: string, name?: string): string {
  const url = new URL(link);
  if (!/(?:^|\.)(?:cal|calendly)\.com$/.test(url.hostname)) return link;
  for (const [key, value] of Object.entries({ email, name }))
    if (value) url.searchParams.set(key, value);
  return url.href;
}

function seenSlides({ seen, open, words }: EndedOptions): HTMLElement[] {
  if (seen.length === 0) return [];
  return [
    element("h3", {}, words.seen),
    element(
      "div",
      { className: "seen" },
      // A slide that was shown twice is here once.
      ...[...new Map(seen.map((content) => [content.id, content])).values()]
        .slice(-6)
        .map((content) => {
          const slide = button(content.title, () => open(content));
          if (content.kind === "image")
            slide.prepend(element("img", { alt: "", src: content.url, loading: "lazy" }));
          return slide;
        }),
    ),
  ];
}

/** Nothing moves when a visitor has rated: the stars stay where they were. */
function rating(words: CardWords, send: EndedOptions["send"]): HTMLElement {
  const title = element("legend", { "aria-live": "polite" }, words.rate);
  const stars = [1, 2, 3, 4, 5].map((number) =>
    iconButton(fill(words.stars, { number }), STAR, () => {
      send({ type: "rating", stars: number });
      title.textContent = words.rated;
      for (const [index, star] of stars.entries()) {
        star.disabled = true;
        if (index < number) star.className = "icon given";
      }
    }),
  );
  return element("fieldset", { className: "rating" }, title, ...stars);
}

function copyButton(log: HTMLElement, words: CardWords): HTMLElement {
  const turns = [...log.querySelectorAll(".user, .assistant")].map((turn) => turn.textContent);
  const copy = button(
    words.copy,
    () => {
      void navigator.clipboard.writeText(turns.join("\n\n")).then(
        () => {
          copy.textContent = words.copied;
        },
        () => {
          copy.textContent = words.not_copied;
        },
      );
    },
    "plain",
  );
  return copy;
}
