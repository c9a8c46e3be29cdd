import { setTimeout as delay } from "node:timers/promises";
import { LiveBrowser } from "@svc/server/testing";
import type { LiveWorld } from "@svc/server/testing";

/** Somebody who behaves: asks, waits for the answer, asks again. */
export class SteadyVisitor {
  /** From each question to the first words of its answer. */
  readonly repliesMs: number[] = [];
  readonly faults: string[] = [];
  readonly #world: LiveWorld;
  readonly #url: string;
  readonly #done: Promise<void>;
  #stopped = false;

  constructor(world: LiveWorld, url: string) {
    this.#world = world;
    this.#url = url;
    this.#done = this.#talk().catch((error: unknown) => void this.faults.push(String(error)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #talk(): Promise<void> {
    while (!this.#stopped) {
      const { id, ticket } = await this.#world.visit();
      const browser = await LiveBrowser.open(this.#url, { "x-forwarded-for": "198.51.100.7" });
      const { ping_ms: pingMs } = await browser.hello(id, { ticket });
      const pinging = setInterval(() => browser.ping(), pingMs);
      await this.#talkIn(browser).finally(() => clearInterval(pinging));
      browser.socket.close();
    }
  }

  /** Until the agent says goodbye, or we are told to stop. */
  async #talkIn(browser: LiveBrowser): Promise<void> {
    // By turn: an answer that we cut off is captioned once more, at once.
    const heard = (): number =>
      new Set(
        browser
          .all("caption")
          .filter(isAgents)
          .map(({ turn }) => turn),
      ).size;
    const hasEnded = (): boolean => browser.all("ended").length > 0;
    const hasClosed = (): boolean => browser.closeCode !== undefined;
    await browser.first("caption", isAgents);
    while (!this.#stopped && !hasEnded()) {
      const before = heard();
      const askedAtMs = performance.now();
      browser.send({ type: "text", text: "What can you tell me about it?" });
      await browser.until("answer", () => heard() > before || hasEnded() || hasClosed());
      if (hasClosed()) throw new Error(`a steady visitor was closed with ${browser.closeCode}`);
      if (heard() > before) this.repliesMs.push(performance.now() - askedAtMs);
      await delay(PAUSE_MS);
    }
    if (hasEnded()) return;
    browser.send({ type: "end" });
    await browser.first("ended");
  }
}

const PAUSE_MS = 100;

function isAgents({ role }: { role: string }): boolean {
  return role === "assistant";
}
