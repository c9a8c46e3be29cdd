import { isModelFailure, ModelAway } from "#models";
import { newUuid } from "#platform";
import type { LiveAddressDoubt, LiveAgentState } from "@svc/contract/types";
import type {
  CardResult,
  CommittedTurn,
  Conversation,
  ConversationOptions,
  ConversationVoice,
  DemoAgent,
} from "../conversation.ts";
import { SpeechGuard } from "../guard/speech-guard.ts";
import { sectionsUsed } from "../plan/content-words.ts";
import { phrases } from "../phrases.ts";
import { DemoPlan } from "../plan/demo-plan.ts";
import { buildInstructions } from "../prompt/instructions.ts";
import { demoTools } from "../tools/demo-tools.ts";
import type { DemoTool } from "../tools/demo-tools.ts";
import { Cards } from "./cards.ts";
import { Composer } from "./composer.ts";
import { Dialogue } from "./dialogue.ts";
import type { Reply } from "./reply.ts";
import { Speaker } from "./speaker.ts";
import type { SpokenTurn } from "./spoken-turns.ts";
import { toolActions } from "./tool-actions.ts";
import { TurnQueue } from "./turn-queue.ts";

/** After so many failed turns in a row, going on would waste the visitor's time. */
const MAX_FAILED_TURNS = 3;
const MAX_READY_REPLIES = 3;

/** One demo. Turns are taken one at a time; a visitor's turn interrupts the agent. */
export class DemoConversation implements Conversation {
  readonly #options: ConversationOptions;
  readonly #plan: DemoPlan;
  readonly #dialogue: Dialogue;
  readonly #guard: SpeechGuard;
  readonly #cards: Cards;
  readonly #composer: Composer;
  readonly #instructions: string;
  readonly #tools: DemoTool[];
  #speaker: Speaker;
  readonly #turns: TurnQueue;
  #state: LiveAgentState = "listening";
  #failedTurns = 0;
  #lastTurn: Pick<CommittedTurn, "role" | "content" | "interrupted"> | undefined;
  /** True once the goodbye was said. The agent is silent from then on. */
  #isOver = false;

  static async start(options: ConversationOptions): Promise<DemoConversation> {
    const conversation = new DemoConversation(options);
    await conversation.#speaker.start();
    return conversation;
  }

  private constructor(options: ConversationOptions) {
    const { agent, language, metadata, mailFollows, history = [], past = [] } = options;
    const { voice, listener, models, clock } = options;
    this.#options = options;
    this.#lastTurn = history.at(-1);
    const tell = listener.event.bind(listener);
    const plan = new DemoPlan(agent, metadata, { history, past, mailFollows, tell });
    const dialogue = new Dialogue(history);
    const said = dialogue.said.bind(dialogue);
    const guard = new SpeechGuard({ agent, plan, language, metadata, said });
    const cards = new Cards((card) => listener.card(card));
    const turns = new TurnQueue(clock, () => this.#setState("listening"));
    const actions = toolActions({ ...options, plan, cards, turns });
    const tools = demoTools({ agent, plan, actions });
    const instructions = buildInstructions(agent, language);
    const parts = { instructions, language, plan, guard, dialogue, models, tools, listener, clock };
    const composer = new Composer(parts);
    this.#turns = turns;
    this.#plan = plan;
    this.#dialogue = dialogue;
    this.#guard = guard;
    this.#cards = cards;
    this.#composer = composer;
    this.#instructions = instructions;
    this.#tools = tools;
    this.#speaker = this.#createSpeaker(voice);
  }

  #createSpeaker(voice: ConversationVoice | undefined): Speaker {
    const { agent, language, listener, clock, models } = this.#options;
    return new Speaker({
      model: models.name,
      instructions: this.#instructions,
      tools: this.#tools,
      clock,
      compose: (reply, order) => this.#composer.compose(reply, order),
      runTool: (...call) => this.#runTool(...call),
      voice: voice && {
        media: voice.media,
        hearing: voice.speech.hearing(language),
        voice: voice.speech.voice(language, languageOf(agent, language)?.voice),
        language,
        prices: voice.speech.prices,
      },
      onCost: (costMicros) =>
        listener.usage("speech", { inputTokens: 0, outputTokens: 0, costMicros }),
      onStarted: (reply) => this.#started(reply),
      onPartial: (turn) => listener.partial({ ...turn, role: "assistant" }),
      onSpoken: (reply, turn) => this.#committed(reply, turn),
      onTakenBack: (turnId) => listener.takenBack(turnId),
      onVisitorSpeaks: (speaking) => listener.visitorSpeaks(speaking),
      onVisitorPartial: (turn) => listener.partial({ ...turn, role: "user" }),
      onVisitorSaid: (turn) =>
        void this.#answer(turn.text, turn).catch((error) => this.#fail(error)),
      onVoiceLost: (why) => {
        listener.event("voice_lost", { why: String(why) });
        listener.voiceLost();
      },
    });
  }

