import { DEFAULT_LIMITS, readSettings } from "#accounts";
import type { AgentVersion, SearchKnowledge } from "#agents";
import type {
  Conversation,
  ConversationListener,
  ConversationModels,
  ConversationOptions,
  ConversationVoice,
  DemoAgent,
} from "#conversation";
import { inTrace } from "#platform";
import {
  claimSession,
  settleCredentials,
  dailyCostLimit,
  isWithinShare,
  liveUsage,
  loseLiveVisitor,
  notCarried,
  recordLive,
} from "#sessions";
import type { ClaimedSession, ClaimRefusal } from "#sessions";
import type { LiveHello } from "@svc/contract/types";
import { Call } from "./call.ts";
import type { CallOptions } from "./call/call-options.ts";
import { dayShare } from "./call/session-budget.ts";
import type { LiveSocket } from "./socket/live-socket.ts";

export interface CallsOptions extends Omit<
  CallOptions,
  | "session"
  | "agent"
  | "spent"
  | "maxCostMicros"
  | "dayMicros"
  | "reservation"
  | "converse"
  | "onOver"
> {
  processId: string;
  /** Conversations at once. */
  capacity: number;
  /** Whether this process is too busy for new conversations. */
  isBusy: () => boolean;
  /** The part of them that one account may take while there are others. */
  accountShare: number;
  agents: LiveAgents;
  models: ConversationModels;
  startConversation: (options: ConversationOptions) => Promise<Conversation>;
}

/** The source of agents. */
export interface LiveAgents {
  read(version: AgentVersion): Promise<DemoAgent>;
  searchIn(agent: DemoAgent): SearchKnowledge;
}

interface Converse {
  session: ClaimedSession;
  agent: DemoAgent;
  mailFollows: boolean;
  listener: ConversationListener;
  voice: ConversationVoice | undefined;
}

/** The conversations that this process carries, and who may join or begin one. */
export class Calls {
  readonly #options: CallsOptions;
  readonly #calls = new Map<string, { epoch: number; call: Promise<Call> }>();
  #draining = false;
  /** The account of each place that is taken, by a call or by a visitor who is being let in. */
  readonly #accountOf = new Map<string, number>();
  #isShared = false;

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#calls.size;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Whether several accounts share the places, from now on. */
  share(isShared: boolean): void {
    this.#isShared = isShared;
  }

  /** From now on nobody new comes in. */
  drain(): void {
    this.#draining = true;
  }

