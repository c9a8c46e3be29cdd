import { randomUUID } from "node:crypto";
import { LiveBrowser } from "@svc/server/testing";
import type { LiveCaption, SessionStarted } from "@svc/contract/types";

/** A visitor who types, over the SDK's HTTP and the live protocol, as the SDK does. */
export class Visitor {
  readonly sessionId: string;
  readonly #browser: LiveBrowser;
  readonly #pinging: NodeJS.Timeout;

  private constructor(sessionId: string, browser: LiveBrowser, pingMs: number) {
    this.sessionId = sessionId;
    this.#browser = browser;
    this.#pinging = setInterval(() => browser.ping(), pingMs);
  }

  /** Reads the notice, accepts it, and opens the socket. */
  static async enter(
    serverUrl: string,
    start: { agentId: string; language: string; metadata: Record<string, unknown> },
  ): Promise<Visitor> {
    const response = await fetch(`${serverUrl}/sdk/v1/sessions`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://shop.example.com" },
      body: JSON.stringify({
        agent_id: start.agentId,
        start_key: randomUUID(),
        mode: "text",
        language: start.language,
        metadata: start.metadata,
        page: "https://shop.example.com/pricing",
        notice: {
          text: "An AI talks with you. The text is kept.",
          language: start.language,
          accepted_at: new Date().toISOString(),
        },
      }),
    });
    if (response.status !== 201) throw new Error(`not started: ${await response.text()}`);
    const started = (await response.json()) as SessionStarted;
    const browser = await LiveBrowser.open(started.live_url);
    const welcome = await browser.hello(started.session_id, { ticket: started.ticket });
    return new Visitor(started.session_id, browser, welcome.ping_ms);
  }

  get messages(): LiveBrowser["messages"] {
    return this.#browser.messages;
  }

  /** The agent's complete turns so far. */
  heard(): LiveCaption[] {
    return this.#finals().filter(({ role }) => role === "assistant");
  }

  /** Everything that stands on the screen as said. */
  transcript(): { role: string; content: string; interrupted?: true }[] {
    return this.#finals().map(({ role, text, interrupted }) => ({
      role,
      content: text,
      ...(interrupted && { interrupted }),
    }));
  }

  /** Waits until the agent has said something new and listens again. */
  async listen(): Promise<void> {
    const known = this.#listened;
    await this.#browser.first("caption", () => this.heard().length > known);
    await this.#browser.first("state", () => this.#isListening());
    this.#listened = this.heard().length;
  }
  #listened = 0;

  async say(text: string, quickReply = false): Promise<void> {
    this.#browser.send(
      quickReply ? { type: "text", text, quick_reply: true } : { type: "text", text },
    );
    await this.listen();
  }

  get openCard(): { kind: string; id: string; prefill?: string } | null {
    return this.#browser.all("card").at(-1)?.card ?? null;
  }

  async confirmEmail(address: string): Promise<void> {
    const card = this.openCard;
    if (card?.kind !== "email") throw new Error("no email card is open");
    this.#browser.send({
      type: "card_result",
      card_id: card.id,
      action: "confirmed",
      value: address,
    });
    await this.listen();
  }

  rate(stars: number): void {
    this.#browser.send({ type: "rating", stars });
  }

  /** Ends the session; resolves with why it ended. */
  async end(): Promise<string> {
    this.#browser.send({ type: "end" });
    return this.ended();
  }

  async ended(): Promise<string> {
    const { reason } = await this.#browser.first("ended");
    return reason;
  }

  get hasEnded(): boolean {
    return this.#browser.all("ended").length > 0;
  }

  leave(): void {
    clearInterval(this.#pinging);
    this.#browser.socket.close();
  }

  #finals(): LiveCaption[] {
    return this.#browser.all("caption").filter(({ final, text }) => final && text !== "");
  }

  #isListening(): boolean {
    return this.#browser.all("state").at(-1)?.state === "listening";
  }
}
