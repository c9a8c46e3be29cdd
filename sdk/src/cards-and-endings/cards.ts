import type { LiveEmailCard, LiveOpenCard, LivePersonCard } from "@svc/contract/types";
import type { ConversationLog } from "../call/conversation-log.ts";
import type { Frame } from "../call/frame.ts";
import type { Outgoing } from "../call/live-connection.ts";
import type { emit } from "../core/events.ts";
import { element } from "../kit.ts";
import { fill } from "../strings/strings.ts";
import type { Strings } from "../strings/strings.ts";
import { cardWords } from "./card-words.ts";
import type { CardWords } from "./card-words.ts";
import { CARDS_STYLE } from "./cards-style.ts";

interface CardOptions {
  frame: Frame;
  strings: Strings;
  language: string;
}

interface CardActions {
  /** @param note Is left in the conversation in place of the card. */
  confirmEmail(cardId: string, address: string, note: string): void;
  dismiss(cardId: string): void;
  reply(text: string): void;
}

/** Renders something to act on, below the conversation. */
function renderCard(
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

/** Shows one card at a time. */
export interface CardPlace {
  /** The address that the visitor has confirmed. */
  readonly email: string | undefined;
  show(card: LiveOpenCard | null): void;
  /** Removes suggested replies once the visitor has answered. */
  dropReplies(): void;
}

interface CardPlaceOptions extends CardOptions {
  emit: typeof emit;
  log: Pick<ConversationLog, "note" | "toEnd">;
  send: (message: Outgoing) => void;
  reply: (text: string) => void;
  /** Moves the focus back to the main control. */
  focus: () => void;
}

export function cardPlace(place: HTMLElement, options: CardPlaceOptions): CardPlace {
  const { emit, log, send, reply, focus } = options;
  let open: LiveOpenCard | null = null;
  let email: string | undefined;

  function close(): void {
    show(null);
    focus();
  }

  const actions = {
    confirmEmail(id: string, address: string, note: string): void {
      email = address;
      send({ type: "card_result", card_id: id, action: "confirmed", value: address });
      emit("email", { email: address });
      log.note(note);
      close();
    },
    dismiss(id: string): void {
      send({ type: "card_result", card_id: id, action: "dismissed" });
      close();
    },
    reply,
  };

  function show(card: LiveOpenCard | null): void {
    const field = place.querySelector("input");
    // An address that was spoken is put into the open card, unless the visitor has typed there.
    if (field && card && open?.id === card.id) {
      if (field.value === prefillOf(open)) field.value = prefillOf(card);
      open = card;
      return;
    }
    open = card;
    place.replaceChildren();
    if (card === null) return;
    place.append(renderCard(card, options, actions));
    log.toEnd();
  }

  return {
    get email() {
      return email;
    },
    show,
    dropReplies() {
      if (open?.kind === "replies") show(null);
    },
  };
}

function prefillOf(card: LiveOpenCard): string {
  return ("prefill" in card && card.prefill) || "";
}
