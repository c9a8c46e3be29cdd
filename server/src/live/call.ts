import { setTimeout as delay } from "node:timers/promises";
import { context, trace } from "@opentelemetry/api";
import type { Conversation } from "#conversation";
import { tracer } from "#platform";
import { storable } from "#sessions";
import type { LiveCardResult, LiveEndReason, LiveHello, LiveRating } from "@svc/contract/types";
import { answerCard } from "./call/answer-card.ts";
import { callListener } from "./call/call-listener.ts";
import type { CallOptions } from "./call/call-options.ts";
import { IdleWatch } from "./call/idle-watch.ts";
import { Line } from "./call/line.ts";
import type { VisitorMessage } from "./call/line.ts";
import { Recorder } from "./call/recorder.ts";
import { Replies } from "./call/replies.ts";
import type { ReplyTimes } from "./call/replies.ts";
import { Screen } from "./call/screen.ts";
import { TimeWatch } from "./call/time-watch.ts";
import type { LiveSocket } from "./socket/live-socket.ts";

/** Nobody types faster than the agent can be cut: beyond, it is a program. */
const MOST_UNANSWERED = 10;

/**
 * One conversation and the socket of its visitor, which may be lost and replaced. What the
 * conversation tells goes to the browser and to the record; what the browser sends goes to the
 * conversation.
 */
export class Call {
  readonly #options: CallOptions;
  readonly #line: Line;
  readonly #screen: Screen;
  readonly #recorder: Recorder;
  readonly #replies: Replies;
  readonly #idle: IdleWatch;
  readonly #time: TimeWatch;
  #conversation!: Conversation;
  #phase: "talking" | "wrapping_up" | "ending" | "over" = "talking";
  #givingUp: NodeJS.Timeout | undefined;
  #ratingTime: NodeJS.Timeout | undefined;
  #begun = false;
  #visible = true;
  #rated = false;
  #visitorLastSeenAt: Date | undefined;

