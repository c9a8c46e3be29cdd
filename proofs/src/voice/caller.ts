import { speak } from "@svc/rehearsal";
import { VoiceVisitor } from "@svc/server/testing";
import { waitUntil } from "../browsers/wait-until.ts";
import { linesOf } from "../talk/talks.ts";
import type { VoiceTalk } from "../talk/talks.ts";
import { Screen, asSeen, startSession } from "../talk/visitor.ts";
import type { Start } from "../talk/visitor.ts";

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
    const { browser } = this.#visitor;
    await waitUntil(() => isSo() || browser.closeCode !== undefined, PATIENCE_MS);
    if (!isSo()) throw new Error(`no ${what} in ${PATIENCE_MS} ms, closed: ${browser.closeCode}`);
  }
}

/** What a loudspeaker put out in one piece, 24 kHz, and whether the visitor interrupted it. */
export interface Played {
  pcm: Int16Array;
  isCut: boolean;
}

/** Somebody in a talk by voice, with a browser or without. */
export interface VoiceVisitorInTalk {
  readonly played: readonly Played[];
  /** Until the agent has answered and waits. */
  listen(): Promise<void>;
  /** Until so much of the answer was played. */
  listenFor(ms: number): Promise<void>;
  /** Says it, and waits until it is a turn. What the agent was saying is interrupted. */
  say(pcm: Int16Array): Promise<unknown>;
  /** On the card. */
  confirmEmail(address: string): Promise<void>;
  untilEnded(): Promise<void>;
  /** The turns on the screen; one that was interrupted ends with a dash. */
  seen(): Promise<string[]>;
}

/** How much of an answer is heard before the visitor interrupts it. */
const CUT_AFTER_MS = 2_500;

/**
 * What a visitor says in a talk. To be made before it begins: a voice that is being made takes the
 * processor from the browser, which then loses sound.
 */
export async function clipsOf(talk: VoiceTalk): Promise<Int16Array[]> {
  return (await Promise.all(linesOf(talk).map((line) => speak(line)))).map(({ pcm }) => pcm);
}

/** Talks a demo through: a question, an interruption, the card, and a goodbye. Returns what was on the screen before that. */
export async function playTalk(
  visitor: VoiceVisitorInTalk,
  clips: readonly Int16Array[],
  email: string,
): Promise<string[]> {
  const [cutQuestion, asksForEmail, goodbye] = clips.slice(-3);
  await visitor.listen();
  for (const question of clips.slice(0, -3)) {
    await visitor.say(question);
    await visitor.listen();
  }
  await visitor.say(cutQuestion!);
  await visitor.listenFor(CUT_AFTER_MS);
  await visitor.say(asksForEmail!);
  await visitor.listen();
  await visitor.confirmEmail(email);
  await visitor.listen();
  const seen = await visitor.seen();
  await visitor.say(goodbye!);
  await visitor.untilEnded();
  return seen;
}
