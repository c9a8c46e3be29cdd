import { BudgetSpent } from "#models";
import type { Charge, ModelPrice, ModelUsage } from "#models";
import type { Clock } from "#platform";
import type { ClaimedSession, DayShare, LiveUsage, Reservation } from "#sessions";
import { Bucket } from "../socket/frame-rate-limit.ts";

export interface SessionBudgetOptions {
  clock: Clock;
  session: Pick<ClaimedSession, "maxMinutes" | "epoch" | "turns" | "events">;
  /** What the session used before this call, by model. */
  spent: readonly LiveUsage[];
  /** The most that the session may cost; `null` for no limit. */
  maxCostMicros: number | null;
  /** What the day of the agent has reserved for it; undefined where the day has no limit. */
  reservation?: Reservation | undefined;
  /** The limit of the agent's day; infinite for none. */
  dayMicros: number;
  prices: BudgetPrices;
  /** Something has been used: a request has ended, or speech was heard or spoken. */
  onUsed: (usage: ModelUsage, total: LiveUsage) => void;
  /** Little is left: the agent says goodbye while it still can. */
  onNearEnd: (because: "time" | "cost") => void;
}

/**
 * What a session may use besides money, whatever its visitor does. Each is several times what the longest talk takes:
 * a visitor who means it never meets one.
 */
export const SESSION_LIMITS: Readonly<Record<SessionLimit, number>> = {
  /** A turn takes about ten requests, most of them opinions of the verifier. Nobody takes thirty turns a minute. */
  requestsPerMinute: 300,
  /** Ten turns in each minute. */
  requestsPerCallMinute: 100,
  /** Of what the visitor types. A fast typist writes 400 in a minute; the rest is for what is pasted. */
  charactersPerCallMinute: 2_400,
  /** Of both. In half an hour, the longest call, a turn every four seconds. */
  turns: 500,
  /** About 250 pages. The export of a hundred sessions at this size still ends in time. */
  transcriptBytes: 256 * 1_024,
  /** Between voice and text. Each opens connections to the providers of speech anew. */
  switches: 20,
  /** Answers to cards. An address is confirmed once or twice; each answer looks up its domain and asks a model. */
  cards: 30,
  /** Of tours, by the visitor. Later ones are taken, and not written to the record. */
  steps: 300,
};

type SessionLimit =
  | "requestsPerMinute"
  | "requestsPerCallMinute"
  | "charactersPerCallMinute"
  | "turns"
  | "transcriptBytes"
  | "switches"
  | "cards"
  | "steps";

/** The highest of the first model and the fallback. */
export interface BudgetPrices {
  talk: ModelPrice;
  evaluation: ModelPrice;
}

/** What one evaluation takes at most as a rule: requests, each with the rubric and the transcript, and tokens of each answer. */
const EVALUATION = { requests: 10, rubricTokens: 2_000, answerTokens: 1_000 };
/** What a session has reserved of its agent's day besides: about two turns. Until they are stored, nobody else may spend it. */
const AHEAD = { requests: 20, promptTokens: 10_000, answerTokens: 1_500 };

/** The price of judging a transcript of that size. */
function evaluationMicros({ input, output }: ModelPrice, transcriptBytes: number): number {
  const { requests, rubricTokens, answerTokens } = EVALUATION;
  const tokens = rubricTokens + transcriptBytes / 4;
  return Math.ceil((requests * (tokens * input + answerTokens * output)) / 1e6);
}

/** What a session wants to have reserved of its agent's day; undefined where the day has no limit. */
export function dayShare(
  { dayMicros, prices }: Pick<SessionBudgetOptions, "dayMicros" | "prices">,
  transcriptBytes: number,
): DayShare | undefined {
  if (dayMicros === Infinity) return undefined;
  const { input, output } = prices.talk;
  const { requests, promptTokens, answerTokens } = AHEAD;
  const aheadMicros = (requests * (promptTokens * input + answerTokens * output)) / 1e6;
  const wantMicros = Math.ceil(aheadMicros + evaluationMicros(prices.evaluation, transcriptBytes));
  return { dayMicros, wantMicros };
}

