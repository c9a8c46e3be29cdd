import { newUuid } from "#platform";
import type { LiveOpenCard } from "@svc/contract/types";

/** The one card that may be on the visitor's screen. */
export class Cards {
  readonly #onChange: (card: LiveOpenCard | null) => void;
  #open: LiveOpenCard | null = null;

  constructor(onChange: (card: LiveOpenCard | null) => void) {
    this.#onChange = onChange;
  }

  /** Opened again without an address, it keeps the one that it has. */
  openEmail(prefill: string | undefined): void {
    const open = this.#open?.kind === "email" ? this.#open : undefined;
    if (open !== undefined && [open.prefill, undefined].includes(prefill)) return;
    this.#show({
      kind: "email",
      id: this.#idOf("email"),
      ...(prefill !== undefined && { prefill }),
    });
  }

  /** The visitor said one while the card was open. */
  prefillEmail(address: string): void {
    if (this.#open?.kind === "email") this.openEmail(address);
  }

  openPerson(link: string): void {
    this.#show({ kind: "person", id: this.#idOf("person"), link });
  }

  /** Ready answers never push a card aside that asks for something. */
  offerReplies(replies: string[]): void {
    if (replies.length === 0 || (this.#open !== null && this.#open.kind !== "replies")) return;
    this.#show({ kind: "replies", id: newUuid(), replies });
  }

  /** They were for what was said before. */
  withdrawReplies(): void {
    if (this.#open?.kind === "replies") this.#show(null);
  }

  /** Takes it away. Undefined when that card is not open any more. */
  settle(id: string): LiveOpenCard | undefined {
    const card = this.#open;
    if (card?.id !== id) return undefined;
    this.#show(null);
    return card;
  }

  /** Opened again it is the same card: what the visitor is about to confirm must still count. */
  #idOf(kind: LiveOpenCard["kind"]): string {
    return this.#open?.kind === kind ? this.#open.id : newUuid();
  }

  #show(card: LiveOpenCard | null): void {
    this.#open = card;
    this.#onChange(card);
  }
}
