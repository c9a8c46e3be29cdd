import type { LiveEmailCard, LiveOpenCard, LivePersonCard } from "@svc/contract/types";
import { fill } from "../strings/strings.ts";
import type { Strings } from "../strings/strings.ts";
import { element } from "../core/element.ts";

export interface CardActions {
  confirmEmail(cardId: string, address: string): void;
  dismiss(cardId: string): void;
  reply(text: string): void;
}

/** Something to act on, in the conversation's column. */
export function renderCard(
  card: LiveOpenCard,
  strings: Strings,
  actions: CardActions,
): HTMLElement {
  switch (card.kind) {
    case "email":
      return emailCard(card, strings, actions);
    case "person":
      return personCard(card, strings);
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
  strings: Strings,
  actions: CardActions,
): HTMLElement {
  const field = element("input", {
    type: "email",
    name: "email",
    autocomplete: "email",
    value: prefill ?? "",
    "aria-label": strings.emailLabel,
    placeholder: strings.emailLabel,
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
          actions.confirmEmail(id, address);
        else {
          trouble.textContent = strings.emailInvalid;
          field.setAttribute("aria-invalid", "true");
          field.focus();
        }
      },
    },
    element("h3", {}, strings.emailTitle),
    field,
    trouble,
    element("p", { className: "small", id: "email-help" }, strings.emailHelp),
    element(
      "div",
      { className: "row" },
      element("button", { type: "submit", className: "primary" }, strings.emailConfirm),
      element(
        "button",
        { type: "button", className: "plain", onclick: () => actions.dismiss(id) },
        strings.emailDismiss,
      ),
    ),
  );
}

function personCard({ link }: LivePersonCard, strings: Strings): HTMLElement {
  return element(
    "div",
    { className: "card" },
    element("p", {}, strings.personText),
    element(
      "a",
      { className: "button", href: link, target: "_blank", rel: "noopener" },
      strings.person,
    ),
  );
}

/** What stays of a confirmed card. */
export function confirmedNote(email: string, strings: Strings): HTMLElement {
  return element("li", { className: "note" }, fill(strings.emailDone, { email }));
}
