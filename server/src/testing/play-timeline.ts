import { Playback, Utterance } from "#conversation";
import type { PlaybackEnd } from "#conversation";
// oxlint-disable-next-line svc/imports -- sound must cross the real media for what was heard to mean anything
import { WsMedia } from "../live/media/ws-media.ts";
import { TimelineBrowser, TimelineVoice, VirtualTime } from "./timeline-world.ts";
import type { BrowserSays, SoundedWord, TimelineSpeech } from "./timeline-world.ts";

/** A conversation in which an agent speaks and is interrupted, over a connection that may lose the browser's reports. */
export interface Timeline {
  language: string;
  /** One way. */
  latencyMs: number;
  /** How often a report of the browser's is lost, or comes twice. */
  lossRate: number;
  doubleRate: number;
  /** From 0 to below 1: decides which reports. */
  chance: () => number;
  turns: TimelineTurn[];
}

export interface TimelineTurn extends TimelineSpeech {
  acts: TimelineAct[];
  /** When the visitor interrupts: so long before the end of what is heard, or after it where negative. */
  cutBeforeEndMs: number | undefined;
  /** From its end to the next one. */
  gapMs: number;
}

/** An event so many milliseconds after the agent was told to speak. */
export interface TimelineAct {
  atMs: number;
  act: "pause" | "resume" | "cut" | "vanish";
}

/** Faults that are built in on purpose, for controls. */
export type TimelineFault = "commits all" | "cuts units" | "ignores answers";

export interface TimelineOutcome {
  /** As it would be stored. Undefined when no sound of it was ever sent. */
  stored: { content: string; interrupted: boolean } | undefined;
  ends: number;
  /** All that its voice was given had become sound. */
  isComplete: boolean;
  /** What the voice was given, word by word. */
  words: SoundedWord[];
  /** How far the visitor has heard it, and how far the server could know. */
  heardMs: number;
  knownMs: number;
  isVanished: boolean;
}

const MAX_TURN_MS = 60_000;
/** For late answers and the browser's last syllable. */
const LATE_MS = 1_500;

/** Plays a talk through the product's own playback and media, in virtual time. */
export function playTimeline(timeline: Timeline, fault?: TimelineFault): TimelineOutcome[] {
  const talk = new Talk(timeline, fault);
  const outcomes = timeline.turns.map((turn) => talk.play(turn));
  talk.passMs(LATE_MS + 2 * timeline.latencyMs);
  return outcomes.map((outcome) => outcome());
}

