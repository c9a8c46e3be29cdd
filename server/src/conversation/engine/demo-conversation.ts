import { contentIn, isLarge, sourcesOf } from "#agents";
import type { SearchKnowledge } from "#agents";
import { isModelFailure, ModelAway } from "#models";
import { newUuid } from "#platform";
import type {
  LiveActionResult,
  LiveAddressDoubt,
  LiveAgentState,
  LivePlaceResult,
  SpokenWords,
} from "@svc/contract/types";
import type {
  CardResult,
  CommittedTurn,
  Conversation,
  ConversationOptions,
  ConversationVoice,
  DemoAgent,
  UnfinishedTurn,
} from "../conversation.ts";
import { endsInQuestion, fillWords, joinSentences, Source, wordsOf } from "#language";
import { SpeechGuard } from "../guard/speech-guard.ts";
import { Verifier } from "../guard/verifier.ts";
import { buildInstructions } from "../prompt/instructions.ts";
import { Fence } from "../prompt/told.ts";
import { DemoState } from "../state/demo-state.ts";
import { Cards } from "./cards.ts";
import { Composer } from "./composer.ts";
import { Dialogue } from "./dialogue.ts";
import { GoodbyeTimer } from "./goodbye-timer.ts";
import { PageActions } from "./page-actions.ts";
import type { Reply } from "./reply.ts";
import { searchTool } from "./search-tool.ts";
import type { DemoTool } from "./search-tool.ts";
import { Speaker } from "./speaker.ts";
import type { SpokenTurn } from "./spoken-turns.ts";
import { StageDirections } from "./stage-directions.ts";
import { TurnQueue } from "./turn-queue.ts";

/** After so many failed turns in a row, going on would waste the visitor's time. */
const MAX_FAILED_TURNS = 3;
const MAX_READY_REPLIES = 3;

/** One demo. Turns are taken one at a time; a visitor's turn interrupts the agent. */
export class DemoConversation implements Conversation {
  readonly #options: ConversationOptions;
  readonly #demo: DemoState;
  readonly #dialogue: Dialogue;
  readonly #cards: Cards;
  readonly #actions: PageActions;
  readonly #directions: StageDirections;
  readonly #goodbye: GoodbyeTimer;
  readonly #verifier: Verifier | undefined;
  readonly #composer: Composer;
  readonly #instructions: string;
  readonly #tools: DemoTool[];
  /** What an answer may come from: all of the knowledge, or the sections that the model or the verifier found last. */
  #known: DemoAgent["knowledge"];
  #speaker: Speaker;
  readonly #turns: TurnQueue;
  #state: LiveAgentState = "listening";
  #failedTurns = 0;
  /** Replies to what came of actions, since the visitor has said something. */
  #unasked = 0;
  #lastTurn: Pick<CommittedTurn, "role" | "content" | "interrupted"> | undefined;
  /** True once the goodbye was said. The agent is silent from then on. */
  #isOver = false;

  static async start(options: ConversationOptions): Promise<DemoConversation> {
    const conversation = new DemoConversation(options);
    await conversation.#speaker.start();
    const { language } = conversation.#demo;
    if (language !== options.language) options.listener.language(language);
    return conversation;
  }

