import { setTimeout as delay } from "node:timers/promises";
import { heardBetween } from "./headset.ts";
import type { TalkingBrowser } from "./talking-browser.ts";

const LOOK_MS = 50;
/** Longer than anything that an agent says. */
const PATIENCE_MS = 30_000;

/** A visitor who talks through a browser, and remembers what they heard. */
export class HeadsetVisitor {
  /** What the loudspeaker put out before each thing the visitor did: 24 kHz. */
  readonly played: { pcm: Int16Array; isCut: boolean }[] = [];
  readonly #place: TalkingBrowser;
  #heardUntil = performance.now();
  #turnsBefore = 0;

  constructor(place: TalkingBrowser) {
    this.#place = place;
  }

  /** Until the agent has answered and waits, and the last of it is out. */
  async listen(): Promise<void> {
    const { call, headset } = this.#place;
    await this.#until("answer", async () => {
      const [state] = await call.texts(".state");
      const hasAnswered = (await this.#turns("assistant")) > this.#turnsBefore;
      return hasAnswered && state === "Listening" && !headset.isLoud;
    });
  }

  /** Until so much of the answer was played. */
  async listenFor(ms: number): Promise<void> {
    await this.#place.headset.untilLoud(PATIENCE_MS);
    await delay(ms);
  }

  /** Says it, and waits until it is a turn. What the agent was saying is cut. */
  async say(pcm: Int16Array): Promise<void> {
    const { headset } = this.#place;
    const before = await this.#turns("user");
    const isCut = headset.isLoud;
    await headset.say(pcm);
    this.#remember(isCut);
    await this.#until("turn of the visitor", async () => (await this.#turns("user")) > before);
    this.#turnsBefore = await this.#turns("assistant");
  }

  /** Does something else that is answered. */
  async act(action: () => Promise<void>): Promise<void> {
    this.#remember(false);
    this.#turnsBefore = await this.#turns("assistant");
    await action();
  }

  /** Takes the headset off. */
  end(): void {
    this.#remember(false);
  }

  /** What was heard since belongs to the turn before. */
  #remember(isCut: boolean): void {
    const until = performance.now();
    const pcm = heardBetween(this.#place.headset.heard, this.#heardUntil, until);
    this.played.push({ pcm, isCut });
    this.#heardUntil = until;
  }

  async #turns(role: "user" | "assistant"): Promise<number> {
    return (await this.#place.call.texts(`li.${role}:not(.partial)`)).length;
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (!(await isSo())) {
      if (performance.now() > giveUpAt) {
        throw new Error(
          `no ${what} in ${PATIENCE_MS} ms, but ${await this.#place.call.lastSeen()}`,
        );
      }
      await delay(LOOK_MS);
    }
  }
}