  static async start(options: CallOptions): Promise<Call> {
    const call = new Call(options);
    const listener = callListener({
      screen: call.#screen,
      recorder: call.#recorder,
      replies: call.#replies,
      told: options.told,
      maxCostMicros: options.maxCostMicros,
      note: (kind, detail) => call.#note(kind, detail),
      onTurnTaking: () => call.#watchIdle(),
      onTooExpensive: () => void call.#wrapUp("cost"),
      onEnded: (reason) => void call.end(reason),
    });
    call.#conversation = await options.converse(listener).catch((error: unknown) => {
      call.#time.stop();
      throw error;
    });
    return call;
  }

  private constructor(options: CallOptions) {
    const { session, agent, publicUrl, clock, times } = options;
    this.#options = options;
    this.#replies = new Replies(clock);
    this.#line = new Line({
      clock,
      pingMs: times.pingMs,
      onMessage: (message) => this.#heard(message),
      onAudio: () => {
        if (session.mode === "text") this.#line.close("notJson");
      },
      onLost: (silentMs) => this.#lost(silentMs),
    });
    this.#screen = new Screen({
      agentId: session.agent.agentId,
      agent,
      publicUrl,
      turns: session.turns,
      tell: (message) => this.#line.tell(message),
    });
    this.#recorder = new Recorder({ ...options, onStuck: (why) => this.#drop(why) });
    this.#idle = new IdleWatch({
      warnAfterMs: times.idleWarningMs,
      endAfterMs: times.idleEndMs,
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
    const { session, times } = this.#options;
    this.#line.attach(socket, hello, {
      type: "welcome",
      session_id: session.id,
      resume_token: resumeToken,
      ping_ms: times.pingMs,
      mode: session.mode,
      language: session.language,
      seconds_left: this.#time.secondsLeft,
      ...this.#screen.whole(),
    });
    if (!this.#line.connected) return;
    if (this.#givingUp !== undefined) this.#returned();
    this.#watchIdle();
    if (this.#begun) return;
    this.#begun = true;
    this.#watch(this.#conversation.begin());
  }

  /** Ends the conversation. The browser hears of it once it is stored; the first reason counts. */
  async end(reason: LiveEndReason): Promise<void> {
    if (this.#isClosing) return;
    this.#phase = "ending";
    this.#stopTimers();
    const { times, told, onOver, evaluateWithinSecs } = this.#options;
    const visitorLastSeenAt = this.#visitorLastSeenAt;
    try {
      await this.#closeConversation();
      await this.#recorder.end({ reason, visitorLastSeenAt, evaluateWithinSecs });
    } catch (error) {
      this.#failed(error);
      return this.#drop("fault");
    }
    this.#phase = "over";
    told.callEnded(reason);
    this.#line.tell({ type: "ended", reason });
    if (this.#line.connected) {
      this.#ratingTime = setTimeout(() => this.#line.close("done"), times.ratingMs);
    }
    onOver();
  }

  /** The process stops: the visitor may come back to another one. */
  async leave(): Promise<void> {
    if (this.#isClosing) return this.#recorder.drained();
    this.#phase = "ending";
    this.#stopTimers();
    await this.#closeConversation().catch((error: unknown) => this.#failed(error));
    if (this.#line.connected) {
      this.#recorder.loseVisitor(this.#options.times.returnWithinMs / 1_000);
    }
    await this.#recorder.drained();
    this.#phase = "over";
    this.#line.close("goingAway");
    this.#options.onOver();
  }

  /** The others took this process for dead: a visitor whom it still has is not lost. */
  assertPresence(): void {
    if (this.#line.connected && this.#phase !== "over") this.#recorder.keepVisitor();
  }

  // ── from the browser ──────────────────────────────────────────────────────────────────────────

  #heard(message: VisitorMessage): void {
    if (message.type === "rating") return this.#rate(message);
    if (this.#isClosing) return;
    this.#visitorLastSeenAt = new Date(this.#options.clock.nowMs());
    this.#idle.acted();
    switch (message.type) {
      case "text":
        return this.#hear(storable(message.text));
      case "card_result":
        return this.#watch(this.#answerCard(message).finally(() => this.#watchIdle()));
      case "visibility":
        this.#visible = message.visible;
        return this.#watchIdle();
      case "end":
        return void this.end("visitor_ended");
      case "typing":
      case "mute":
      case "playback":
      case "cleared":
        // A sign of life, and nothing more where nobody speaks.
        return;
    }
  }

  #hear(text: string): void {
    if (text.trim() === "" || this.#phase !== "talking") return;
    if (this.#replies.owed === MOST_UNANSWERED) return this.#line.close("tooFast");
    const complete = this.#replies.ask();
    const span = tracer.startSpan("svc.turn", {
      attributes: { "svc.session": this.#options.session.id },
    });
    const answered = context.with(trace.setSpan(context.active(), span), () =>
      this.#conversation.hear(text),
    );
    this.#watch(
      answered.finally(() => {
        const took = complete();
        if (took?.firstWordMs !== undefined) span.setAttribute("first_word_ms", took.firstWordMs);
        span.end();
        this.#replied(took);
      }),
    );
  }

  #replied(took: ReplyTimes | undefined): void {
    if (took === undefined) return;
    this.#options.told.replied(took);
    this.#note("replied", { first_word_ms: took.firstWordMs, total_ms: took.totalMs });
  }

  #answerCard(result: LiveCardResult): Promise<void> {
    return answerCard(result, {
      screen: this.#screen,
      recorder: this.#recorder,
      conversation: this.#conversation,
      note: (kind, detail) => this.#note(kind, detail),
    });
  }

  #rate({ stars, comment }: LiveRating): void {
    if (this.#rated) return;
    this.#rated = true;
    this.#note("rating", { stars, ...(comment !== undefined && { comment }) });
  }

  // ── the visitor comes and goes ────────────────────────────────────────────────────────────────

  #lost(silentMs: number): void {
    clearTimeout(this.#ratingTime);
    if (this.#isClosing) return;
    this.#watchIdle();
    this.#note("visitor_lost", {});
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
    if (this.#phase === "talking") this.#watch(this.#conversation.pickUp());
  }

  // ── time and money ────────────────────────────────────────────────────────────────────────────

  /** An open card excuses the visitor's silence, unless they do not even look at it. */
  #watchIdle(): void {
    const { card, agentListens } = this.#screen;
    const isBusy = card !== null && card.kind !== "replies" && this.#visible;
    const isHere = this.#line.connected && this.#phase === "talking";
    this.#idle.setQuiet(isHere && agentListens && !isBusy);
  }

  #warn(warning: "time" | "idle", leftMs: number): void {
    this.#line.tell({ type: "warning", warning, seconds_left: Math.round(leftMs / 1_000) });
  }

  async #wrapUp(because: "time" | "cost"): Promise<void> {
    if (this.#phase !== "talking") return;
    this.#phase = "wrapping_up";
    this.#idle.stop();
    if (this.#line.connected) {
      const words = this.#conversation.wrapUp(because).catch((error) => this.#failed(error));
      await Promise.race([words, delay(this.#options.times.wrapUpMs, undefined, { ref: false })]);
    }
    await this.end(because === "time" ? "max_duration" : "max_cost");
  }

  #stopTimers(): void {
    this.#idle.stop();
    this.#time.stop();
    clearTimeout(this.#givingUp);
  }

  // ── ends ──────────────────────────────────────────────────────────────────────────────────────

  async #closeConversation(): Promise<void> {
    // What was heard of a reply is committed before the conversation closes.
    await this.#conversation.interrupt();
    await this.#conversation.close();
  }

  /** The session is out of our hands, or cannot be stored. */
  #drop(why: "moved" | "over" | "fault"): void {
    if (this.#phase === "over") return;
    this.#phase = "over";
    this.#stopTimers();
    this.#recorder.stop();
    this.#line.close(why);
    this.#conversation.close().catch((error: unknown) => this.#failed(error));
    this.#options.onOver();
  }

  get #isClosing(): boolean {
    return this.#phase === "ending" || this.#phase === "over";
  }

  #watch(work: Promise<void>): void {
    work.catch((error: unknown) => {
      // What breaks because it is being closed has not failed.
      if (this.#isClosing) return;
      this.#failed(error);
      return this.end("server_fault");
    });
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
