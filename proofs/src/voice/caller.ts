import { setTimeout as delay } from "node:timers/promises";
import { VoiceVisitor } from "@svc/server/testing";
import type { HeardSegment, Spoken } from "@svc/server/testing";
import { Screen } from "../talk/screen.ts";
import { startSession } from "../talk/start-session.ts";
import type { Start } from "../talk/start-session.ts";

const LOOK_MS = 20;
/** Longer than anything that an agent says. */
const PATIENCE_MS = 30_000;

/** A visitor who talks, from the start over the SDK's HTTP to the last word. */
export class Caller {
  readonly sessionId: string;
  readonly screen: Screen;
  readonly #visitor: VoiceVisitor;
  /** How many turns of the agent's, and segments of its sound, came before the answer that is due. */
  #turnsBefore = 0;
  #segmentsBefore = 0;

  private constructor(visitor: VoiceVisitor) {
    this.sessionId = visitor.id;
    this.screen = new Screen(visitor.browser);
    this.#visitor = visitor;
  }

  static async enter(serverUrl: string, start: Omit<Start, "mode">): Promise<Caller> {
    const {
      session_id: id,
      ticket,
      live_url,
    } = await startSession(serverUrl, {
      ...start,
      mode: "voice",
    });
    const visitor = await VoiceVisitor.join(live_url, { id, ticket });
    if (visitor.welcome.mode !== "voice") throw new Error("the session is not by voice");
    return new Caller(visitor);
  }

  /** What came out of the loudspeaker, segment by segment. */
  get heard(): readonly HeardSegment[] {
    return this.#visitor.heard;
  }

  /** The first sound of the answer to what the visitor did last. */
  get answer(): HeardSegment | undefined {
    return this.heard[this.#segmentsBefore];
  }

  /** Until the agent has answered and waits, or the session is over. */
  async listen(): Promise<void> {
    await this.#until("answer", () => {
      const hasAnswered = this.screen.turns("assistant").length > this.#turnsBefore;
      return this.screen.hasEnded || (hasAnswered && this.screen.isListening);
    });
  }

  /** Until so much of the answer was played. */
  async listenFor(ms: number): Promise<void> {
    await this.#until("sound", () => (this.answer?.playedMs ?? 0) >= ms);
  }

  /** Says it, and waits until it is a turn. What the agent was saying is cut. */
  async say(pcm: Int16Array): Promise<Spoken> {
    const before = this.screen.turns("user").length;
    this.#segmentsBefore = this.heard.length;
    const spoken = await this.#visitor.say(pcm);
    await this.#until("turn of the visitor", () => this.screen.turns("user").length > before);
    this.#turnsBefore = this.screen.turns("assistant").length;
    return spoken;
  }

  confirmEmail(address: string): void {
    this.#segmentsBefore = this.heard.length;
    this.#turnsBefore = this.screen.turns("assistant").length;
    this.screen.confirmEmail(address);
  }

  close(): void {
    this.#visitor.close();
  }

  async #until(what: string, isSo: () => boolean): Promise<void> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (!isSo()) {
      const { closeCode } = this.#visitor.browser;
      if (closeCode !== undefined) throw new Error(`no ${what}: closed with ${closeCode}`);
      if (performance.now() > giveUpAt) throw new Error(`no ${what} in ${PATIENCE_MS} ms`);
      await delay(LOOK_MS);
    }
  }
}
