import { setTimeout as delay } from "node:timers/promises";
import { VoiceVisitor } from "@svc/server/testing";
import { asSeen, Screen, startSession } from "../talk/visitor.ts";
import type { Start } from "../talk/visitor.ts";
import type { Played, VoiceVisitorInTalk } from "./play-talk.ts";

const LOOK_MS = 20;
/** Longer than anything that an agent says. */
const PATIENCE_MS = 30_000;

/** A visitor who talks without a browser, from the start over the SDK's HTTP to the last word. */
export class Caller implements VoiceVisitorInTalk {
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
    const started = await startSession(serverUrl, { ...start, mode: "voice" });
    const { session_id: id, ticket, live_url } = started;
    const visitor = await VoiceVisitor.join(live_url, { id, ticket });
    if (visitor.welcome.mode !== "voice") throw new Error("the session is not by voice");
    return new Caller(visitor);
  }

  get played(): Played[] {
    return this.#visitor.heard.map(({ pcm, end }) => ({ pcm, isCut: end === "cleared" }));
  }

  async listen(): Promise<void> {
    await this.#until("answer", () => {
      const hasAnswered = this.screen.turns("assistant").length > this.#turnsBefore;
      return this.screen.hasEnded || (hasAnswered && this.screen.isListening);
    });
  }

  async listenFor(ms: number): Promise<void> {
    const { heard } = this.#visitor;
    await this.#until("sound", () => (heard[this.#segmentsBefore]?.playedMs ?? 0) >= ms);
  }

  async say(pcm: Int16Array): Promise<void> {
    const before = this.screen.turns("user").length;
    this.#segmentsBefore = this.#visitor.heard.length;
    await this.#visitor.say(pcm);
    await this.#until("turn of the visitor", () => this.screen.turns("user").length > before);
    this.#turnsBefore = this.screen.turns("assistant").length;
  }

  async confirmEmail(address: string): Promise<void> {
    this.#turnsBefore = this.screen.turns("assistant").length;
    this.screen.confirmEmail(address);
  }

  async untilEnded(): Promise<void> {
    await this.#until("goodbye", () => this.screen.hasEnded);
  }

  async seen(): Promise<string[]> {
    return asSeen(this.screen.transcript());
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
