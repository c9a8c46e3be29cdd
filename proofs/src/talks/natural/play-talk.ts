import { setTimeout as delay } from "node:timers/promises";
import type { Playing, ReplayModel, Sentence, Talk, TalkTurn } from "@svc/rehearsal";
import { LiveBrowser } from "@svc/server/testing";
import { preload } from "../../stage/live-memory.ts";
import { Screen, startSession } from "../../talk/visitor.ts";
import { scoreTurn } from "./score-turn.ts";
import type { Fate } from "./score-turn.ts";

/** A talk as it went. */
export interface PlayedTalk {
  talk: Talk;
  sessionId: string;
  sentences: PlayedSentence[];
  turns: PlayedTurn[];
  notes: { turn: number; what: Note; text: string }[];
  /** Of its last turn, as it came to the model. */
  lastRequest?: Buffer;
}

/** What happened beside sentences. `behind`: a sentence of the server's own, where the model's words were read. */
export type Note =
  | "added"
  | "behind"
  | "ended wrongly"
  | "not ended"
  | "missing"
  | "not as agreed"
  | "address lost"
  | "not played"
  | "broken off";

export interface PlayedSentence extends Sentence {
  turn: number;
  language: string;
  fate: Fate;
  /** Said in other words, at a second try. */
  isAgain: boolean;
}

interface PlayedTurn {
  requests: number;
  vetoes: number;
  firstWordMs: number | undefined;
  /** What the visitor read, and the kinds of cards that opened meanwhile. */
  read: string;
  opened: string[];
  /** What the server keeps of the talk, as it tells its model. */
  kept: string;
}

export interface TalkStage {
  serverUrl: string;
  model: Pick<ReplayModel, "enter">;
  /** Of a real model: how long a reply may take, and phrases that are no first word. */
  live?: { replyMs: number; signsOfLife: string[] };
  /** By the name of its folder. */
  agents: Map<string, { agentId: string; origin: string }>;
}

/** Told with a visitor's socket: the day of their session. */
const DAY_HEADER = "x-day-of-the-talk";

/**
 * For the server's NODE_OPTIONS. What a visitor's socket brings about reads the clock as of that visitor's day;
 * everything else reads the machine's. Deadlines and leases come from PostgreSQL and from the monotonic clock,
 * so a day of another month harms none of them.
 */
export const CLOCK_OF_THE_TALK: string = preload(`
import { AsyncLocalStorage } from "node:async_hooks";
import { Server } from "node:http";
const aheadMs = new AsyncLocalStorage();
const Machine = Date;
globalThis.Date = class Date extends Machine {
  constructor(...given) {
    if (given.length === 0) super(Date.now());
    else super(...given);
  }
  static now() {
    return Machine.now() + (aheadMs.getStore() ?? 0);
  }
};
const { emit } = Server.prototype;
Server.prototype.emit = function (event, request, socket, ...rest) {
  const day = event === "upgrade" ? request.headers["${DAY_HEADER}"] : undefined;
  if (day === undefined) return emit.call(this, event, request, socket, ...rest);
  const today = new Machine().toISOString().slice(0, 10);
  const ms = Machine.parse(day) - Machine.parse(today);
  const ofSocket = socket.emit;
  socket.emit = (...event) => aheadMs.run(ms, () => ofSocket.apply(socket, event));
  return aheadMs.run(ms, () => emit.call(this, event, request, socket, ...rest));
};
`);

/** A reply is complete when the agent listens and so long nothing has come. */
const QUIET_MS = 300;
const REPLY_MS = 30_000;
const GOODBYE_MS = 12_000;

export async function playTalk(
  { serverUrl, model, agents, live }: TalkStage,
  talk: Talk,
): Promise<PlayedTalk> {
  const { language, metadata = {}, today } = talk;
  const playing = model.enter(talk);
  const start = { ...agents.get(talk.agent)!, mode: "text" as const, language, metadata };
  const started = await startSession(serverUrl, start);
  const browser = await LiveBrowser.open(started.live_url, { [DAY_HEADER]: today });
  const { ping_ms } = await browser.hello(started.session_id, { ticket: started.ticket });
  const pinging = setInterval(() => browser.closeCode ?? browser.ping(), ping_ms);
  const visitor = new ReadingVisitor(browser, live);
  const played: PlayedTalk = {
    talk,
    sessionId: started.session_id,
    sentences: [],
    turns: [],
    notes: [],
  };
  try {
    await visitor.quiet(() => visitor.screen.turns("assistant").length > 0);
    visitor.takeRead();
    return await play(playing, visitor, played);
  } catch (error) {
    if (live === undefined) throw error;
    played.notes.push({ turn: playing.turn, what: "broken off", text: String(error) });
    return played;
  } finally {
    clearInterval(pinging);
    browser.socket.close();
  }
}

