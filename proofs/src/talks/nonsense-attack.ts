import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { LiveBrowser } from "@svc/server/testing";
import type { LiveWorld, TestDatabase, Visit } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { insidersNonsense, MARK, strangersNonsense } from "./nonsense.ts";
import type { Leftovers, Nonsense } from "./nonsense.ts";

const INSIDERS = 6;
const STRANGERS = 6;
/** Messages that an insider sends before the nonsense, so that there is something to send again. */
const EARLIER = 5;
/** What a session may send for long, over all its sockets. */
const MESSAGES_PER_SEC = 50;
/** More would only say the same. */
const MAX_FAULTS = 20;

/** Many at once who do not keep to the protocol. */
export interface NonsenseAttack {
  /** Returns what went wrong. */
  run(round: {
    frames: number;
    timeMs: number;
    onFrames?: (count: number) => void;
  }): Promise<string[]>;
  /** What must not have been stored. */
  judge(database: TestDatabase): Promise<string[]>;
  leave(): void;
}

/** Insiders with sessions of their own, strangers with none, and some who stay after the end. */
export async function prepareAttack(
  world: LiveWorld,
  url: string,
  seed: number,
): Promise<NonsenseAttack> {
  const enter = async (stream: number, visit?: Visit): Promise<Insider> =>
    Insider.enter(url, new Random(seed, stream), visit ?? (await world.visit()));
  const used = await world.visit();
  const insiders = await Promise.all(
    Array.from({ length: INSIDERS }, (_, index) => enter(index, index === 0 ? used : undefined)),
  );
  // A ticket is void once the token that it brought is used.
  await insiders[0]!.comeBack("its ticket");
  const gone = await enter(INSIDERS);
  await gone.overstay();
  const leftovers: Leftovers = {
    used: { session_id: used.id, ticket: used.ticket },
    ended: { session_id: gone.id, resume_token: gone.token },
  };

  return {
    run: async ({ frames, timeMs, onFrames }) => {
      const until = performance.now() + timeMs;
      const faults: string[] = [];
      const left = { frames };
      const count = (sent: number): void => {
        left.frames -= sent;
        onFrames?.(sent);
      };
      const repeat = async (work: () => Promise<string | undefined>): Promise<void> => {
        while (left.frames > 0 && performance.now() < until && faults.length < MAX_FAULTS) {
          const fault = await work();
          if (fault !== undefined) faults.push(fault);
        }
      };
      await Promise.all([
        ...insiders.map((insider) => repeat(() => insider.misbehave(count))),
        ...Array.from({ length: STRANGERS }, (_, index) => {
          const random = new Random(seed + frames, 100 + index);
          return repeat(async () => {
            const browser = await openSocket(url, random);
            const nonsense = strangersNonsense(random, leftovers);
            return outcomeOf(browser, nonsense, count).finally(() => browser.socket.terminate());
          });
        }),
        repeat(async () => {
          const late = await enter(left.frames);
          return late.overstay(count).finally(() => late.leave());
        }),
      ]);
      return faults;
    },
    judge: async ({ pool }) => {
      const ids = insiders.map(({ id }) => id);
      const { rows } = await pool.query<{ fault: string }>(
        `SELECT 'nonsense was heard' AS fault FROM turns WHERE content LIKE $1
         UNION ALL SELECT 'a session ended by nonsense' FROM sessions WHERE id = ANY ($2) AND ended_at IS NOT NULL
         UNION ALL SELECT 'an address was taken after the end' FROM sessions WHERE email IS NOT NULL`,
        [`%${MARK}%`, ids],
      );
      return rows.map(({ fault }) => fault);
    },
    leave: () => {
      for (const insider of [...insiders, gone]) insider.leave();
    },
  };
}

/** A visitor whose browser sends nonsense in a session, and comes back into it after each close. */
class Insider {
  readonly id: string;
  token = "";
  readonly #url: string;
  readonly #random: Random;
  #browser!: LiveBrowser;
  /** How many of our messages the server has. */
  #seq = EARLIER;

