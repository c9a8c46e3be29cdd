import { setTimeout as delay } from "node:timers/promises";
import type { Playing, ReplayModel, Sentence, Talk, TalkTurn } from "@svc/rehearsal";
import { LiveBrowser } from "@svc/server/testing";
import { Screen, startSession } from "../../talk/visitor.ts";
import { scoreTurn } from "./score-turn.ts";
import type { Fate } from "./score-turn.ts";
import { DAY_HEADER } from "./talk-clock.ts";

/** A talk as it went. */
export interface PlayedTalk {
  talk: Talk;
  sessionId: string;
  sentences: PlayedSentence[];
  /** Sentences of the server's own: `isBehind` where the model's words were read in that turn. */
  added: { turn: number; text: string; isBehind: boolean }[];
  turns: PlayedTurn[];
  /** Where it ended and should have gone on, or the other way round. */
  ends: { turn: number; got: "ended" | "goes_on"; reason: string }[];
  missing: { turn: number; what: string }[];
  faults: { turn: number; fault: string }[];
  /** Sentences after a wrong end. */
  unplayed: number;
  address: { wanted: string | undefined; got: string | undefined };
  /** Of its last turn, as it came to the model. */
  lastRequest?: Buffer;
}

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
  /** What the server keeps of the talk, as it tells its model. */
  kept: string;
}

export interface TalkStage {
  serverUrl: string;
  model: ReplayModel;
  /** By the name of its folder. */
  agents: Map<string, { agentId: string; origin: string }>;
}

/** A reply is complete when the agent listens and so long nothing has come. */
const QUIET_MS = 300;
const REPLY_MS = 30_000;
const GOODBYE_MS = 12_000;

export async function playTalk(stage: TalkStage, talk: Talk): Promise<PlayedTalk> {
  const { language, metadata = {}, today } = talk;
  const agent = stage.agents.get(talk.agent);
  if (agent === undefined) throw new Error(`${talk.id}: there is no agent ${talk.agent}`);
  const playing = stage.model.enter(talk);
  const start = { ...agent, mode: "text" as const, language, metadata };
  const started = await startSession(stage.serverUrl, start);
  const browser = await LiveBrowser.open(started.live_url, { [DAY_HEADER]: today });
  const { ping_ms } = await browser.hello(started.session_id, { ticket: started.ticket });
  const pinging = setInterval(() => browser.closeCode ?? browser.ping(), ping_ms);
  const visitor = new ReadingVisitor(browser);
  try {
    await visitor.quiet(() => visitor.screen.turns("assistant").length > 0);
    return await play(playing, visitor, started.session_id);
  } finally {
    clearInterval(pinging);
    browser.socket.close();
  }
}