  private constructor(options: ConversationOptions) {
    const { agent, history = [], listener, models, clock, metadata, leftMs } = options;
    this.#options = options;
    this.#lastTurn = history.at(-1);
    const tell = listener.event.bind(listener);
    const charge = listener.charge.bind(listener);
    const startedMs = clock.monotonicMs();
    const state = new DemoState(agent, { ...options, tell });
    const fence = new Fence();
    const dialogue = new Dialogue(fence);
    if (options.before !== undefined) {
      dialogue.addPast(options.before.turns);
      dialogue.happened(
        "That conversation ended. The visitor has come back, and a new one begins.",
      );
    }
    dialogue.addPast(history);
    const ask = models.verify?.bind(models);
    const searchKnowledge: SearchKnowledge = async (...asked) => {
      const sections = await options.searchKnowledge(...asked);
      this.#known = [...new Set([...sections, ...this.#known])].slice(0, MAX_KNOWN);
      return sections;
    };
    this.#verifier = ask && new Verifier({ ...options, searchKnowledge, ask, charge });
    const guard = new SpeechGuard({
      agent,
      state,
      metadata,
      agentSaid: () => dialogue.agentSaid(),
      verifier: this.#verifier,
      pageSaid: () => this.#actions.results,
      nowMs: () => clock.nowMs(),
    });
    this.#turns = new TurnQueue(clock, () => this.#setState("listening"));
    this.#demo = state;
    this.#dialogue = dialogue;
    this.#cards = new Cards((card) => listener.card(card), options.card);
    this.#actions = new PageActions({
      ...options,
      language: () => state.language,
      ask: (action) => this.#cards.openAction(action),
      onSettled: (name) => this.#actionSettled(name),
    });
    this.#directions = new StageDirections({
      agent,
      state,
      cards: this.#cards,
      actions: this.#actions,
      listener,
      metadata,
    });
    this.#goodbye = new GoodbyeTimer(() => this.#end("agent_ended"), options.goodbyeMs);
    this.#instructions = buildInstructions(agent);
    this.#tools = searchTool(agent, { listener, searchKnowledge });
    this.#known = isLarge(agent.knowledge) ? [] : agent.knowledge;
    this.#composer = new Composer({
      ...options,
      instructions: this.#instructions,
      tools: this.#tools,
      state,
      fence,
      guard,
      dialogue,
      actions: () => this.#actions.told,
      isVoice: () => this.#speaker.isVoice,
      leftMs: () => leftMs && leftMs - (clock.monotonicMs() - startedMs),
    });
    this.#speaker = this.#createSpeaker(options.voice);
  }

  #createSpeaker(voice: ConversationVoice | undefined): Speaker {
    const { agent, listener, clock, models } = this.#options;
    const { language } = this.#demo;
    return new Speaker({
      model: models.name,
      instructions: this.#instructions,
      tools: this.#tools,
      clock,
      compose: (reply, order) => this.#composer.compose(reply, order),
      runTool: (...call) => this.#runTool(...call),
      voice: voice && {
        media: voice.media,
        hearing: voice.speech.hearing(language, voice.account),
        voice: voice.speech.voice(language, languageOf(agent, language)?.voice, voice.account),
        language,
        prices: voice.speech.prices,
      },
      onCost: (costMicros) =>
        listener.usage("speech", { inputTokens: 0, outputTokens: 0, costMicros }),
      onStarted: (reply) => this.#started(reply),
      onPartial: (reply, turn) => {
        this.#cite(reply, turn.id, turn.text);
        listener.partial({ ...turn, role: "assistant" });
        if (reply.signOfLife !== "")
          this.#setState(reply.isSilentBehind(turn.text) ? "thinking" : "speaking");
        this.#heard(reply, turn);
      },
      onSpoken: (reply, turn) => this.#committed(reply, turn),
      onTakenBack: (turnId) => listener.takenBack(turnId),
      onVisitorSpeaks: (speaking) => {
        this.#goodbye.disarm();
        listener.visitorSpeaks(speaking);
      },
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
    return this.#goOn(true);
  }

  get unfinished(): UnfinishedTurn | undefined {
    return this.#speaker.unfinished;
  }

  pickUp(): Promise<void> {
    return this.#goOn(false);
  }

  /** @param wasGone the process before has gone: by voice that was a silence, which the agent ends before a model answers. */
  #goOn(wasGone: boolean): Promise<void> {
    return this.#turns.add(async (reply) => {
      const last = this.#lastTurn;
      if (last === undefined) return this.#greet(reply);
      if (wasGone && this.#speaker.isVoice) reply.opening = this.#words.was_gone;
      if (last.role === "user") return this.#respond(reply, last.content);
      if (!last.interrupted) return;
      const told = reply.opening === undefined ? "" : " You have said so.";
      this.#dialogue.happened(
        `The call was interrupted and is back.${told} Take up where you stopped.`,
      );
      await this.#respond(reply);
    });
  }

  async #greet(reply: Reply): Promise<void> {
    const { agent, language, before } = this.#options;
    const { name, brand } = agent.config;
    const { greeting, greeting_again } = wordsOf(agent.config.languages, language).spoken;
    const own = languageOf(agent, language)?.greeting ?? greeting;
    const text = before === undefined ? own : greeting_again;
    await this.#say(reply, fillWords(text, { name, brand: brand.name }));
    this.#offerReplies(reply);
  }

  stirred(): void {
    this.#goodbye.disarm();
  }

  hear(text: string, id?: string): Promise<void> {
    return this.#answer(text, undefined, id);
  }

  /** Answers a typed or a spoken turn. */
  #answer(text: string, spoken?: SpokenTurn, typedId: string = newUuid()): Promise<void> {
    this.#goodbye.disarm();
    this.#unasked = 0;
    this.#turns.interrupt();
    return this.#turns.add(async (reply) => {
      const at = new Date(this.#options.clock.nowMs());
      const id = spoken?.id ?? typedId;
      const turn = { id, role: "user" as const, content: text, interrupted: false, at };
      this.#dialogue.heardVisitor(text);
      this.#cards.visitorSpoke();
      this.#lastTurn = turn;
      this.#options.listener.turn(turn);
      this.#demo.heardVisitor(text);
      const { addressSaid } = this.#demo;
      if (addressSaid !== undefined) this.#cards.prefillEmail(addressSaid);
      await this.#respond(reply, text);
    }, spoken ?? "typed");
  }

  settleCard(result: CardResult): Promise<void> {
    this.#goodbye.disarm();
    const action = this.#cards.settleAction(result.cardId);
    if (action !== undefined) {
      // At once, though the agent may still be speaking: the visitor has clicked and waits.
      this.#actions.answer(action, result.action === "agreed");
      return this.#turns.done;
    }
    return this.#turns.add(async (reply) => {
      if (this.#cards.settle(result.cardId)?.kind !== "email") return;
      if (result.action === "confirmed") {
        this.#demo.emailCard("confirmed", result);
        this.#dialogue.happened(`The visitor confirmed ${result.address} on the card.`);
      } else {
        this.#demo.emailCard("declined");
        this.#dialogue.happened("The visitor closed the card without an address.");
      }
      await this.#respond(reply);
    });
  }

  doubtEmail(address: string, doubt: LiveAddressDoubt): void {
    if (this.#isOver) return;
    this.#goodbye.disarm();
    this.#demo.emailCard("open", { address, mailFollows: false });
    this.#cards.openEmail(address, doubt);
  }

  settlePlace(id: string, state: LivePlaceResult["state"]): void {
    this.#demo.settlePlace(id, state);
  }

  visitorShowed(name: string): void {
    this.#demo.visitorShowed(name);
  }

  pageChanged(): void {
    this.#actions.pageChanged();
  }

  offerActions(names: readonly string[]): void {
    this.#actions.offer(names);
  }

  settleAction(result: Omit<LiveActionResult, "type" | "seq">): void {
    this.#actions.settle(result);
  }

  /** Speaks of what came of an action, unless the visitor has said something since: then the state tells it. */
  #actionSettled(name: string): void {
    if (this.#isOver || this.#unasked >= MOST_UNASKED) return;
    this.#goodbye.disarm();
    this.#unasked += 1;
    const asked = this.#unasked;
    const tell = async (reply: Reply): Promise<void> => {
      if (this.#unasked !== asked) return;
      this.#dialogue.happened(`The action ${name} is over: the state tells what came of it.`);
      await this.#respond(reply);
    };
    this.#turns.add(tell).catch((error) => this.#fail(error));
  }

  async nudge(silentSecs: number): Promise<void> {
    // Otherwise a visitor who is still being answered would hear the nudge right after the answer.
    if (this.#turns.underWay !== undefined || this.#goodbye.isArmed) return;
    await this.#turns.add(async (reply) => {
      if (this.#isOver) return;
      this.#dialogue.visitorSilent(silentSecs);
      await this.#generate(reply);
      if (reply.owesWords) await this.#say(reply, this.#words.nudge);
      if (reply.isGoodbye) this.#partAfter(reply);
    });
  }

  wrapUp(because: "time" | "cost"): Promise<void> {
    const { wrap_up_time, wrap_up_cost } = this.#words;
    this.#goodbye.disarm();
    this.#turns.interrupt();
    return this.#turns.add(async (reply) => {
      if (this.#isOver) return;
      this.#isOver = true;
      await this.#say(reply, because === "time" ? wrap_up_time : wrap_up_cost);
    });
  }

  interrupt(): Promise<void> {
    this.#turns.interrupt();
    return this.#turns.done;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#goodbye.disarm();
    this.#actions.close();
    await this.interrupt();
    await this.#speaker.close();
  }

  async recap(signal: AbortSignal): Promise<string[]> {
    if (this.#demo.visitorSaid.length === 0) return [];
    return this.#composer.recap(signal);
  }

  async #respond(reply: Reply, visitorSaid?: string): Promise<void> {
    if (this.#isOver || reply.isInterrupted) return;
    this.#setState("thinking");
    await this.#generate(reply, visitorSaid);
    if (reply.owesWords) return this.#excuse(reply);
    if (reply.isInterrupted) return;
    this.#failedTurns = 0;
    if (reply.isGoodbye) this.#partAfter(reply);
    else this.#offerReplies(reply);
  }

  /** Has the models speak, and once more without a search where they only searched. */
  async #generate(reply: Reply, visitorSaid?: string): Promise<void> {
    await this.#speaker.generate(reply, { visitorSaid, mayCallTools: true });
    if (reply.owesWords && reply.searches > 0 && !(reply.trouble instanceof ModelAway)) {
      reply.trouble = undefined;
      await this.#speaker.generate(reply, { mayCallTools: false });
    }
    this.#tell(reply);
  }

  /** A visitor who has just been asked something is not hung up on, and one with a card open has time for it. */
  #partAfter(reply: Reply): void {
    if (reply.isInterrupted || endsInQuestion(reply.said.at(-1) ?? "")) return;
    const mode = this.#speaker.isVoice ? "voice" : "text";
    this.#goodbye.arm(this.#cards.isAsking ? "card" : mode);
  }

  /**
   * Offers content as quick replies, unless the agent has asked something: they would not answer it.
   * A title that is not in the visitor's language is not offered.
   */
  #offerReplies(reply: Reply): void {
    const { config } = this.#options.agent;
    const isAsked = endsInQuestion(reply.said.at(-1) ?? "");
    if (reply.isInterrupted || isAsked || !config.tools.includes("show_content")) return;
    const titles = config.content
      .filter(({ id }) => !this.#demo.wasShown(id))
      .map((one) => contentIn(config, one, this.#demo.language))
      .flatMap(({ title, isTitleTranslated }) => (isTitleTranslated ? title : []));
    this.#cards.offerReplies(titles.slice(0, MAX_READY_REPLIES));
  }

  /** In the language of the moment. */
  get #words(): SpokenWords {
    return wordsOf(this.#options.agent.config.languages, this.#demo.language).spoken;
  }

  /** Says a fixed phrase in a turn for which no model had words. */
  async #excuse(reply: Reply): Promise<void> {
    const words = this.#words;
    const { trouble } = reply;
    if (trouble === undefined || reply.held > 0)
      return this.#say(reply, reply.held > 0 ? words.do_not_know : words.not_understood);
    this.#failedTurns += 1;
    const isHopeless = this.#failedTurns >= MAX_FAILED_TURNS;
    await this.#say(reply, isHopeless ? words.technical_goodbye : words.one_moment);
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

  /** Names the sections that the facts of each sentence stand in, once it was heard; before its caption, which shows them. */
  #cite(reply: Reply, turn: string, text: string): void {
    for (const sentence of reply.takeHeardSentences(text)) {
      const found = sourcesOf(sentence, this.#demo.language, this.#known);
      const sections = found.map(({ name }) => name);
      if (sections.length === 0 || sections.some((name) => reply.cited.has(name))) continue;
      for (const name of sections) reply.cited.add(name);
      this.#options.listener.event("sources", { turn, sections });
    }
  }

  /** Carries out the directions whose words were heard. */
  #heard(reply: Reply, turn: { id: string; text: string }, isComplete = false): void {
    for (const { direction, at } of reply.heard(turn.text, isComplete)) {
      const onGoodbye = (): void => void (reply.isGoodbye = true);
      if (!this.#directions.perform(direction, { turn: turn.id, onGoodbye })) continue;
      reply.step?.directions.push({ direction, at: reply.lettersInStep(at) });
    }
  }

  #committed(reply: Reply, turn: CommittedTurn): void {
    const { step } = reply;
    this.#cite(reply, turn.id, turn.content);
    this.#heard(reply, { id: turn.id, text: turn.content }, true);
    // A step has two turns when speech is lost in it: the spoken part and the part that is shown as text.
    if (step !== undefined)
      step.heard = joinSentences(step.heard, reply.withoutSignOfLife(turn.content));
    const said = new Source(turn.content);
    for (const { key, text } of this.#options.agent.config.questions)
      if (said.says(text)) this.#demo.questionHeard(key, turn.id);
    reply.turnId ??= turn.id;
    this.#lastTurn = turn;
    this.#options.listener.turn(turn);
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
    const extra = reply.extras.get(callId);
    const call = {
      id: callId,
      name: tool.name,
      args: JSON.stringify(args),
      ...(extra && { extra }),
    };
    step?.calls.push({ call, output });
    return output;
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
    const opinions = this.#verifier?.takeCounts();
    if (opinions !== undefined && opinions.asked > 0) listener.event("verifier", opinions);
  }
}

/** So often the agent speaks of actions before the visitor has said something: one could lead to the next forever. */
const MOST_UNASKED = 3;

/** As many as a talk of some minutes finds: each is read for every sentence. */
const MAX_KNOWN = 24;

function languageOf(
  { config }: DemoAgent,
  language: string,
): { voice?: string; greeting?: string } | undefined {
  return config.languages.find(({ code }) => code === language);
}
