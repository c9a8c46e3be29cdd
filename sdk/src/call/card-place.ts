import type { LiveOpenCard } from "@svc/contract/types";
import { element } from "../core/element.ts";
import type { renderCard } from "../later/index.ts";
import { withChunk } from "./load-chunk.ts";

/** Where something to act on is shown, one thing at a time. */
export interface CardPlace {
  element: HTMLElement;
  show(card: LiveOpenCard | null): void;
  /** The visitor has answered: ready answers are of no use any more. */
  dropReplies(): void;
}

type CardOptions = Parameters<typeof renderCard>[1];
type CardActions = Parameters<typeof renderCard>[2];

export function cardPlace(
  options: CardOptions,
  actions: CardActions,
  onShown: () => void,
): CardPlace {
  const place = element("div", { className: "card-place" });
  let open: LiveOpenCard | null = null;

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
    withChunk("later", ({ renderCard }) => {
      if (open !== card) return;
      place.append(renderCard(card, options, actions));
      onShown();
    });
  }

  return {
    element: place,
    show,
    dropReplies() {
      if (open?.kind === "replies") show(null);
    },
  };
}

function prefillOf(card: LiveOpenCard): string {
  return ("prefill" in card && card.prefill) || "";
}