  setVoice(voice: ConversationVoice | undefined): Promise<void> {
    this.#turns.interrupt();
    return this.#turns.add(async () => {
      await this.#speaker.close();
      this.#speaker = this.#createSpeaker(voice);
      await this.#speaker.start();
    });
  }

  begin(): Promise<void> {
    const { history = [] } = this.#options;
    return this.#turns.add(async (reply) => {
      const last = history.at(-1);
      if (last?.role === "user") return this.#respond(reply, last.content);
      if (last === undefined) await this.#greet(reply);
    });
  }

  pickUp(): Promise<void> {
    return this.#turns.add(async (reply) => {
      const last = this.#lastTurn;
      if (last === undefined) return this.#greet(reply);
      if (last.role === "user") return this.#respond(reply, last.content);
      if (!last.interrupted) return;
      this.#plan.pickUp();
      await this.#respond(reply);
    });
  }

  async #greet(reply: Reply): Promise<void> {
    const { agent, language } = this.#options;
    const { name, brand } = agent.config;
    const own = languageOf(agent, language)?.greeting;
    await this.#say(reply, own ?? phrases(language).greeting(name, brand.name));
    this.#offerReplies(reply);
  }

  hear(text: string): Promise<void> {
    return this.#answer(text);
  }

  /** Answers a typed or a spoken turn. */
  #answer(text: string, spoken?: SpokenTurn): Promise<void> {
    this.#turns.interrupt();
    return this.#turns.add(async (reply) => {
      const at = new Date(this.#options.clock.nowMs());
      const id = spoken?.id ?? newUuid();
      const turn = { id, role: "user" as const, content: text, interrupted: false, at };
      this.#dialogue.heardVisitor(text);
      this.#cards.withdrawReplies();
      this.#lastTurn = turn;
      this.#options.listener.turn(turn);
      this.#plan.heardVisitor(turn);
      const { addressSaid } = this.#plan;
      if (addressSaid !== undefined) this.#cards.prefillEmail(addressSaid);
      await this.#respond(reply, text);
    }, spoken ?? "typed");
  }

  settleCard(result: CardResult): Promise<void> {
    return this.#turns.add(async (reply) => {
      if (this.#cards.settle(result.cardId)?.kind !== "email") return;
      if (result.action === "confirmed") this.#plan.emailCard("confirmed", result);
      else this.#plan.emailCard("declined");
      await this.#respond(reply);
    });
  }

  doubtEmail(address: string, doubt: LiveAddressDoubt): void {
    if (this.#isOver) return;
    this.#plan.emailCard("open", { address, mailFollows: false });
    this.#cards.openEmail(address, doubt);
  }

  async nudge(): Promise<void> {
    // Otherwise a visitor who is still being answered would hear the nudge right after the answer.
    if (this.#turns.underWay !== undefined) return;
    await this.#turns.add(async (reply) => {
      if (!this.#isOver) await this.#say(reply, phrases(this.#options.language).nudge);
    });
  }

  wrapUp(because: "time" | "cost"): Promise<void> {
    const { wrapUpTime, wrapUpCost } = phrases(this.#options.language);
    this.#turns.interrupt();
    return this.#turns.add(async (reply) => {
      if (this.#isOver) return;
      this.#isOver = true;
      await this.#say(reply, because === "time" ? wrapUpTime : wrapUpCost);
    });
  }

  interrupt(): Promise<void> {
    this.#turns.interrupt();
    return this.#turns.done;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.interrupt();
    await this.#speaker.close();
  }

  async #respond(reply: Reply, visitorSaid?: string): Promise<void> {
    if (this.#isOver || reply.isInterrupted) return;
    this.#setState("thinking");
    await this.#speaker.generate(reply, { visitorSaid, mayCallTools: true });
    // The model only called tools, or the guard held back all its sentences.
    if (reply.owesWords && !(reply.trouble instanceof ModelAway)) {
      reply.trouble = undefined;
      await this.#speaker.generate(reply, { mayCallTools: false });
    }
    this.#tell(reply);
    if (reply.owesWords) return this.#excuse(reply);
    if (reply.isInterrupted) return;
    this.#failedTurns = 0;
    if (reply.isLast || this.#plan.isOver) this.#end("agent_ended");
    else if (this.#plan.nextGoal().kind === "answer") this.#offerReplies(reply);
  }

  /** Offers content as quick replies. Titles exist only in the agent's default language. */
  #offerReplies(reply: Reply): void {
    const { agent, language } = this.#options;
    const { content, tools, defaultLanguage } = agent.config;
    const isRead = language.split("-")[0] === defaultLanguage.split("-")[0];
    if (reply.isInterrupted || !isRead || !tools.includes("show_content")) return;
    const shown = new Set(this.#plan.state.shown);
    const titles = content.filter(({ id }) => !shown.has(id)).map(({ title }) => title);
    this.#cards.offerReplies(titles.slice(0, MAX_READY_REPLIES));
  }

  /** Says a fixed phrase in a turn for which no model had words. */
  async #excuse(reply: Reply): Promise<void> {
    const { notUnderstood, oneMoment, goodbye, technicalGoodbye } = phrases(this.#options.language);
    const { trouble } = reply;
    if (trouble === undefined) {
      await this.#say(reply, reply.isLast ? goodbye : notUnderstood);
      if (reply.isLast) this.#end("agent_ended");
      return;
    }
    this.#failedTurns += 1;
    const isHopeless = this.#failedTurns >= MAX_FAILED_TURNS;
    await this.#say(reply, isHopeless ? technicalGoodbye : oneMoment);
    if (isHopeless) this.#end("server_fault");
    if (!isModelFailure(trouble)) throw trouble;
  }

  async #say(reply: Reply, text: string): Promise<void> {
    reply.step = this.#dialogue.beginStep();
    await this.#speaker.say(reply, text);
  }

  /** Handles a failed answer to a spoken turn, for which no caller waits. */
  #fail(error: unknown): void {
    this.#options.listener.event("failed", { why: String(error) });
    this.#end("server_fault");
  }

  #end(reason: "agent_ended" | "server_fault"): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.listener.ended(reason);
  }

  #started(reply: Reply): void {
    reply.firstTextMs ??= this.#options.clock.monotonicMs();
    this.#setState("speaking");
  }

  #committed(reply: Reply, turn: CommittedTurn): void {
    const { agent, listener } = this.#options;
    const { step } = reply;
    // A step has two turns when speech is lost in it: the spoken part and the part that is shown as text.
    if (step !== undefined)
      step.heard = step.heard === undefined ? turn.content : `${step.heard} ${turn.content}`;
    reply.turnId ??= turn.id;
    this.#lastTurn = turn;
    listener.turn(turn);
    // A fixed phrase or a nudge does not fulfil the goal of the turn.
    const isModelThere = reply.hasWords || reply.trouble === undefined;
    this.#plan.heardAgent(turn, reply.goal !== undefined && isModelThere);
    for (const section of sectionsUsed(turn.content, agent))
      listener.event("knowledge_used", { section, turn: turn.id });
  }

  async #runTool(
    reply: Reply,
    tool: DemoTool,
    callId: string,
    args: unknown,
  ): Promise<string | undefined> {
    const { step } = reply;
    // After an interruption nobody waits for the output.
    const output = await Promise.race([tool.run(args), reply.whenInterrupted]);
    if (output === undefined) return undefined;
    const call = { id: callId, name: tool.name, args: JSON.stringify(args) };
    step?.calls.push({ call, output });
    // A turn with words is complete, unless the tool found what the answer needs.
    return reply.hasWords && tool.name !== "search_knowledge" ? undefined : output;
  }

  #setState(state: LiveAgentState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.listener.state(state);
  }

  #tell(reply: Reply): void {
    const { clock, listener } = this.#options;
    listener.event("reply", reply.figures(clock.monotonicMs()));
    const timings = reply.timings();
    if (timings !== undefined) listener.event("timings", timings);
    const heldBack = this.#guard.dropped().map(({ why }) => why);
    if (heldBack.length > 0) listener.event("held_back", { why: heldBack });
  }
}

function languageOf(
  { config }: DemoAgent,
  language: string,
): { voice?: string; greeting?: string } | undefined {
  return config.languages.find(({ code }) => code === language);
}