  private constructor(url: string, random: Random, id: string) {
    this.#url = url;
    this.#random = random;
    this.id = id;
  }

  static async enter(url: string, random: Random, { id, ticket }: Visit): Promise<Insider> {
    const insider = new Insider(url, random, id);
    await insider.#join({ ticket });
    for (let seq = 1; seq <= EARLIER; seq++) insider.#browser.send({ type: "typing" });
    return insider;
  }

  /** One piece of nonsense. Returns what went wrong. */
  async misbehave(onFrames: (count: number) => void): Promise<string | undefined> {
    const nonsense = insidersNonsense(this.#random, { id: this.id, seq: this.#seq });
    const fault = await outcomeOf(this.#browser, nonsense, onFrames);
    const isOut = this.#browser.closeCode !== undefined;
    const lockedOut = isOut ? await this.comeBack(nonsense.kind) : undefined;
    // A session that is over its limit is closed for that, whatever it sends next. Its sockets take 200 messages at most.
    const restMs = (1_000 * Math.min(nonsense.frames.length, 200)) / MESSAGES_PER_SEC;
    for (let leftMs = restMs; leftMs > 0; leftMs -= 1_000) {
      this.#browser.ping();
      await delay(Math.min(leftMs, 1_000));
    }
    return fault ?? lockedOut;
  }

  /** Ends the session, and goes on as if nothing had happened. */
  async overstay(onFrames: (count: number) => void = () => {}): Promise<string | undefined> {
    this.#browser.raw({ type: "end", seq: (this.#seq += 1) });
    await this.#browser.first("ended");
    const frames = [
      { type: "text", text: MARK },
      { type: "card_result", card_id: "card", action: "confirmed", value: "late@example.com" },
      { type: "end" },
      { type: "typing" },
    ].map((message) => ({ ...message, seq: (this.#seq += 1) }));
    const late: Nonsense = { kind: "after the end", frames, expects: "passed over" };
    return outcomeOf(this.#browser, late, onFrames);
  }

  /** Uses the token, which makes void what they came in with. */
  async comeBack(after: string): Promise<string | undefined> {
    try {
      const received = await this.#join({ resume_token: this.token });
      if (received === this.#seq) return undefined;
      return `after ${after}: ${received} of our messages had arrived, not ${this.#seq}`;
    } catch (error) {
      return `after ${after}: not let back in, ${String(error)}`;
    }
  }

  leave(): void {
    this.#browser.socket.terminate();
  }

  async #join(credential: { ticket: string } | { resume_token: string }): Promise<number> {
    this.#browser = await openSocket(this.#url, this.#random);
    const welcome = await this.#browser.hello(this.id, credential);
    this.token = welcome.resume_token;
    return welcome.received;
  }
}

/** From one of many addresses, since each may open a few sockets only. */
function openSocket(url: string, random: Random): Promise<LiveBrowser> {
  return LiveBrowser.open(url, { "x-forwarded-for": `203.0.113.${random.integer(1, 250)}` });
}

/** Sends the nonsense and says what is wrong with what became of the socket; undefined when nothing is. */
async function outcomeOf(
  browser: LiveBrowser,
  { kind, frames, expects }: Nonsense,
  onFrames: (count: number) => void,
): Promise<string | undefined> {
  if (browser.closeCode !== undefined) return `${kind}: the socket did not open`;
  onFrames(frames.length);
  const pongs = browser.all("pong").length;
  for (const frame of frames) {
    const { _socket: wire } = browser.socket as unknown as { _socket: Socket };
    if (typeof frame === "object" && "wire" in frame) wire.write(frame.wire);
    else browser.raw(frame);
  }
  const isPassedOver = (): boolean =>
    expects === "passed over" && browser.all("pong").length > pongs;
  if (expects === "passed over") browser.ping();
  try {
    await browser.until(String(expects), () => browser.closeCode !== undefined || isPassedOver());
  } catch (error) {
    return `${kind}: ${String(error)}`;
  }
  const outcome = browser.closeCode ?? "passed over";
  return outcome === expects ? undefined : `${kind}: ${outcome} instead of ${expects}`;
}
