import { newUuid } from "#platform";
import type { LiveActionCard, LiveAddressDoubt, LiveOpenCard } from "@svc/contract/types";

/** The one card that may be on the visitor's screen. */
export class Cards {
  readonly #onChange: (card: LiveOpenCard | null) => void;
  #open: LiveOpenCard | null;
  #isNew = false;
  #lastOffer = "";

  /** @param open the one that an earlier part of the conversation left open */
  constructor(onChange: (card: LiveOpenCard | null) => void, open: LiveOpenCard | null = null) {
    this.#onChange = onChange;
    this.#open = open;
  }

  /** A card asks for an address or a yes, and the visitor has said nothing since: it is their turn to use it. */
  get isAsking(): boolean {
    return (this.#open?.kind === "email" || this.#open?.kind === "action") && this.#isNew;
  }

  /** Opening it again without an address keeps the present one. */
  openEmail(prefill: string | undefined, doubt?: LiveAddressDoubt): void {
    const open = this.#open?.kind === "email" ? this.#open : undefined;
    const isSame = open !== undefined && [open.prefill, undefined].includes(prefill);
    if (isSame && doubt === undefined) return;
    this.#show({
      kind: "email",
      id: this.#idOf("email"),
      ...(prefill !== undefined && { prefill }),
      ...(doubt !== undefined && { doubt }),
    });
  }

  /** Fills in an address that the visitor said while the card was open. */
  prefillEmail(address: string): void {
    if (this.#open?.kind === "email") this.openEmail(address);
  }

  openPerson(link: string): void {
    this.#show({ kind: "person", id: this.#idOf("person"), link });
  }

  /** Each has an id of its own: a yes that is on its way is not taken for another question's. */
  openAction(action: Pick<LiveActionCard, "name" | "title" | "params">): void {
    this.#show({ kind: "action", id: newUuid(), ...action });
  }

  /** Quick replies never replace a card that asks for something, and the same ones do not come again. */
  offerReplies(replies: string[]): void {
    const offer = replies.join("\n");
    if (offer === this.#lastOffer || replies.length === 0) return;
    if (this.#open !== null && this.#open.kind !== "replies") return;
    this.#lastOffer = offer;
    this.#show({ kind: "replies", id: newUuid(), replies });
  }

  /** Quick replies fit only the turn before the visitor's words. */
  visitorSpoke(): void {
    this.#isNew = false;
    if (this.#open?.kind === "replies") this.#show(null);
  }

  /** Closes the card. Undefined when it is no longer open. */
  settle(id: string): LiveOpenCard | undefined {
    const card = this.#open;
    if (card?.id !== id) return undefined;
    this.#show(null);
    return card;
  }

  /** Closes the card if it asks for a yes to an action. */
  settleAction(id: string): LiveActionCard | undefined {
    const card = this.#open;
    if (card?.id !== id || card.kind !== "action") return undefined;
    this.#show(null);
    return card;
  }

  /** A card that is opened again keeps its id: otherwise a confirmation that is on its way would be lost. */
  #idOf(kind: LiveOpenCard["kind"]): string {
    return this.#open?.kind === kind ? this.#open.id : newUuid();
  }

  #show(card: LiveOpenCard | null): void {
    this.#open = card;
    this.#isNew = true;
    this.#onChange(card);
  }
}
