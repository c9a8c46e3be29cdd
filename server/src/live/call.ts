import { setTimeout as delay } from "node:timers/promises";
import type { Conversation, ConversationVoice } from "#conversation";
import type { AgentMode, LiveEndReason, LiveHello } from "@svc/contract/types";
import { callListener } from "./call/call-listener.ts";
import type { CallOptions } from "./call/call-options.ts";
import { Line } from "./call/line.ts";
import { Recorder } from "./call/recorder.ts";
import { Replies } from "./call/replies.ts";
import { RoomOfCall } from "./call/room-of-call.ts";
import { Screen } from "./call/screen.ts";
import { SessionBudget } from "./call/session-budget.ts";
import { SilenceWatch, TimeWatch } from "./call/silence-watch.ts";
import { Switchboard } from "./call/switchboard.ts";
import type { CallPhase } from "./call/switchboard.ts";
import { VisitorMail } from "./call/visitor-mail.ts";
import { WsMedia } from "./media/ws-media.ts";
import { FrameRateLimit, SESSION_BURSTS } from "./socket/frame-rate-limit.ts";
import type { LiveSocket } from "./socket/live-socket.ts";

/** A process numbers its segments apart from those of the process before it. */
const SEGMENTS_PER_EPOCH = 1_000_000;
/** How often it is stored how far the agent has been heard. If its process dies, the browser says more exactly where it stopped. */
const SCENE_MS = 700;
/** What the visitor has said becomes a turn within this time, or never: speech-to-text takes no longer. */
const WORDS_WITHIN_MS = 2_000;

/** Endings without a recap: no model is to be asked, or none answers. */
const UNSUMMED: ReadonlySet<LiveEndReason> = new Set(["max_cost", "server_fault", "visitor_gone"]);

/**
 * One conversation and the socket of its visitor, which may be lost and replaced. What the
 * conversation tells goes to the browser and to the record; what the browser sends goes to the
 * conversation.
 */
export class Call {
  readonly #options: CallOptions;
  readonly #startedMs: number;
  readonly #line: Line;
  readonly #screen: Screen;
  readonly #recorder: Recorder;
  readonly #budget: SessionBudget;
  /** Of all its sockets together: a visitor who reconnects has no more than one who does not. */
  readonly #frames: FrameRateLimit;
  readonly #replies: Replies;
  readonly #silence: SilenceWatch;
  readonly #time: TimeWatch;
  readonly #mail: VisitorMail;
  /** Once they have talked by voice. */
  #media: WsMedia | undefined;
  readonly #room: RoomOfCall;
  #conversation!: Conversation;
  #switchboard!: Switchboard;
  #phase: CallPhase = "talking";
  #givingUp: NodeJS.Timeout | undefined;
  #ratingTime: NodeJS.Timeout | undefined;
  #begun = false;
  /** The number of requests that the conversation has not finished yet. */
  #underWay = 0;
  #visitorLastSeenAt: Date | undefined;
  /** As it was stored last. */
  #scene: { atMs: number; words: number | undefined } = { atMs: -Infinity, words: undefined };
  /** By voice; infinite while they speak. */
  #visitorSpokeMs = -Infinity;

