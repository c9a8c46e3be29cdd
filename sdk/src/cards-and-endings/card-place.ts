import type { LiveOpenCard } from "@svc/contract/types";
import type { ConversationLog } from "../call/conversation-log.ts";
import type { Outgoing } from "../call/live-connection.ts";
import type { emit } from "../core/events.ts";
import { renderCard } from "./cards.ts";
import type { CardOptions } from "./cards.ts";

/** Where something to act on is shown, one thing at a time. */
export interface CardPlace {
  /** What the visitor has confirmed. */
  readonly email: string | undefined;
  show(card: LiveOpenCard | null): void;
  /** The visitor has answered: ready answers are of no use any more. */
  dropReplies(): void;
}

export interface CardPlaceOptions extends CardOptions {
  emit: typeof emit;
  log: Pick<ConversationLog, "note" | "toEnd">;
  send: (message: Outgoing) => void;
  reply: (text: string) => void;
  /** To where the keyboard is at home. */
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
    // An address that was spoken comes onto the open card; what the visitor has typed there stays.
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