class Talk {
  readonly #timeline: Timeline;
  readonly #fault: TimelineFault | undefined;
  readonly #time = new VirtualTime();
  readonly #media: WsMedia;
  readonly #playback: Playback;
  readonly #known = new Map<number, number>();
  readonly #line = {
    connected: true,
    tell: this.#toBrowser.bind(this),
    sound: this.#toBrowser.bind(this),
  };
  #browser: TimelineBrowser;
  #lastSegment = 0;
  readonly #ends: PlaybackEnd[] = [];

  constructor(timeline: Timeline, fault: TimelineFault | undefined) {
    this.#timeline = timeline;
    this.#fault = fault;
    const { clock, after } = this.#time;
    this.#browser = this.#openBrowser();
    this.#media = new WsMedia({
      line: this.#line,
      clock,
      after,
      lastSegment: 0,
      answerWithinMs: 300,
    });
    this.#playback = new Playback({
      media: this.#media,
      onStarted: () => {},
      onHeard: () => {},
      onOver: (end) => void this.#ends.push(end),
      soon: (run) => void after(0, run),
    });
    const playback = this.#playback;
    this.#media.open({
      microphone: () => {},
      started: () => playback.started(),
      position: (ms) => playback.position(ms),
      paused: (ms) => playback.paused(ms),
      finished: (ms) => playback.finished(ms),
      cleared: (ms) => playback.cleared(fault === "ignores answers" ? 0 : ms),
    });
  }

  passMs(ms: number): void {
    this.#time.passUntil(() => false, ms);
  }

  /** What came of it can be asked when late answers have come. */
  play(turn: TimelineTurn): () => TimelineOutcome {
    const utterance = new Utterance(this.#timeline.language);
    const segmentsBefore = this.#lastSegment;
    const browser = this.#browser;
    const endsBefore = this.#ends.length;
    const voice = new TimelineVoice(turn, utterance, this.#time, this.#playback);
    let isCut = false;
    let isVanished = false;
    const act = {
      pause: () => this.#playback.pause(),
      resume: () => this.#playback.resume(),
      vanish: () => {
        isVanished = true;
        this.#line.connected = false;
        this.#media.lost();
      },
      cut: () => {
        isCut = true;
        voice.stop();
        // The library lets it go on just before it throws it away.
        this.#playback.resume();
        this.#playback.clear();
        voice.giveLate();
      },
    };
    const { cutBeforeEndMs } = turn;
    if (cutBeforeEndMs !== undefined)
      voice.onComplete = () => {
        const leftMs = voice.soundMs - browser.playedMs(this.#lastSegment);
        cancels.push(this.#time.after(leftMs - cutBeforeEndMs, act.cut));
      };
    const cancels = turn.acts.map((one) => this.#time.after(one.atMs, act[one.act]));
    const isOver = (): boolean => this.#ends.length > endsBefore || (isCut && !voice.hasSounded);
    // Somebody says something after all, should the browser's last word be lost.
    if (!this.#time.passUntil(isOver, MAX_TURN_MS)) act.cut();
    this.#time.passUntil(isOver, MAX_TURN_MS);
    for (const cancel of cancels) cancel();
    voice.stop();
    if (!isCut) this.#playback.resume();
    const segment = this.#lastSegment > segmentsBefore ? this.#lastSegment : 0;
    const settled = {
      stored: this.#store(this.#ends[endsBefore], isVanished),
      isComplete: utterance.isComplete,
      words: voice.words,
      knownMs: this.#known.get(segment) ?? 0,
      isVanished,
    };
    this.passMs(turn.gapMs);
    if (isVanished) this.#comeBack();
    return () => ({
      ...settled,
      ends: this.#ends.filter((end) => end.utterance === utterance).length,
      heardMs: browser.playedMs(segment),
    });
  }

  #store(end: PlaybackEnd | undefined, isVanished: boolean): TimelineOutcome["stored"] {
    if (end === undefined) return undefined;
    const { utterance, heard, interrupted, positionMs } = end;
    if (this.#fault === "commits all" && isVanished)
      return { content: utterance.written, interrupted: false };
    if (this.#fault === "cuts units" && interrupted)
      return { content: utterance.written.slice(0, Math.round(positionMs / 65)), interrupted };
    return { content: heard, interrupted };
  }

  #toBrowser(message: Parameters<TimelineBrowser["take"]>[0]): void {
    if (!(message instanceof Int16Array) && message.type === "audio_start")
      this.#lastSegment = message.segment!;
    const browser = this.#browser;
    this.#time.after(this.#timeline.latencyMs, () => browser.take(message));
  }

  #openBrowser(): TimelineBrowser {
    const { latencyMs, lossRate, doubleRate, chance } = this.#timeline;
    const browser = new TimelineBrowser(this.#time, (what) => {
      if (chance() < lossRate) return;
      for (let times = chance() < doubleRate ? 2 : 1; times > 0; times -= 1)
        this.#time.after(latencyMs, () => {
          if (this.#line.connected && browser === this.#browser) this.#fromBrowser(what);
        });
    });
    return browser;
  }

  #fromBrowser({ state, ...what }: BrowserSays): void {
    const { segment, position_ms: ms } = what;
    this.#known.set(segment, Math.max(ms, this.#known.get(segment) ?? 0));
    if (state === "cleared") this.#media.cleared(what);
    else this.#media.played({ ...what, state });
  }

  #comeBack(): void {
    this.#browser = this.#openBrowser();
    this.#line.connected = true;
  }
}
