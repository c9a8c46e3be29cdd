import { LiveBrowser } from "@svc/server/testing";
import { Screen } from "./screen.ts";
import { startSession } from "./start-session.ts";
import type { Start } from "./start-session.ts";

/** A visitor who types, over the SDK's HTTP and the live protocol, as the SDK does. */
export class Visitor {
  readonly sessionId: string;
  readonly screen: Screen;
  readonly #browser: LiveBrowser;
  readonly #pinging: NodeJS.Timeout;
  #listened = 0;

  private constructor(sessionId: string, browser: LiveBrowser, pingMs: number) {
    this.sessionId = sessionId;
    this.screen = new Screen(browser);
    this.#browser = browser;
    this.#pinging = setInterval(() => browser.ping(), pingMs);
  }

  /** Reads the notice, accepts it, and opens the socket. */
  static async enter(serverUrl: string, start: Omit<Start, "mode">): Promise<Visitor> {
    const started = await startSession(serverUrl, { ...start, mode: "text" });
    const browser = await LiveBrowser.open(started.live_url);
    const welcome = await browser.hello(started.session_id, { ticket: started.ticket });
    return new Visitor(started.session_id, browser, welcome.ping_ms);
  }

  /** Waits until the agent has said something new and listens again. */
  async listen(): Promise<void> {
    const known = this.#listened;
    await this.#browser.first("caption", () => this.screen.turns("assistant").length > known);
    await this.#browser.first("state", () => this.screen.isListening);
    this.#listened = this.screen.turns("assistant").length;
  }

  async say(text: string): Promise<void> {
    this.#browser.send({ type: "text", text });
    await this.listen();
  }

  async confirmEmail(address: string): Promise<void> {
    this.screen.confirmEmail(address);
    await this.listen();
  }

  rate(stars: number): void {
    this.#browser.send({ type: "rating", stars });
  }

  async end(): Promise<void> {
    this.#browser.send({ type: "end" });
    await this.#browser.first("ended");
  }

  /** The socket is closed, by whomever. */
  get hasClosed(): boolean {
    return this.#browser.socket.readyState === this.#browser.socket.CLOSED;
  }

  leave(): void {
    clearInterval(this.#pinging);
    this.#browser.socket.close();
  }
}
