import { randomBytes } from "node:crypto";
import { LiveBrowser } from "@svc/server/testing";
import type { Visit } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import { anybodysNonsense, MARK } from "./nonsense.ts";
import type { Nonsense } from "./nonsense.ts";
import { outcomeOf } from "./outcome.ts";
import { anyAddress } from "./stranger.ts";

/** A visitor whose browser is out of its mind: nonsense in a session, and back into it after each close. */
export class Insider {
  readonly id: string;
  readonly #url: string;
  readonly #random: Random;
  #browser: LiveBrowser;
  #token: string;
  /** What the server has of ours. */
  #seq: number;

  private constructor(
    url: string,
    random: Random,
    id: string,
    browser: LiveBrowser,
    token: string,
  ) {
    this.#url = url;
    this.#random = random;
    this.id = id;
    this.#browser = browser;
    this.#token = token;
    for (let seq = 1; seq <= EARLIER; seq++) browser.send({ type: "typing" });
    this.#seq = EARLIER;
  }

  static async enter(url: string, random: Random, { id, ticket }: Visit): Promise<Insider> {
    const browser = await open(url, random);
    const { resume_token: token } = await browser.hello(id, { ticket });
    return new Insider(url, random, id, browser, token);
  }

  /** One piece of nonsense. Returns what went wrong. */
  async misbehave(onFrames: (count: number) => void): Promise<string | undefined> {
    const nonsense = this.#nonsense();
    onFrames(nonsense.frames.length);
    const fault = await outcomeOf(this.#browser, nonsense);
    const isOut = this.#browser.closeCode !== undefined;
    const lockedOut = isOut ? await this.comeBack(nonsense.kind) : undefined;
    return fault ?? lockedOut;
  }

  /** Ends the session, and goes on as if nothing had happened. */
  async overstay(onFrames: (count: number) => void): Promise<string | undefined> {
    this.#browser.raw({ type: "end", seq: (this.#seq += 1) });
    await this.#browser.first("ended");
    const late = [
      { type: "text", text: MARK },
      { type: "card_result", card_id: "card", action: "confirmed", value: "late@example.com" },
      { type: "end" },
      { type: "typing" },
    ];
    const frames = late.map((message) => ({ ...message, seq: (this.#seq += 1) }));
    onFrames(frames.length);
    return outcomeOf(this.#browser, { kind: "after the end", frames, expects: "passed over" });
  }

  leave(): void {
    this.#browser.socket.terminate();
  }

  /** With the token, which makes what they came in with void. */
  async comeBack(after: string): Promise<string | undefined> {
    this.#browser = await open(this.#url, this.#random);
    try {
      const credential = { resume_token: this.#token };
      const welcome = await this.#browser.hello(this.id, credential);
      this.#token = welcome.resume_token;
      if (welcome.received === this.#seq) return undefined;
      return `after ${after}: ${welcome.received} of our messages had arrived, not ${this.#seq}`;
    } catch (error) {
      return `after ${after}: not let back in, ${String(error)}`;
    }
  }

  get leftover(): { id: string; token: string } {
    return { id: this.id, token: this.#token };
  }

  #nonsense(): Nonsense {
    const random = this.#random;
    const text = (seq: number): object => ({ type: "text", seq, text: MARK });
    const next = this.#seq + 1;
    return random.pick<() => Nonsense>([
      () => anybodysNonsense(random),
      () => anybodysNonsense(random),
      () => ({ kind: "a gap", frames: [text(next + random.integer(1, 1_000))], expects: 4000 }),
      () => ({ kind: "reordered", frames: [text(next + 1), text(next)], expects: 4000 }),
      () => ({
        kind: "replayed",
        frames: Array.from({ length: 20 }, () => text(random.integer(1, this.#seq))),
        expects: "passed over",
      }),
      () => ({
        kind: "replayed",
        frames: Array.from({ length: 20 }, () => text(random.integer(1, this.#seq))),
        expects: "passed over",
      }),
      () => ({ kind: "sound", frames: [randomBytes(640)], expects: 1003 }),
      () => ({
        kind: "an answer to what was never said",
        frames: [{ type: "ping", received: 1_000_000 }],
        expects: 4000,
      }),
      () => ({
        kind: "a second hello",
        frames: [
          { type: "hello", protocol: "svc.live.v1", session_id: this.id, ticket: "x", received: 0 },
        ],
        expects: 4000,
      }),
      () => ({
        kind: "a flood",
        frames: Array.from({ length: 400 }, () => ({ type: "ping", received: 0 })),
        expects: 4005,
      }),
    ])();
  }
}

const EARLIER = 5;

function open(url: string, random: Random): Promise<LiveBrowser> {
  return LiveBrowser.open(url, { "x-forwarded-for": anyAddress(random) });
}
