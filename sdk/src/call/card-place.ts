import type { LiveOpenCard } from "@svc/contract/types";
import { element } from "../core/element.ts";
import type { renderCard } from "../later/index.ts";
import { loadChunk } from "./load-chunk.ts";

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
    open = card;
    place.replaceChildren();
    if (card === null) return;
    loadChunk("later")
      .then(({ renderCard }) => {
        if (open !== card) return;
        place.append(renderCard(card, options, actions));
        onShown();
      })
      .catch(() => {});
  }

  return {
    element: place,
    show,
    dropReplies() {
      if (open?.kind === "replies") show(null);
    },
  };
}
