import type { LiveEmailCard, LiveOpenCard, LivePersonCard } from "@svc/contract/types";
import type { Frame } from "../call/frame.ts";
import { element } from "../kit.ts";
import { fill } from "../strings/strings.ts";
import type { Strings } from "../strings/strings.ts";
import { CARDS_STYLE } from "./cards-style.ts";
import { cardWords } from "./card-words.ts";
import type { CardWords } from "./card-words.ts";

export interface CardOptions {
  frame: Frame;
  strings: Strings;
  language: string;
}

export interface CardActions {
  /** @param note what stays of the card. */
  confirmEmail(cardId: string, address: string, note: string): void;
  dismiss(cardId: string): void;
  reply(text: string): void;
}

/** Something to act on, in the conversation's column. */
export function renderCard(
  card: LiveOpenCard,
  { frame, strings, language }: CardOptions,
  actions: CardActions,
): HTMLElement {
  const words = cardWords(language);
  frame.addStyle(CARDS_STYLE);
  switch (card.kind) {
    case "email":
      return emailCard(card, words, actions);
    case "person":
      return personCard(card, words, strings.person);
    case "replies":
      return element(
        "div",
        { className: "replies" },
        ...card.replies.map((text) =>
          element("button", { type: "button", onclick: () => actions.reply(text) }, text),
        ),
      );
  }
}

function emailCard(
  { id, prefill }: LiveEmailCard,
  words: CardWords,
  actions: CardActions,
): HTMLElement {
  const field = element("input", {
    type: "email",
    name: "email",
    autocomplete: "email",
    value: prefill ?? "",
    "aria-label": words.emailLabel,
    placeholder: words.emailLabel,
    "aria-describedby": "email-help",
  });
  const trouble = element("p", { className: "danger", role: "alert" });
  return element(
    "form",
    {
      className: "card",
      noValidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        const address = field.value.trim();
        if (/^[^\s@]+@[^\s@]+$/.test(address) && address.length < 255)
          actions.confirmEmail(id, address, fill(words.emailDone, { email: address }));
        else {
          trouble.textContent = words.emailInvalid;
          field.setAttribute("aria-invalid", "true");
          field.focus();
        }
      },
    },
    element("h3", {}, words.emailTitle),
    field,
    trouble,
    element("p", { className: "small", id: "email-help" }, words.emailHelp),
    element(
      "div",
      { className: "row" },
      element("button", { type: "submit", className: "primary" }, words.emailConfirm),
      element(
        "button",
        { type: "button", className: "plain", onclick: () => actions.dismiss(id) },
        words.emailDismiss,
      ),
    ),
  );
}

function personCard({ link }: LivePersonCard, words: CardWords, person: string): HTMLElement {
  return element(
    "div",
    { className: "card" },
    element("p", {}, words.personText),
    element("a", { className: "button", href: link, target: "_blank", rel: "noopener" }, person),
  );
}
