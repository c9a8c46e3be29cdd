import type {
  CardWords,
  LiveActionCard,
  LiveAddressDoubt,
  LiveEmailCard,
  LiveOpenCard,
  LivePersonCard,
} from "@svc/contract/types";
import type { ConversationLog } from "../call/conversation-log.ts";
import type { Frame } from "../call/frame.ts";
import type { Outgoing } from "../call/live-connection.ts";
import type { emit } from "../core/events.ts";
import { element } from "../kit.ts";
import { CARDS_STYLE } from "./cards-style.ts";
import { fill } from "./fill.ts";

interface CardOptions {
  frame: Frame;
  words: CardWords;
}

interface CardActions {
  confirmEmail(cardId: string, address: string): void;
  agree(cardId: string): void;
  dismiss(cardId: string): void;
  reply(text: string): void;
}

/** Renders something to act on, below the conversation. */
function renderCard(
  card: LiveOpenCard,
  { frame, words }: CardOptions,
  actions: CardActions,
): HTMLElement {
  frame.addStyle(CARDS_STYLE);
  switch (card.kind) {
    case "email":
      return card.doubt === undefined
        ? emailForm(card, words, actions)
        : doubtCard(card, card.doubt, words, actions);
    case "action":
      return actionCard(card, words, actions);
    case "person":
      return personCard(card, words);
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

/** Asks about a confirmed address whose domain takes no mail. Nothing changes without a click. */
function doubtCard(
  card: LiveEmailCard,
  { domain, suggestion }: LiveAddressDoubt,
  words: CardWords,
  actions: CardActions,
): HTMLElement {
  const { id, prefill = "" } = card;
  const title = fill(words.email_doubt, { domain });
  const keep = (): void => actions.confirmEmail(id, prefill);
  const box = element(
    "div",
    { className: "card" },
    element("div", { role: "alert" }, element("h3", {}, title)),
    element("p", { className: "address" }, prefill),
    element(
      "div",
      { className: "row" },
      suggestion !== undefined &&
        choice(
          fill(words.email_use, { email: suggestion }),
          () => actions.confirmEmail(id, suggestion),
          "primary",
        ),
      choice(
        words.email_correct,
        () => {
          const form = emailForm(card, words, actions, { title, keep });
          box.replaceWith(form);
          form.querySelector("input")!.focus();
        },
        suggestion === undefined ? "primary" : "plain",
      ),
      choice(words.email_right, keep),
    ),
  );
  return box;
}

/** @param doubted for an address that is already kept, and stays if the visitor says so. */
export function emailForm(
  { id, prefill }: LiveEmailCard,
  words: CardWords,
  actions: Pick<CardActions, "confirmEmail" | "dismiss">,
  doubted?: { title: string; keep: () => void },
): HTMLElement {
  const field = element("input", {
    type: "email",
    name: "email",
    autocomplete: "email",
    value: prefill ?? "",
    "aria-label": words.email_label,
    placeholder: words.email_label,
    ...(doubted === undefined && { "aria-describedby": "email-help" }),
    // What was said of another address does not hold for this one.
    oninput: () => {
      trouble.textContent = "";
      field.removeAttribute("aria-invalid");
    },
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
          trouble.textContent = words.email_invalid;
          field.setAttribute("aria-invalid", "true");
          field.focus();
        }
      },
    },
    element("h3", {}, doubted?.title ?? words.email_title),
    field,
    // One place for both: the card does not grow over the conversation when something is wrong.
    element(
      "div",
      { className: "slot" },
      trouble,
      doubted === undefined &&
        element("p", { className: "small", id: "email-help" }, words.email_help),
    ),
    element(
      "div",
      { className: "row" },
      element("button", { type: "submit", className: "primary" }, words.email_confirm),
      choice(
        doubted === undefined ? words.email_dismiss : words.email_right,
        doubted?.keep ?? (() => actions.dismiss(id)),
      ),
    ),
  );
}

/** Shows all that the page is told: what the visitor agrees to is what is done. */
function actionCard(
  { id, title, params }: LiveActionCard,
  words: CardWords,
  { agree, dismiss }: CardActions,
): HTMLElement {
  return element(
    "div",
    { className: "card", role: "status" },
    element("h3", {}, fill(words.action_ask, { title })),
    ...Object.entries(params).map(([name, value]) =>
      element("p", { className: "small address" }, `${name}: ${value}`),
    ),
    element(
      "div",
      { className: "row" },
      choice(words.action_yes, () => agree(id), "primary"),
      choice(words.action_no, () => dismiss(id)),
    ),
  );
}

function choice(text: string, onclick: () => void, className = "plain"): HTMLElement {
  return element("button", { type: "button", className, onclick }, text);
}

function personCard({ link }: LivePersonCard, words: CardWords): HTMLElement {
  return element(
    "div",
    { className: "card" },
    element("p", {}, words.person_text),
    element(
      "a",
      { className: "button", href: link, target: "_blank", rel: "noopener" },
      words.person,
    ),
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
  log: Pick<ConversationLog, "note" | "following">;
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
    confirmEmail(id: string, address: string): void {
      send({ type: "card_result", card_id: id, action: "confirmed", value: address });
      // An address that is only kept is nothing new.
      if (email !== address) {
        const { email_done, email_instead } = options.words;
        log.note(fill(email === undefined ? email_done : email_instead, { email: address }));
        email = address;
        emit("email", { email: address });
      }
      close();
    },
    agree(id: string): void {
      send({ type: "card_result", card_id: id, action: "confirmed" });
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
    if (field && card && open?.id === card.id && !("doubt" in card)) {
      if (field.value === prefillOf(open)) {
        field.value = prefillOf(card);
        field.dispatchEvent(new Event("input"));
      }
      open = card;
      return;
    }
    open = card;
    log.following(() =>
      place.replaceChildren(...(card === null ? [] : [renderCard(card, options, actions)])),
    );
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
