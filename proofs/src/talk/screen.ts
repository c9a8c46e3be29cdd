import type { LiveBrowser } from "@svc/server/testing";
import type { LiveCaption, LiveOpenCard, TranscriptEntry } from "@svc/contract/types";

/** What stands on a visitor's screen, by what their browser was told. */
export class Screen {
  readonly #browser: LiveBrowser;

  constructor(browser: LiveBrowser) {
    this.#browser = browser;
  }

  /** The complete turns so far, of both or of one. */
  turns(role?: LiveCaption["role"]): LiveCaption[] {
    return this.#browser
      .all("caption")
      .filter((one) => one.final && one.text !== "" && (role ?? one.role) === one.role);
  }

  /** Everything that stands there as said. */
  transcript(): TranscriptEntry[] {
    return this.turns().map(({ role, text, interrupted }) => ({
      role,
      content: text,
      ...(interrupted && { interrupted }),
    }));
  }

  get openCard(): LiveOpenCard | null {
    return this.#browser.all("card").at(-1)?.card ?? null;
  }

  /** How often something was shown. */
  get contents(): number {
    return this.#browser.all("content").length;
  }

  /** It is the visitor's turn. */
  get isListening(): boolean {
    return this.#browser.all("state").at(-1)?.state === "listening";
  }

  get hasEnded(): boolean {
    return this.#browser.all("ended").length > 0;
  }

  confirmEmail(address: string): void {
    const card = this.openCard;
    if (card?.kind !== "email") throw new Error("no email card is open");
    this.#browser.send({
      type: "card_result",
      card_id: card.id,
      action: "confirmed",
      value: address,
    });
  }
}
