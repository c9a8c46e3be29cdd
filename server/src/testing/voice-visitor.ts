import type { LiveWelcome } from "@svc/contract/types";
import { LiveServerMessage } from "@svc/contract/schemas";
import { LiveBrowser } from "./live-world.ts";
import type { LiveWorld } from "./live-world.ts";
import { Loudspeaker } from "./loudspeaker.ts";
import type { HeardSegment, LoudspeakerAnswer } from "./loudspeaker.ts";
import { PacedMicrophone } from "./paced-microphone.ts";
import type { Spoken } from "./paced-microphone.ts";
import { joinVisitorRoom } from "./visitor-room.ts";
import type { VisitorRoom } from "./visitor-room.ts";

export interface VoiceVisitorOptions {
  /** Whether a report of the browser's about its sound is lost on the way. */
  loses?: (answer: LoudspeakerAnswer) => boolean;
  /** How late the other reports arrive. */
  answersLateMs?: number;
}

/** Fifteen seconds. */
const MAX_RECENT = 480;

/** A visitor who talks: a microphone and a loudspeaker in real time, and the browser between them. */
export class VoiceVisitor {
  readonly id: string;
  browser: LiveBrowser;
  welcome!: LiveWelcome;
  readonly #options: VoiceVisitorOptions;
  readonly #microphone: PacedMicrophone;
  readonly #loudspeaker: Loudspeaker;
  /** What was said since the visitor's last turn, as a browser keeps it. */
  #recent: Int16Array[] = [];
  #pinging: NodeJS.Timeout | undefined;
  #isWelcome = false;
  /** Of the server's messages, also by sockets before that of the last welcome. */
  #received = 0;
  /** By voice: in text a browser lets go of the microphone. */
  #isTalking = true;
  #room: VisitorRoom | undefined;
  /** The agent spoke in the room last, and hears the visitor there. */
  #isInRoom = false;

  /** Starts a session by voice, opens the socket and is welcomed. */
  static async enter(
    world: LiveWorld,
    url: string,
    options: VoiceVisitorOptions = {},
  ): Promise<VoiceVisitor> {
    const { id, ticket } = await world.visit("voice");
    return VoiceVisitor.join(url, { id, ticket }, options);
  }

  /** Enters a session that somebody has started. */
  static async join(
    url: string,
    { id, ticket }: { id: string; ticket: string },
    options: VoiceVisitorOptions = {},
  ): Promise<VoiceVisitor> {
    const visitor = new VoiceVisitor(id, await LiveBrowser.open(url), options);
    await visitor.#enter({ ticket });
    return visitor;
  }

  private constructor(id: string, browser: LiveBrowser, options: VoiceVisitorOptions) {
    this.id = id;
    this.browser = browser;
    this.#options = options;
    this.#microphone = new PacedMicrophone((pcm) => this.#send(pcm));
    this.#loudspeaker = new Loudspeaker((answer) => this.#answer(answer));
  }

  /** What came out of the loudspeaker, segment by segment. */
  get heard(): readonly HeardSegment[] {
    return this.#loudspeaker.heard;
  }

  /** Says it into the microphone: 16 kHz, mono. Resolves when the last of it is said. */
  say(pcm: Int16Array): Promise<Spoken> {
    return this.#microphone.say(pcm);
  }

  /** Moves the sound to a LiveKit room, as a browser does. What the agent says next comes from there. */
  async moveToRoom(): Promise<void> {
    this.browser.send({ type: "room", state: "wanted" });
    const where = await this.browser.first("audio_room");
    this.#room = await joinVisitorRoom(where, ({ buffer, byteOffset, byteLength }) => {
      if (!this.#isInRoom) return;
      this.#loudspeaker.sound(Buffer.from(buffer, byteOffset, byteLength));
    });
    this.browser.send({ type: "room", state: "joined", room: where.room });
  }

  /** Breaks the connection without closing it, and stops playing. */
  vanish(): void {
    clearInterval(this.#pinging);
    this.#loudspeaker.stop();
    this.browser.socket.terminate();
  }

  /** The machine sleeps: nothing is played or said any more, and nobody closes the socket. */
  freeze(): void {
    clearInterval(this.#pinging);
    this.#loudspeaker.stop();
    this.#isWelcome = false;
    this.browser.socket.pause();
  }

  /** Opens another socket, and says how far the sound had come. */
  async comeBack(url: string): Promise<void> {
    this.#received = Math.max(this.#received, this.welcome.sent, this.browser.received);
    const received = this.#received;
    const { playing } = this.#loudspeaker;
    this.browser = await LiveBrowser.open(url);
    await this.#enter({ resume_token: this.welcome.resume_token }, received, playing);
    // Another process has not heard it.
    if (this.welcome.sent !== received) for (const pcm of this.#recent) this.#sendNow(pcm);
  }

  /** Ends the session as visitors do. */
  async leave(): Promise<void> {
    this.browser.send({ type: "end" });
    await this.browser.first("ended");
    this.close();
  }

  /** Releases the socket, the timers, the microphone and the loudspeaker. */
  close(): void {
    this.vanish();
    this.#microphone.close();
    this.#loudspeaker.close();
    void this.#room?.leave();
  }

  async #enter(...hello: HelloOf): Promise<void> {
    const { browser } = this;
    this.#isWelcome = false;
    browser.socket.on("message", (data, isBinary) => {
      const bytes = data as Buffer;
      if (isBinary) return this.#loudspeaker.sound(bytes);
      const message = LiveServerMessage.parse(JSON.parse(bytes.toString()));
      if (message.type === "caption" && message.role === "user" && message.final) this.#recent = [];
      if (message.type === "mode" || message.type === "welcome")
        this.#isTalking = message.mode === "voice";
      if (message.type === "audio_start") this.#isInRoom = message.from_ms !== undefined;
      this.#loudspeaker.message(message);
    });
    this.welcome = await browser.hello(this.id, ...hello);
    this.#isWelcome = true;
    this.#pinging = setInterval(() => {
      if (this.#isOpen) browser.ping();
    }, this.welcome.ping_ms);
  }

  #send(pcm: Int16Array): void {
    this.#room?.say(pcm);
    if (this.#recent.push(pcm) > MAX_RECENT) this.#recent.shift();
    if (!this.#isInRoom) this.#sendNow(pcm);
  }

  #sendNow(pcm: Int16Array): void {
    if (this.#isWelcome && this.#isOpen && this.#isTalking)
      this.browser.raw(Buffer.from(pcm.buffer));
  }

  #answer(answer: LoudspeakerAnswer): void {
    const { loses, answersLateMs = 0 } = this.#options;
    const { browser } = this;
    if (loses?.(answer)) return;
    const send = (): void => {
      if (browser.socket.readyState === browser.socket.OPEN) browser.send(answer);
    };
    if (answersLateMs > 0) setTimeout(send, answersLateMs);
    else send();
  }

  get #isOpen(): boolean {
    return this.browser.socket.readyState === this.browser.socket.OPEN;
  }
}

type HelloOf = Parameters<LiveBrowser["hello"]> extends [string, ...infer Rest] ? Rest : never;
