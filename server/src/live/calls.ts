import { DEFAULT_LIMITS, readSettings } from "#accounts";
import type { AgentVersion } from "#agents";
import type {
  Conversation,
  ConversationListener,
  ConversationModels,
  ConversationOptions,
  ConversationVoice,
  DemoAgent,
  KnowledgeSection,
} from "#conversation";
import { inTrace } from "#platform";
import {
  claimSession,
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
  /** The part of them that one account may take while there are others. */
  accountShare: number;
  agents: LiveAgents;
  models: ConversationModels;
  startConversation: (options: ConversationOptions) => Promise<Conversation>;
}

/** The source of agents. */
export interface LiveAgents {
  read(version: AgentVersion): Promise<DemoAgent>;
  search(
    agent: DemoAgent,
    question: { query: string; language: string },
  ): Promise<KnowledgeSection[]>;
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
  async welcome(socket: LiveSocket, hello: LiveHello): Promise<void> {
    const isNew = !this.#calls.has(hello.session_id);
    if (isNew && !this.#hasPlace()) return socket.close("full");
    const claimed = await this.#claim(hello, isNew);
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

  #hasPlace(): boolean {
    return !this.#draining && this.#accountOf.size < this.#options.capacity;
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

  async #claim(hello: LiveHello, isNew: boolean): Promise<ClaimedSession | ClaimRefusal> {
    const { db, processId } = this.#options;
    const { session_id: sessionId, ticket, resume_token: resumeToken = "" } = hello;
    const credential = ticket === undefined ? { resumeToken } : { ticket };
    const { playing } = hello;
    const mayTake = (accountId: number): boolean => {
      // A visitor who returns keeps the place of their conversation.
      const isNewcomer = isNew && ticket !== undefined;
      const has = !isNew || (this.#hasPlace() && (!isNewcomer || this.#mayTake(accountId)));
      // Taken at once: of many that come together, each must see the others.
      if (has) this.#accountOf.set(sessionId, accountId);
      return has;
    };
    let claimed: ClaimedSession | ClaimRefusal | undefined;
    try {
      claimed = await claimSession(db, { sessionId, processId, credential, playing, mayTake });
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
      const agent = await agents.read(session.agent);
      const { isOn, address, verified } = await mail.expect(session.id);
      const mailFollows = isOn && (address === undefined || verified === true);
      const { limits } = await readSettings(db, session.accountId);
      const accountLimits = { ...DEFAULT_LIMITS, ...limits };
      const { cost_micros_per_session: maxCostMicros } = accountLimits;
      const spent = await liveUsage(db, session);
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
    const searchKnowledge = (query: string): Promise<KnowledgeSection[]> =>
      agents.search(agent, { query, language });
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
      searchKnowledge,
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