/** From here on the agent says goodbye. The rest is for what was sent before that, and for the goodbye itself. */
const NEAR_END = 0.9;

/**
 * The budget of one session, over all its sockets and processes: it begins with what the record holds. A request counts
 * from the moment it is sent, since a visitor who cuts every reply before its first word would otherwise have the models
 * read for nothing.
 */
export class SessionBudget {
  readonly #options: SessionBudgetOptions;
  readonly #totals: Map<string, LiveUsage>;
  /** The estimates of requests that have not ended. */
  readonly #open = new Set<ModelUsage>();
  readonly #perMinute: Bucket;
  /** What processes that died may have used in the turn that they could not store. */
  readonly #unwritten: { requests: number; costMicros: number };
  #turns = 0;
  #transcriptBytes = 0;
  #characters = 0;
  /** Of texts that were taken and are no turn yet. */
  #waitingBytes = 0;
  #switches: number;
  #cards: number;
  #steps = 0;
  #reservation: Reservation | undefined;

  constructor(options: SessionBudgetOptions) {
    const { clock, spent, session } = options;
    const { turns, events } = session;
    const perMinute = SESSION_LIMITS.requestsPerMinute;
    this.#options = options;
    this.#reservation = options.reservation;
    this.#totals = new Map(spent.map((total) => [total.model, total]));
    this.#perMinute = new Bucket(clock, { perSecond: perMinute / 60, burst: perMinute });
    for (const turn of turns) this.#count(turn);
    for (const { role, content } of turns) if (role === "user") this.#characters += content.length;
    this.#switches = events.filter(({ kind }) => kind === "switched").length;
    this.#cards = events.filter(({ kind }) => kind.startsWith("card_")).length;
    const answers = Math.max(1, turns.filter(({ role }) => role === "assistant").length);
    const deaths = Math.max(0, session.epoch - 1);
    this.#unwritten = {
      requests: Math.ceil((deaths * this.#ended("requests")) / answers),
      costMicros: Math.ceil((deaths * this.#ended("costMicros")) / answers),
    };
  }

  /** Takes a request that is about to be sent. One is let through while anything is left: it may exceed the budget, no second one may. */
  readonly charge: Charge = (model, estimate) => {
    const because = this.#spent();
    if (because !== undefined) {
      this.#options.onNearEnd(because);
      throw new BudgetSpent();
    }
    const request = { ...estimate };
    this.#open.add(request);
    return (usage) => {
      this.#open.delete(request);
      this.add(model, usage);
    };
  };

  /** What it wants to have reserved now. */
  get share(): DayShare | undefined {
    return dayShare(this.#options, this.#transcriptBytes);
  }

  /** Nothing can be said, since the day or the session has no money for it. */
  get isSpent(): boolean {
    return this.#costMicros() >= this.#mostMicros;
  }

  /** Takes what was reserved with what was stored. Less than was asked for: the day is nearly spent. */
  reserved(reservation: Reservation): void {
    this.#reservation = reservation;
    const { wantMicros = 0 } = this.share ?? {};
    if (reservation.reservedMicros < wantMicros / 2) this.#options.onNearEnd("cost");
  }

  /** Takes what was used already. */
  add(model: string, usage: ModelUsage): void {
    const before = this.#totals.get(model);
    const total = {
      model,
      requests: (before?.requests ?? 0) + 1,
      inputTokens: (before?.inputTokens ?? 0) + usage.inputTokens,
      outputTokens: (before?.outputTokens ?? 0) + usage.outputTokens,
      costMicros: (before?.costMicros ?? 0) + usage.costMicros,
    };
    this.#totals.set(model, total);
    this.#options.onUsed(usage, total);
    this.#look();
  }

  /** Takes a text of the visitor's. False when there is no room for it. */
  takeText(text: string): boolean {
    const { charactersPerCallMinute, transcriptBytes } = SESSION_LIMITS;
    const bytes = Buffer.byteLength(text);
    const hasRoom =
      this.#characters + text.length <= this.#perCall(charactersPerCallMinute) &&
      this.#transcriptBytes + this.#waitingBytes + bytes <= transcriptBytes;
    if (!hasRoom) {
      this.#options.onNearEnd("time");
      return false;
    }
    this.#characters += text.length;
    this.#waitingBytes += bytes;
    return true;
  }

  addTurn(turn: { role: "user" | "assistant"; content: string }): void {
    const bytes = this.#count(turn);
    if (turn.role === "user") this.#waitingBytes = Math.max(0, this.#waitingBytes - bytes);
    this.#look();
  }

  /** False when the visitor has switched often enough. */
  takeSwitch(): boolean {
    return ++this.#switches <= SESSION_LIMITS.switches;
  }

  /** False when the visitor has answered enough cards. */
  takeCard(): boolean {
    return ++this.#cards <= SESSION_LIMITS.cards;
  }

  /** False when enough of the visitor's steps are in the record. */
  takeStep(): boolean {
    return ++this.#steps <= SESSION_LIMITS.steps;
  }

  #count({ content }: { content: string }): number {
    const bytes = Buffer.byteLength(content);
    this.#turns += 1;
    this.#transcriptBytes += bytes;
    return bytes;
  }

  /** Why no request may be sent any more. */
  #spent(): "time" | "cost" | undefined {
    const openMicros = sumOf([...this.#open], "costMicros");
    if (this.#costMicros() + openMicros >= this.#mostMicros) return "cost";
    const requests = this.#requests() + this.#open.size;
    const isOver =
      requests >= this.#perCall(SESSION_LIMITS.requestsPerCallMinute) ||
      this.#turns >= SESSION_LIMITS.turns ||
      this.#transcriptBytes >= SESSION_LIMITS.transcriptBytes ||
      !this.#perMinute.take(1);
    return isOver ? "time" : undefined;
  }

  #look(): void {
    const { requestsPerCallMinute, turns, transcriptBytes } = SESSION_LIMITS;
    const isNear = (used: number, most: number): boolean => used >= NEAR_END * most;
    const costMicros = this.#costMicros();
    if (costMicros > 0 && isNear(costMicros, this.#capMicros)) this.#options.onNearEnd("cost");
    else if (
      isNear(this.#requests(), this.#perCall(requestsPerCallMinute)) ||
      isNear(this.#turns, turns) ||
      isNear(this.#transcriptBytes, transcriptBytes)
    )
      this.#options.onNearEnd("time");
  }

  /** Of the session, without its evaluation: that is never spent by the talk. */
  get #capMicros(): number {
    return (this.#options.maxCostMicros ?? Infinity) - this.#evaluationMicros;
  }

  /** Of the session and of the day. */
  get #mostMicros(): number {
    const dayMicros = (this.#reservation?.mostMicros ?? Infinity) - this.#evaluationMicros;
    return Math.min(this.#capMicros, dayMicros);
  }

  get #evaluationMicros(): number {
    return evaluationMicros(this.#options.prices.evaluation, this.#transcriptBytes);
  }

  #perCall(perMinute: number): number {
    return perMinute * this.#options.session.maxMinutes;
  }

  #costMicros(): number {
    return this.#ended("costMicros") + this.#unwritten.costMicros;
  }

  #requests(): number {
    const { requests: speech = 0 } = this.#totals.get("speech") ?? {};
    return this.#ended("requests") - speech + this.#unwritten.requests;
  }

  #ended(what: "requests" | "costMicros"): number {
    return sumOf([...this.#totals.values()], what);
  }
}

function sumOf<What extends string>(all: Record<What, number>[], what: What): number {
  return all.reduce((sum, one) => sum + one[what], 0);
}