async function play(
  playing: Playing,
  visitor: ReadingVisitor,
  sessionId: string,
): Promise<PlayedTalk> {
  const { talk } = playing;
  const addresses = talk.turns.map(({ action }) => action?.confirm_email);
  const fromPage = talk.metadata?.["email"];
  const wanted =
    addresses.findLast(Boolean) ?? (typeof fromPage === "string" ? fromPage : undefined);
  const result: PlayedTalk = {
    talk,
    sessionId,
    sentences: [],
    added: [],
    turns: [],
    ends: [],
    missing: [],
    faults: [],
    unplayed: 0,
    address: { wanted: wanted?.toLowerCase(), got: undefined },
  };
  visitor.takeRead();
  for (const [turn, step] of talk.turns.entries()) {
    const { reply } = step;
    const meant = reply?.sentences ?? [];
    if (visitor.isOver) {
      if (result.ends.length === 0)
        result.ends.push({ turn: turn - 1, got: "ended", reason: visitor.reason });
      result.unplayed += meant.length;
      continue;
    }
    playing.turn = turn;
    const log = playing.turns[turn]!;
    const sentMs = performance.now();
    if (!(await visitor.act(step, () => log.requests > 0)))
      result.missing.push({ turn, what: `card for ${JSON.stringify(step.action)}` });
    if (step.session === "ended" && !(await visitor.isEnded(GOODBYE_MS)))
      result.ends.push({ turn, got: "goes_on", reason: "the agent said goodbye" });
    const read = visitor.takeRead();
    const spoken = reply?.language ?? talk.language;
    const said = [...meant, ...log.again];
    const { fates, added } = scoreTurn(said, read, spoken);
    result.sentences.push(
      ...said.map((one, at) => ({
        ...one,
        turn,
        language: spoken,
        fate: fates[at]!,
        isAgain: at >= meant.length,
      })),
    );
    const isBehind = fates.some((fate) => fate !== "dropped");
    result.added.push(...added.map((text) => ({ turn, text, isBehind })));
    if (reply?.shows !== undefined && !visitor.shown.includes(reply.shows))
      result.missing.push({ turn, what: `content ${reply.shows}` });
    result.faults.push(...log.faults.map((fault) => ({ turn, fault })));
    const { date: _, minutes_left: __, answered = {}, page: ___, ...kept } = log.state ?? {};
    result.turns.push({
      requests: log.requests,
      vetoes: log.vetoes.length,
      firstWordMs: visitor.firstWordMs === undefined ? undefined : visitor.firstWordMs - sentMs,
      kept: JSON.stringify({ ...kept, answered: Object.keys(answered) }),
    });
  }
  const isOver = talk.turns.at(-1)?.session === "ended";
  if (visitor.isOver && !isOver && result.ends.length === 0)
    result.ends.push({ turn: talk.turns.length - 1, got: "ended", reason: visitor.reason });
  await visitor.end();
  const { body } = playing.turns.at(-1)!;
  return { ...result, ...(body && { lastRequest: body }) };
}

/** Types, settles cards, and reads what comes. */
class ReadingVisitor {
  readonly screen: Screen;
  /** Of the turn under way. */
  firstWordMs: number | undefined;
  readonly #browser: LiveBrowser;
  #readTurns = new Set<string>();
  #lastMs = performance.now();

  constructor(browser: LiveBrowser) {
    this.#browser = browser;
    this.screen = new Screen(browser);
    browser.socket.on("message", (data) => {
      const message = JSON.parse((data as Buffer).toString()) as {
        type: string;
        role?: string;
        text?: string;
      };
      if (message.type === "pong") return;
      this.#lastMs = performance.now();
      if (message.type === "caption" && message.role === "assistant" && message.text !== "")
        this.firstWordMs ??= this.#lastMs;
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

  /** Does what the visitor does in a turn, and reads the reply. False when there was nothing to do it to. */
  async act({ visitor: text, action, reply }: TalkTurn, isAsked: () => boolean): Promise<boolean> {
    this.firstWordMs = undefined;
    const card = this.screen.openCard;
    if (text !== undefined) this.#browser.send({ type: "text", text });
    else if (action?.silent_secs !== undefined) await delay(action.silent_secs * 1_000);
    else if (card?.kind !== "email") return false;
    else {
      const done =
        action?.confirm_email === undefined
          ? ({ action: "dismissed" } as const)
          : ({ action: "confirmed", value: action.confirm_email } as const);
      this.#browser.send({ type: "card_result", card_id: card.id, ...done });
    }
    if (reply) await this.quiet(() => isAsked() || this.firstWordMs !== undefined);
    return true;
  }

  /** Waits until something has begun, the agent listens again and nothing more comes. */
  async quiet(hasBegun: () => boolean): Promise<void> {
    const isQuiet = (): boolean =>
      this.screen.isListening && performance.now() - this.#lastMs > QUIET_MS && hasBegun();
    if (!(await this.#until(isQuiet, REPLY_MS)))
      throw new Error("a reply never came or never ended");
  }

  async isEnded(withinMs: number): Promise<boolean> {
    await this.#until(() => false, withinMs);
    return this.isOver;
  }

  async end(): Promise<void> {
    if (this.isOver) return;
    this.#browser.send({ type: "end" });
    await this.isEnded(5_000);
  }

  /** What the agent has said since this was last asked for. */
  takeRead(): string {
    const fresh = this.screen.turns("assistant").filter(({ turn }) => !this.#readTurns.has(turn));
    for (const { turn } of fresh) this.#readTurns.add(turn);
    return fresh.map(({ text }) => text).join(" ");
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