  /** Lets the browser into its conversation, or closes the socket. */
  async welcome(socket: LiveSocket, hello: LiveHello, origin?: string): Promise<void> {
    const isNew = !this.#calls.has(hello.session_id);
    if (isNew && !this.#hasPlace(hello.ticket !== undefined)) return socket.close("full");
    const claimed = await this.#claim(hello, isNew, origin);
    if (typeof claimed === "string") return socket.close(claimed);
    const { nearCap, agent } = claimed;
    // Once a day and agent: its owner can still raise the cap before visitors are refused.
    if (nearCap !== undefined)
      this.#options.log.warn(
        { agent: agent.agentId, ...nearCap },
        "an agent has used 80 % of its starts of the day; raise daily_starts_per_agent, or visitors are refused above the cap",
      );
    const call = await this.#callFor(claimed);
    call.attach(socket, hello, claimed.resumeToken);
    socket.onceHeard(() => this.#settle(claimed));
  }

  /** Hands over one call that is between two turns. It is gone a little later: by voice, last words are waited for. */
  async moveOne(): Promise<void> {
    const between: Call[] = [];
    await this.each((call) => call.isBetweenTurns && between.push(call));
    between[0]
      ?.leave()
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, "a call could not be handed over"),
      );
  }

  async each(work: (call: Call) => unknown): Promise<void> {
    await Promise.allSettled([...this.#calls.values()].map(async ({ call }) => work(await call)));
  }

  /**
   * Lets go of calls whose session was erased or is run by another process. Otherwise a call finds out only when it
   * next stores something, which a silent one never does.
   */
  async dropLost(): Promise<void> {
    const { db, processId } = this.#options;
    const calls = new Map(this.#calls);
    for (const id of await notCarried(db, processId, [...calls.keys()]))
      (await calls.get(id)!.call).lose();
  }

  /** A visitor whose process is gone is taken by a busy one, too: otherwise their call would end. */
  #hasPlace(isNewcomer: boolean): boolean {
    const { capacity, isBusy } = this.#options;
    if (this.#draining || this.#accountOf.size >= capacity) return false;
    return !isNewcomer || !isBusy();
  }

  /** Sockets whose ticket is still being looked at count for nothing: a flood of them would keep others out. */
  #mayTake(accountId: number): boolean {
    const { capacity, accountShare } = this.#options;
    if (!this.#isShared) return true;
    const counts = new Map<number, number>();
    for (const one of this.#accountOf.values()) counts.set(one, (counts.get(one) ?? 0) + 1);
    const own = (counts.get(accountId) ?? 0) + 1;
    counts.delete(accountId);
    const largestOther = Math.max(0, ...counts.values());
    const free = capacity - this.#accountOf.size - 1;
    return isWithinShare(accountShare, { own, largestOther, free });
  }

  /** The browser has its new token: older ones die. While the database is away they live until the next claim. */
  #settle({ id: sessionId, resumeToken }: ClaimedSession): void {
    const { db, log } = this.#options;
    settleCredentials(db, { sessionId, resumeToken }).catch((error: unknown) =>
      log.warn({ err: error, session: sessionId }, "older credentials could not be voided"),
    );
  }

  async #claim(
    hello: LiveHello,
    isNew: boolean,
    origin: string | undefined,
  ): Promise<ClaimedSession | ClaimRefusal> {
    const { db, processId } = this.#options;
    const { session_id: sessionId, ticket, resume_token: resumeToken = "" } = hello;
    const credential = ticket === undefined ? { resumeToken } : { ticket };
    const { playing } = hello;
    const mayTake = (accountId: number): boolean => {
      // A visitor who returns keeps the place of their conversation.
      const isNewcomer = isNew && ticket !== undefined;
      const has =
        !isNew || (this.#hasPlace(isNewcomer) && (!isNewcomer || this.#mayTake(accountId)));
      // Taken at once: of many that come together, each must see the others.
      if (has) this.#accountOf.set(sessionId, accountId);
      return has;
    };
    let claimed: ClaimedSession | ClaimRefusal | undefined;
    try {
      claimed = await claimSession(db, {
        sessionId,
        processId,
        credential,
        origin,
        playing,
        mayTake,
      });
      return claimed;
    } finally {
      if (isNew && typeof claimed !== "object") this.#accountOf.delete(sessionId);
    }
  }

  async #callFor(session: ClaimedSession): Promise<Call> {
    const { id, epoch, accountId } = session;
    const known = this.#calls.get(id);
    if (known?.epoch === epoch) return known.call;
    // Another process has had it meanwhile: what is left of it here says nothing more.
    await known?.call.then((call) => call.lose());
    const call = this.#open(session);
    this.#calls.set(id, { epoch, call });
    this.#accountOf.set(id, accountId);
    call.catch(() => this.#leave(id));
    return call;
  }

  #leave(sessionId: string): void {
    this.#calls.delete(sessionId);
    this.#accountOf.delete(sessionId);
  }

  async #open(session: ClaimedSession): Promise<Call> {
    const { db, agents, mail, times, prices } = this.#options;
    try {
      // At once: a visitor whose process has died hears nothing until all of it is there.
      const [agent, { isOn, address, verified }, { limits }, spent] = await Promise.all([
        agents.read(session.agent),
        mail.expect(session.id),
        readSettings(db, session.accountId),
        liveUsage(db, session),
      ]);
      const mailFollows = isOn && (address === undefined || verified === true);
      const accountLimits = { ...DEFAULT_LIMITS, ...limits };
      const { cost_micros_per_session: maxCostMicros } = accountLimits;
      const dayMicros = dailyCostLimit({ accountLimits, config: agent.config });
      const said = session.turns.map(({ content }) => content).join("");
      const share = dayShare({ dayMicros, prices }, Buffer.byteLength(said));
      const reservation = share && (await recordLive(db, session, [], share));
      const start = (): Promise<Call> =>
        Call.start({
          ...this.#options,
          session,
          agent,
          spent,
          maxCostMicros,
          dayMicros,
          reservation,
          converse: (listener, voice) =>
            this.#converse({ session, agent, mailFollows, listener, voice }),
          onOver: () => {
            if (this.#calls.get(session.id)?.epoch === session.epoch) this.#leave(session.id);
          },
        });
      return await inTrace(session.traceparent, start);
    } catch (error) {
      // The visitor came to nothing, and is given up unless they come again.
      await loseLiveVisitor(db, session, times.returnWithinMs / 1_000).catch(() => {});
      throw error;
    }
  }

  #converse({ session, agent, mailFollows, listener, voice }: Converse): Promise<Conversation> {
    const { startConversation, agents, models, clock } = this.#options;
    const { language, metadata, before, maxMinutes, talkedMs } = session;
    return startConversation({
      agent,
      language,
      voice,
      metadata,
      mailFollows,
      before,
      history: session.turns,
      past: session.events,
      card: session.scene?.card,
      leftMs: maxMinutes * 60_000 - talkedMs,
      listener,
      models: modelsFor(models, session.accountId),
      searchKnowledge: agents.searchIn(agent),
      clock,
    });
  }
}

/** The models as they answer the conversations of one account. */
function modelsFor(models: ConversationModels, account: number): ConversationModels {
  const { name, signOfLifeMs } = models;
  return {
    ...(name !== undefined && { name }),
    signOfLifeMs,
    get answers() {
      return models.answers;
    },
    reply: (request) => models.reply({ ...request, account }),
    verify: models.verify && ((request) => models.verify!({ ...request, account })),
  };
}