async function play(
  playing: Playing,
  visitor: ReadingVisitor,
  played: PlayedTalk,
): Promise<PlayedTalk> {
  const { talk } = playing;
  const note = (what: Note, texts: string[], turn: number = playing.turn): void =>
    void played.notes.push(...texts.map((text) => ({ turn, what, text })));
  let isMeantToGoOn = true;
  for (const [turn, step] of talk.turns.entries()) {
    const { reply, action, session } = step;
    const meant = reply?.sentences ?? [];
    if (visitor.isOver) {
      note(
        "not played",
        meant.map(({ say }) => say),
        turn,
      );
      continue;
    }
    playing.turn = turn;
    const log = playing.turns[turn]!;
    const sentMs = performance.now();
    if (!(await visitor.act(step, () => log.requests > 0)))
      note("missing", [JSON.stringify(action)]);
    isMeantToGoOn = session === "goes_on";
    // With an open card the end comes after a minute, and the visitor does not wait for it.
    const mustEnd = !isMeantToGoOn && visitor.screen.openCard === null;
    if (mustEnd && !(await visitor.isEnded(GOODBYE_MS))) note("not ended", ["after a goodbye"]);
    const language = reply?.language ?? talk.language;
    const said = [...meant, ...log.again];
    const read = visitor.takeRead();
    const { fates, added } = scoreTurn(said, read, language);
    for (const [at, one] of said.entries())
      played.sentences.push({
        ...one,
        turn,
        language,
        fate: fates[at]!,
        isAgain: at >= meant.length,
      });
    note(fates.some((fate) => fate !== "dropped") ? "behind" : "added", added);
    note(
      "missing",
      [reply?.shows ?? []].flat().filter((id) => !visitor.shown.includes(id)),
    );
    note("not as agreed", log.faults);
    const { open, asked, answered, shown, email, language: spoken } = log.state ?? {};
    const kept = { open, asked, answered: Object.keys(answered ?? {}), shown, email, spoken };
    played.turns.push({
      requests: log.requests,
      vetoes: log.vetoes,
      firstWordMs: visitor.firstWordMs && visitor.firstWordMs - sentMs,
      read,
      opened: visitor.takeOpened(),
      kept: JSON.stringify(kept),
    });
  }
  if (visitor.isOver && isMeantToGoOn) note("ended wrongly", [visitor.reason]);
  await visitor.end();
  const { body } = playing.turns.at(-1)!;
  return { ...played, ...(body && { lastRequest: body }) };
}

/** Types, settles cards, and reads what comes. */
class ReadingVisitor {
  readonly screen: Screen;
  /** Of the turn under way. */
  firstWordMs: number | undefined;
  readonly #browser: LiveBrowser;
  readonly #live: TalkStage["live"];
  #turnsRead = 0;
  #cardsRead = 0;
  #lastMs = performance.now();

  constructor(browser: LiveBrowser, live: TalkStage["live"]) {
    this.#browser = browser;
    this.#live = live;
    this.screen = new Screen(browser);
    browser.socket.on("change", () => {
      const message = browser.messages.at(-1);
      if (message?.type === "pong") return;
      this.#lastMs = performance.now();
      if (message?.type !== "caption" || message.role !== "assistant" || message.text === "")
        return;
      if (live?.signsOfLife.includes(message.text) !== true) this.firstWordMs ??= this.#lastMs;
    });
  }

  get isOver(): boolean {
    return this.screen.hasEnded || this.#browser.closeCode !== undefined;
  }

  get reason(): string {
    return this.#browser.all("ended").at(-1)?.reason ?? `closed with ${this.#browser.closeCode}`;
  }

  get shown(): string[] {
    return this.#browser.all("content").map(({ content }) => content.id);
  }

  /** Does what the visitor does in a turn, and reads the reply. False when there is no card to do it to. */
  async act({ visitor: text, action, reply }: TalkTurn, isAsked: () => boolean): Promise<boolean> {
    this.firstWordMs = undefined;
    const card = this.screen.openCard;
    const value = action?.confirm_email;
    const settled =
      value === undefined
        ? { action: "dismissed" as const }
        : { action: "confirmed" as const, value };
    if (text !== undefined) this.#browser.send({ type: "text", text });
    else if (action?.silent_secs !== undefined) await delay(action.silent_secs * 1_000);
    else if (card?.kind !== "email") return false;
    else this.#browser.send({ type: "card_result", card_id: card.id, ...settled });
    if (reply) await this.quiet(() => isAsked() || this.firstWordMs !== undefined);
    return true;
  }

  /** Waits until something has begun, the agent listens again and nothing more comes. */
  async quiet(hasBegun: () => boolean): Promise<void> {
    const isQuiet = (): boolean =>
      this.screen.isListening && performance.now() - this.#lastMs > QUIET_MS && hasBegun();
    if (!(await this.#until(isQuiet, this.#live?.replyMs ?? REPLY_MS)))
      throw new Error("a reply never came or never ended");
  }

  async isEnded(withinMs: number): Promise<boolean> {
    await this.#until(() => false, withinMs);
    return this.isOver;
  }

  async end(): Promise<void> {
    if (!this.isOver) this.#browser.send({ type: "end" });
    await this.isEnded(5_000);
  }

  /** What the agent has said since this was last asked for. */
  takeRead(): string {
    const turns = this.screen.turns("assistant");
    const fresh = turns.slice(this.#turnsRead).map(({ text }) => text);
    this.#turnsRead = turns.length;
    return fresh.join(" ");
  }

  takeOpened(): string[] {
    const cards = this.#browser.all("card");
    const fresh = cards.slice(this.#cardsRead).flatMap(({ card }) => card?.kind ?? []);
    this.#cardsRead = cards.length;
    return fresh;
  }

  /** Until it is so or the session is over. */
  async #until(isSo: () => boolean, withinMs: number): Promise<boolean> {
    const endMs = performance.now() + withinMs;
    while (!isSo() && !this.isOver) {
      if (performance.now() > endMs) return false;
      await delay(15);
    }
    return true;
  }
}