  static async start(options: CallOptions): Promise<Call> {
    const call = new Call(options);
    const listener = callListener({
      screen: call.#screen,
      recorder: call.#recorder,
      replies: call.#replies,
      metrics: options.metrics,
      budget: call.#budget,
      note: (kind, detail) => call.#note(kind, detail),
      onTurn: (turnId) => call.#switchboard?.committed(turnId),
      onScene: (isSmall) => call.#keepScene(isSmall),
      onTurnTaking: () => call.#silence.look(),
      onVoiceLost: () => call.#room.close(),
      onVisitorSpeaks: (speaking) => {
        call.#seen();
        call.#visitorSpokeMs = speaking ? Infinity : options.clock.monotonicMs();
        call.#silence.setSpeaking(speaking);
      },
      onEnded: (reason) => void call.end(reason),
    });
    const voice = call.#voiceFor(call.#screen.mode);
    call.#conversation = await options.converse(listener, voice);
    call.#switchboard = call.#connect();
    // Started only now: for a visitor who comes back too late the time ends the call at once, so the call must exist.
    if (call.#phase !== "over") call.#time.start();
    else await call.#conversation.close();
    const { session } = options;
    if ((session.scene?.mode ?? session.mode) !== call.#screen.mode) call.#note("voice_away", {});
    if (session.epoch > 1) call.#note("taken_over", { epoch: session.epoch });
    return call;
  }

  private constructor(options: CallOptions) {
    const { session, agent, publicUrl, clock, times, findingOut } = options;
    this.#options = options;
    this.#startedMs = clock.monotonicMs();
    this.#replies = new Replies(clock);
    this.#frames = new FrameRateLimit(clock, SESSION_BURSTS);
    this.#mail = new VisitorMail(options.mail, { sessionId: session.id, log: options.log });
    this.#line = new Line({
      clock,
      silentMs: times.silentMs,
      received: session.scene?.received ?? 0,
      findingOut,
      onMessage: (message) => this.#switchboard.message(message),
      onAudio: (bytes) => this.#switchboard.sound(bytes),
      onLost: (silentMs) => this.#lost(silentMs),
    });
    this.#screen = new Screen({
      agentId: session.agent.agentId,
      agent,
      publicUrl,
      language: session.language,
      mode: this.#possible(session.scene?.mode ?? session.mode),
      turns: session.turns,
      events: session.events,
      scene: session.scene,
      tell: (message) => this.#line.tell(message),
    });
    this.#recorder = new Recorder({
      ...options,
      onStuck: (why) => this.#drop(why),
      share: () => this.#budget.share,
      onReserved: (reservation) => this.#budget.reserved(reservation),
    });
    this.#budget = new SessionBudget({
      ...options,
      onUsed: (usage, total) => {
        options.metrics.used(usage);
        this.#recorder.add({ kind: "usage", usage: total });
      },
      onNearEnd: (because) => void this.#wrapUp(because),
    });
    this.#room = new RoomOfCall({
      rooms: agent.config.transport === "ws" ? undefined : options.rooms,
      media: () => this.#media,
      tell: (message) => this.#line.tell(message),
      note: (kind, detail) => this.#note(kind, detail),
      isTalking: () => this.#phase === "talking",
      onCut: () => this.#moved(),
    });
    this.#silence = new SilenceWatch({
      times,
      screen: this.#screen,
      isHere: () => this.#line.connected && this.#phase === "talking",
      owesWords: () => this.#underWay > 0,
      onNudge: () => this.#watch(this.#conversation.nudge(times.nudgeMs / 1_000)),
      onWarning: (leftMs) => this.#warn("idle", leftMs),
      onEnd: () => void this.end("silence"),
    });
    this.#time = new TimeWatch({
      clock,
      leftMs: session.maxMinutes * 60_000 - session.talkedMs,
      warnBeforeMs: times.timeWarningMs,
      onWarning: (leftMs) => this.#warn("time", leftMs),
      onEnd: () => void this.#wrapUp("time"),
    });
  }

  /** The visitor has come, or come back. */
  attach(socket: LiveSocket, hello: LiveHello, resumeToken: string): void {
    if (this.#phase === "over") return socket.close("over");
    socket.alsoLimit(this.#frames);
    const { session, times } = this.#options;
    const isMoving = this.#line.connected;
    const isWelcome = this.#line.attach(socket, hello, {
      type: "welcome",
      session_id: session.id,
      resume_token: resumeToken,
      ping_ms: times.pingMs,
      language: session.language,
      seconds_left: this.#time.secondsLeft,
      ...this.#screen.whole(),
    });
    if (!isWelcome) return;
    if (isMoving) this.#media?.lost();
    if (hello.playing !== undefined) this.#media?.cleared(hello.playing);
    if (isMoving && this.#screen.mode === "voice") this.#moved();
    // A page that is new asks for a room once its visitor has heard the agent.
    if (hello.received > 0 && this.#screen.mode === "voice") this.#room.open();
    if (this.#givingUp !== undefined) this.#returned();
    // A page that has nothing yet is before the visitor, or says that it is not.
    if (hello.received === 0) {
      this.#silence.setVisible(true);
      this.#conversation.pageChanged();
    }
    if (hello.received === 0 || !this.#begun) this.#screen.greetPage();
    if (this.#budget.isSpent) void this.#wrapUp("cost");
    else if (!this.#begun) this.#watch(this.#conversation.begin());
    this.#begun = true;
    this.#silence.acted();
    this.#silence.look();
  }

  /** Ends the conversation. The browser hears of it once it is stored; the first reason counts. */
  async end(reason: LiveEndReason): Promise<void> {
    if (this.#isClosing) return;
    this.#phase = "ending";
    this.#stopTimers();
    const { times, metrics, onOver, evaluateWithinSecs } = this.#options;
    const visitorLastSeenAt = this.#visitorLastSeenAt;
    try {
      await this.#closeConversation();
      await this.#recorder.end({ reason, visitorLastSeenAt, evaluateWithinSecs });
    } catch (error) {
      this.#failed(error);
      return this.#drop("fault");
    }
    // Nothing is evaluated, and nobody mailed, where the visitor said nothing.
    const mailTo = this.#screen.hasVisitorSpoken ? await this.#mail.mailTo() : undefined;
    this.#phase = "over";
    this.#line.releaseAll();
    metrics.callEnded(reason);
    this.#logEnd(reason);
    this.#line.tell({ type: "ended", reason, ...(mailTo !== undefined && { mail_to: mailTo }) });
    if (this.#line.connected) {
      this.#ratingTime = setTimeout(() => this.#line.close("done"), times.ratingMs);
      if (!UNSUMMED.has(reason)) void this.#recap();
    }
    onOver();
  }

  async #recap(): Promise<void> {
    const { times, log, session } = this.#options;
    try {
      const lines = await this.#conversation.recap(AbortSignal.timeout(times.recapMs));
      if (lines.length > 0) this.#line.tell({ type: "recap", lines });
    } catch (error) {
      log.debug({ err: error, session: session.id }, "a session ended without a recap");
    }
  }

  /** The process stops: the visitor may come back to another one. */
  async leave(): Promise<void> {
    if (this.#isClosing) return this.#recorder.drained();
    this.#phase = "ending";
    this.#stopTimers();
    await this.#closeConversation().catch((error: unknown) => this.#failed(error));
    this.#keepScene();
    if (this.#line.connected) {
      this.#recorder.loseVisitor(this.#options.times.returnWithinMs / 1_000);
    }
    await this.#recorder.drained();
    this.#phase = "over";
    this.#options.log.info({ session: this.#options.session.id }, "session left by stopping");
    this.#line.close("goingAway");
    this.#options.onOver();
  }

  /** Whether nobody notices when another process takes over. */
  get isBetweenTurns(): boolean {
    const silentMs = this.#options.clock.monotonicMs() - this.#visitorSpokeMs;
    const isQuiet = this.#underWay === 0 && this.#screen.agentListens && silentMs > WORDS_WITHIN_MS;
    return this.#phase === "talking" && this.#begun && isQuiet;
  }

  /** Stores that the visitor is here: the others may take this process for dead. Finds out whether the session is still its own. */
  assertPresence(): void {
    if (this.#line.connected && this.#phase !== "over") this.#recorder.keepVisitor();
  }

  /** Another process runs the session now, or it was erased. */
  lose(): void {
    this.#drop("moved");
  }

  /** Stores how it stands, for a process that takes over. */
  #keepScene(isSmall = false): void {
    const nowMs = this.#options.clock.monotonicMs();
    // Listeners are told of the first things before the conversation is there.
    const unfinished = this.#conversation?.unfinished;
    const words = unfinished?.marks?.length;
    // Word times that are not stored yet are stored at once: the browser may say that it has come to them.
    const isKnown = nowMs - this.#scene.atMs < SCENE_MS && words === this.#scene.words;
    if (this.#phase === "over" || (isSmall && isKnown)) return;
    this.#scene = { atMs: nowMs, words };
    const segment = this.#media?.segment;
    const speech = unfinished && { ...unfinished, at: unfinished.at.toISOString(), segment };
    const received = this.#line.acknowledged;
    this.#recorder.add({ kind: "scene", scene: { ...this.#screen.scene, received, speech } });
  }

  #connect(): Switchboard {
    return new Switchboard({
      sessionId: this.#options.session.id,
      traceparent: this.#options.session.traceparent,
      metrics: this.#options.metrics,
      conversation: this.#conversation,
      media: () => this.#media,
      screen: this.#screen,
      recorder: this.#recorder,
      budget: this.#budget,
      replies: this.#replies,
      mail: this.#mail,
      silence: this.#silence,
      note: (kind, detail) => this.#note(kind, detail),
      phase: () => this.#phase,
      watch: (work) => this.#watch(work),
      close: (why) => this.#line.close(why),
      line: this.#line,
      onScene: () => this.#keepScene(),
      onSeen: () => this.#seen(),
      onSwitch: (mode) => this.#switchTo(mode),
      onRoom: (message) => this.#room.told(message),
      onEnd: () => void this.end("visitor_ended"),
    });
  }

  // ── by voice or in text ───────────────────────────────────────────────────────────────────────

  /** Returns voice if it is available; otherwise the visitor types. */
  #possible(wanted: AgentMode): AgentMode {
    if (wanted === "text") return "text";
    const { agent, speech, metrics } = this.#options;
    const canTalk = agent.config.modes.includes("voice") && speech?.answers === true;
    metrics.voice(canTalk ? "begun" : "away");
    return canTalk ? "voice" : "text";
  }

  #voiceFor(mode: AgentMode): ConversationVoice | undefined {
    const { session, clock, speech, times } = this.#options;
    if (mode === "text" || speech === undefined) return undefined;
    this.#media ??= new WsMedia({
      line: this.#line,
      clock,
      lastSegment: session.epoch * SEGMENTS_PER_EPOCH,
      answerWithinMs: times.stoppedWithinMs,
    });
    return { media: this.#media, speech, account: session.accountId };
  }

  #switchTo(wanted: AgentMode): void {
    if (this.#phase !== "talking") return;
    const before = this.#screen.mode;
    const isNew = wanted !== before && this.#budget.takeSwitch();
    const mode = isNew ? this.#possible(wanted) : before;
    this.#screen.setMode(mode);
    if (mode === before) return;
    this.#note("switched", { mode });
    this.#keepScene();
    this.#silence.look();
    this.#watch(this.#conversation.setVoice(this.#voiceFor(mode)));
    if (mode === "text") this.#room.close();
    // A reply that was interrupted goes on, and a greeting that nobody heard is said.
    if (this.#begun) this.#watch(this.#conversation.pickUp());
  }

  // ── the visitor comes and goes ────────────────────────────────────────────────────────────────

  /** A sign of the visitor. */
  #seen(): void {
    this.#visitorLastSeenAt = new Date(this.#options.clock.nowMs());
    this.#silence.acted();
  }

  #lost(silentMs: number): void {
    clearTimeout(this.#ratingTime);
    if (this.#isClosing) return;
    this.#silence.look();
    this.#note("visitor_lost", {});
    this.#media?.lost();
    this.#room.close();
    this.#watch(this.#conversation.interrupt());
    const leftMs = Math.max(0, this.#options.times.returnWithinMs - silentMs);
    this.#recorder.loseVisitor(leftMs / 1_000);
    this.#givingUp = setTimeout(() => void this.end("visitor_gone"), leftMs);
  }

  #returned(): void {
    clearTimeout(this.#givingUp);
    this.#givingUp = undefined;
    // The loss may still be waiting to be stored.
    this.#recorder.keepVisitor();
    this.#note("visitor_back", {});
    if (this.#phase === "talking" && this.#begun) this.#watch(this.#conversation.pickUp());
  }

  /** Another page has the call now, or sound takes another way, and what was being said is lost there. */
  #moved(): void {
    if (this.#phase !== "talking") return;
    this.#watch(this.#conversation.interrupt());
    this.#watch(this.#conversation.pickUp());
  }

  // ── time and money ────────────────────────────────────────────────────────────────────────────

  #warn(warning: "time" | "idle", leftMs: number): void {
    this.#line.tell({ type: "warning", warning, seconds_left: Math.round(leftMs / 1_000) });
  }

  async #wrapUp(because: "time" | "cost"): Promise<void> {
    if (this.#phase !== "talking") return;
    this.#phase = "wrapping_up";
    this.#silence.stop();
    if (this.#line.connected) {
      const words = this.#conversation.wrapUp(because).catch((error) => this.#failed(error));
      await Promise.race([words, delay(this.#options.times.wrapUpMs, undefined, { ref: false })]);
    }
    await this.end(because === "time" ? "max_duration" : "max_cost");
  }

  #stopTimers(): void {
    this.#silence.stop();
    this.#time.stop();
    clearTimeout(this.#givingUp);
  }

  // ── ends ──────────────────────────────────────────────────────────────────────────────────────

  async #closeConversation(): Promise<void> {
    // What was heard of a reply is committed before the conversation closes.
    await this.#conversation.interrupt();
    await this.#conversation.close();
    this.#media?.close();
    this.#room.close();
  }

  /** The session is out of our hands, or cannot be stored. */
  #drop(why: "moved" | "over" | "fault"): void {
    if (this.#phase === "over") return;
    this.#phase = "over";
    this.#stopTimers();
    this.#recorder.stop();
    this.#line.close(why);
    this.#media?.close();
    this.#room.close();
    // Events of a conversation that is still being created must not be stored either.
    this.#conversation?.close().catch((error: unknown) => this.#failed(error));
    this.#options.onOver();
  }

  get #isClosing(): boolean {
    return this.#phase === "ending" || this.#phase === "over";
  }

  #watch(work: Promise<void>): void {
    this.#underWay += 1;
    void work
      .catch((error: unknown) => {
        // An error that closing causes is not a failure.
        if (this.#isClosing) return;
        this.#failed(error);
        return this.end("server_fault");
      })
      .finally(() => {
        this.#underWay -= 1;
        this.#silence.look();
      });
  }

  /** One line per session. Nothing that anybody said is in it. */
  #logEnd(reason: LiveEndReason): void {
    const { log, session, clock } = this.#options;
    const durationMs = session.talkedMs + clock.monotonicMs() - this.#startedMs;
    log.info(
      {
        session: session.id,
        agent: session.agent.agentId,
        mode: this.#screen.mode,
        language: session.language,
        reason,
        durationSecs: Math.round(durationMs / 1_000),
        turns: this.#screen.turns,
      },
      "session ended",
    );
  }

  #failed(error: unknown): void {
    const { log, session } = this.#options;
    log.error({ err: error, session: session.id }, "a conversation failed");
  }

  #note(kind: string, detail: Record<string, unknown>): void {
    const at = new Date(this.#options.clock.nowMs());
    this.#recorder.add({ kind: "event", event: { at, kind, detail } });
  }
}
