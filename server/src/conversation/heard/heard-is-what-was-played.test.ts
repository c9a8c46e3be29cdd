import fc from "fast-check";
import { expect, it } from "vitest";
import type { Clock } from "#platform";
// oxlint-disable-next-line svc/imports -- sound must cross the real media for what was heard to mean anything
import { WsMedia } from "../../live/media/ws-media.ts";
import { Playback } from "./playback.ts";
import type { PlaybackEnd } from "./playback.ts";
import { Utterance } from "./utterance.ts";

const TIMELINES = 1_000;
const CONTROL_TIMELINES = 300;
/** The first is what the library does by itself. */
const PLANTED_FAULTS = ["stores all", "slices by time", "ignores answers"] as const;
type PlantedFault = (typeof PLANTED_FAULTS)[number];

// V1, V8, S1
it("stores what the visitor heard and nothing else, wherever they interrupt and whatever the network loses", () => {
  let turns = 0;
  let interrupted = 0;
  fc.assert(
    fc.property(timelines(), (timeline) => {
      const outcomes = playTimeline(timeline);
      expect(faultsOf(timeline, outcomes)).toEqual([]);
      turns += outcomes.length;
      interrupted += outcomes.filter(({ stored }) => stored?.interrupted === true).length;
    }),
    { numRuns: TIMELINES },
  );
  // With few interruptions, the check would prove little.
  expect(interrupted).toBeGreaterThan(turns / 4);
});

it.each(PLANTED_FAULTS)("notices a server that %s", (planted) => {
  const noticed = fc
    .sample(timelines(), CONTROL_TIMELINES)
    .filter((timeline) => faultsOf(timeline, playTimeline(timeline, planted)).length > 0);
  expect(noticed).not.toEqual([]);
});

// ── what is drawn ───────────────────────────────────────────────────────────────────────────────

type Timeline = ReturnType<typeof timelines> extends fc.Arbitrary<infer Drawn> ? Drawn : never;
type Turn = Timeline["turns"][number];

/** What happens this long after the agent was told to speak. */
interface TimelineEvent {
  atMs: number;
  kind: "pause" | "resume" | "interrupt" | "disconnect";
}

/** The text between two spaces, and how many words of it are spoken. */
interface Token {
  written: string;
  words: number;
}

/** Conversations in which the agent speaks and is interrupted, over a connection that may lose the browser's reports. */
function timelines() {
  return fc.record({
    language: fc.constantFrom("en", "en-GB"),
    // One way.
    latencyMs: often(80, fc.integer({ min: 2, max: 90 }), fc.integer({ min: 150, max: 700 })),
    // How often a report of the browser is lost, or arrives twice.
    lossRate: often(70, fc.constant(0), fc.constantFrom(0.1, 0.5, 1)),
    doubleRate: often(80, fc.constant(0), fc.constant(0.3)),
    // Decide which reports.
    chances: fc.infiniteStream(fc.nat(999).map((permille) => permille / 1_000)),
    turns: fc.array(turnsOfAgent(), { minLength: 1, maxLength: 3 }),
  });
}

function turnsOfAgent() {
  const times = ["words", "words", "words", "halves", "sentences", "none"] as const;
  return fc
    .record({
      sentences: fc.array(sentencesOfModel(), { minLength: 1, maxLength: 2 }),
      // The units whose times the voice reports. `halves`: each half of a word, wherever that falls.
      times: fc.constantFrom(...times),
      msALetter: fc.integer({ min: 55, max: 75 }),
      firstSoundMs: fc.integer({ min: 20, max: 400 }),
      chunkMs: fc.constantFrom(40, 100, 300),
      // Mostly faster than it is played; now and then the visitor waits for it.
      timesFaster: often(90, fc.integer({ min: 2, max: 8 }), fc.constant(1 / 1.2)),
      gapMs: often(50, fc.constant(0), fc.integer({ min: 1, max: 600 })),
      // The visitor interrupts this long before the end of what is heard, or after it where negative.
      interruptBeforeEndMs: often(90, fc.constant(undefined), fc.integer({ min: -60, max: 60 })),
      script: fc.constantFrom(...SCRIPTS),
      atPercent: fc.nat(120),
      earlyPercent: fc.nat(100),
      soonMs: fc.nat(50),
      laterMs: fc.integer({ min: 50, max: 1_500 }),
      lastMs: fc.nat(600),
    })
    .map(({ script, atPercent, earlyPercent, soonMs, laterMs, lastMs, ...turn }) => {
      const { firstSoundMs, msALetter } = turn;
      const aboutMs = firstSoundMs + turn.sentences.flat().length * 5 * msALetter;
      const atMs = Math.floor((atPercent * aboutMs) / 100);
      const events = script({
        early: Math.floor((earlyPercent * (firstSoundMs + 40)) / 100),
        at: atMs,
        soon: atMs + soonMs,
        later: atMs + laterMs,
        last: atMs + laterMs + lastMs,
      });
      return { ...turn, events };
    });
}

function often<T, U>(percent: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<U>) {
  const [weight, otherWeight] = [percent, 100 - percent];
  return fc.oneof({ weight, arbitrary: usual }, { weight: otherWeight, arbitrary: other });
}

type Moments = Record<"early" | "at" | "soon" | "later" | "last", number>;

const event = (kind: TimelineEvent["kind"]) => (atMs: number) => ({ atMs, kind });
const [pause, resume] = [event("pause"), event("resume")];
const [interrupt, disconnect] = [event("interrupt"), event("disconnect")];

const SCRIPTS: ((ms: Moments) => TimelineEvent[])[] = [
  () => [],
  ({ at }) => [interrupt(at)],
  ({ at }) => [interrupt(at)],
  ({ early }) => [interrupt(early)],
  ({ at, soon }) => [interrupt(at), interrupt(soon)],
  ({ at, later }) => [pause(at), resume(later)],
  ({ at, later }) => [pause(at), interrupt(later)],
  ({ at, soon, later }) => [pause(at), resume(soon), pause(later), interrupt(later + 200)],
  ({ at, later }) => [disconnect(at), interrupt(later)],
  ({ at, soon, later }) => [pause(at), disconnect(soon), interrupt(later)],
  ({ at, later, last }) => [pause(at), resume(later), interrupt(last)],
];

/** A sentence with anything a model may put into one. */
function sentencesOfModel(): fc.Arbitrary<Token[]> {
  const token = fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...PLAIN) },
    { weight: 15, arbitrary: fc.constantFrom(...OTHER_SCRIPTS) },
    { weight: 12, arbitrary: fc.constantFrom(...SIGNS) },
    { weight: 13, arbitrary: fc.constantFrom(...ODD) },
  );
  const tokens = fc.array(token, { minLength: 1, maxLength: 7 });
  return fc.tuple(tokens, fc.constantFrom(".", "!", "?", "…")).map(([some, mark]) => {
    const last = some.at(-1)!;
    return [...some.slice(0, -1), { ...last, written: `${last.written}${mark}` }];
  });
}

function tokensOf(words: number, written: string): Token[] {
  return written.split(" ").map((one) => ({ written: one, words }));
}

const PLAIN = tokensOf(
  1,
  "we plans don't (mostly) well-known “quoted” naïve Zürich, straße a the customers it: —so— I e\u0301te\u0301 A\u030Angstro\u0308m",
);
const OTHER_SCRIPTS = tokensOf(
  1,
  "שלום עולם, مرحبا العربية 日本語 我们。 한국어 नमस्ते क्षि กำลัง \u{20000}\u{20001}",
);
const SIGNS = [
  ...tokensOf(2, "$29 15% 24/7"),
  ...tokensOf(5, "sales@acme.com"),
  ...tokensOf(7, "https://www.acme.com/a-b"),
  ...tokensOf(1, "1️⃣ **bold** Great🎉"),
];
/** Halves of characters, NUL, and what is seen but not spoken. */
const ODD = [
  ...tokensOf(1, "wo\uDC00rd a\0b \uD83Dx"),
  ...tokensOf(0, "🎉 👩🏽‍💻 🇩🇪 ** \uD83D \0 \u202E ☕️"),
];

// ── how it is judged ────────────────────────────────────────────────────────────────────────────

interface Outcome {
  /** As it would be stored. Undefined when no sound of it was ever sent. */
  stored: { content: string; interrupted: boolean } | undefined;
  ends: number;
  /** All text that the voice was given had become sound. */
  isComplete: boolean;
  /** What the voice was given, word by word. */
  words: SoundedWord[];
  /** How far the visitor has heard it, and how far the server could know. */
  heardMs: number;
  knownMs: number;
  hasDisconnected: boolean;
}

interface SoundedWord {
  text: string;
  startMs: number;
  endMs: number;
}

/** How many words too many a turn may have, by the times that its voice reports. */
const SLACK_WORDS = { words: 0, halves: 1, sentences: 2, none: 4 };
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

function faultsOf(timeline: Timeline, outcomes: Outcome[]): string[] {
  return outcomes.flatMap((outcome, at) => judgeTurn(outcome, timeline.turns[at]!, timeline));
}

/** What is wrong with a turn as it was stored, in a few words each. */
function judgeTurn(outcome: Outcome, { sentences, times }: Turn, timeline: Timeline): string[] {
  const { stored, words, heardMs, knownMs, isComplete, ends } = outcome;
  const faults: string[] = [];
  const must = (isSo: boolean, otherwise: string): void => void (isSo || faults.push(otherwise));
  if (stored === undefined) {
    must(heardMs === 0, "heard, not stored");
    must(ends === 0 && (!isComplete || words.length === 0), "never ended");
    return faults;
  }
  const { content, interrupted } = stored;
  const text = sentences.flat();
  const whole = storedAs(text);
  must(ends === 1, "ended twice");
  must(isClean(content, whole), "not a clean prefix");
  must(content.isWellFormed() && !content.includes("\0"), "cannot be stored");
  must(interrupted === !(isComplete && content === whole), "wrongly flagged");
  must(knownMs <= heardMs + 1, "knows more than was heard");
  const isAnswered =
    timeline.lossRate === 0 && timeline.latencyMs < 140 && !outcome.hasDisconnected;
  must(!isAnswered || knownMs > heardMs - 1, "ignores where it stopped");

  const known = storedAs(upTo(text, wordsHeard(words, knownMs)));
  if (times === "words") {
    const isWhole = isComplete && content === whole && storedAs(upTo(text, words.length)) === known;
    must(isWhole || content === known, "not what was played");
  }
  const heard = wordsHeard(words, heardMs) + SLACK_WORDS[times];
  const most = heard < words.length ? storedAs(upTo(text, heard)) : whole;
  must(most.startsWith(content), "more than was played");
  return faults;
}

/** Words whose middle has been played. */
function wordsHeard(words: SoundedWord[], positionMs: number): number {
  const unheard = words.findIndex(({ startMs, endMs }) => (startMs + endMs) / 2 > positionMs);
  return positionMs > 0 ? (unheard === -1 ? words.length : unheard) : 0;
}

/** Up to the last token that was spoken completely. */
function upTo(text: Token[], words: number): Token[] {
  let said = 0;
  let end = 0;
  for (const [at, token] of text.entries()) {
    said += token.words;
    if (said > words) break;
    if (token.words > 0) end = at + 1;
  }
  return text.slice(0, end);
}

function storedAs(text: Token[]): string {
  return textOf(text).toWellFormed().replaceAll("\0", "\uFFFD");
}

function textOf(text: Token[]): string {
  return text.map((token) => token.written).join(" ");
}

/** Ends between characters as people see them, without a space. */
function isClean(content: string, whole: string): boolean {
  if (!whole.startsWith(content) || content.trim() !== content) return false;
  const next = GRAPHEMES.segment(whole).containing(content.length);
  return next === undefined || next.index === content.length;
}

// ── how it is played: the product's playback and media, in virtual time ─────────────────────────

const MAX_TURN_MS = 60_000;
/** For late answers and the browser's last syllable. */
const LATE_MS = 1_500;
const REPORT_MS = 250;
const SAMPLES_A_MS = 24;
/** After each sentence. */
const PAUSE_MS = 120;
/** The longest chunk there is, shared by all. */
const SILENCE = new Int16Array(1_000 * SAMPLES_A_MS);

function playTimeline(timeline: Timeline, planted?: PlantedFault): Outcome[] {
  const { latencyMs, lossRate, doubleRate, chances } = timeline;
  const time = new VirtualTime();
  const { clock, after } = time;
  const line = { connected: true, silentMs: 0, tell: toBrowser, sound: toBrowser };
  const media = new WsMedia({ line, clock, after, lastSegment: 0, answerWithinMs: 300 });
  const ends: PlaybackEnd[] = [];
  const playback = new Playback({
    media,
    onStarted: () => {},
    onHeard: () => {},
    onOver: (end) => void ends.push(end),
    soon: (run) => void after(0, run),
  });
  media.open({
    microphone: () => {},
    started: () => playback.started(),
    position: (ms) => playback.position(ms),
    paused: (ms) => playback.paused(ms),
    finished: (ms) => playback.finished(ms),
    cleared: (ms) => playback.cleared(planted === "ignores answers" ? 0 : ms),
  });
  let browser = openBrowser();
  let lastSegment = 0;
  /** The furthest position that reached the server, by segment. */
  const known = new Map<number, number>();

  const outcomes = timeline.turns.map(playTurn);
  time.pass(LATE_MS + 2 * latencyMs);
  return outcomes.map((outcome) => outcome());

  function toBrowser(message: ToBrowser): void {
    if ("type" in message && message.type === "audio_start") lastSegment = message.segment!;
    const receiver = browser;
    after(latencyMs, () => receiver.take(message));
  }

  function openBrowser(): ReturnType<typeof startBrowser> {
    const chance = (): number => chances.next().value as number;
    const opened = startBrowser(time, (report) => {
      if (chance() < lossRate) return;
      for (let times = chance() < doubleRate ? 2 : 1; times > 0; times -= 1)
        after(latencyMs, () => {
          if (line.connected && opened === browser) fromBrowser(report);
        });
    });
    return opened;
  }

  function fromBrowser({ state, ...report }: BrowserReport): void {
    const { segment, position_ms: ms } = report;
    known.set(segment, Math.max(ms, known.get(segment) ?? 0));
    if (state === "cleared") media.cleared(report);
    else media.played({ ...report, state });
  }

  function storedOf(end: PlaybackEnd, hasDisconnected: boolean): Outcome["stored"] {
    const { heard, interrupted, positionMs } = end;
    const { written } = end.utterance;
    if (planted === "stores all" && hasDisconnected)
      return { content: written, interrupted: false };
    if (planted === "slices by time" && interrupted)
      return { content: written.slice(0, Math.round(positionMs / 65)), interrupted };
    return { content: heard, interrupted };
  }

  /** Returns a function: the outcome is known once late answers have come. */
  function playTurn(turn: Turn): () => Outcome {
    const [segmentsBefore, endsBefore, listener] = [lastSegment, ends.length, browser];
    const utterance = new Utterance(timeline.language);
    const voice = startVoice(turn, { utterance, time, playback });
    let isInterrupted = false;
    let hasDisconnected = false;
    const act = {
      pause: () => playback.pause(),
      resume: () => playback.resume(),
      disconnect: () => {
        hasDisconnected = true;
        line.connected = false;
        media.lost();
      },
      interrupt: () => {
        isInterrupted = true;
        voice.isStopped = true;
        // The library resumes an utterance just before it throws it away.
        playback.resume();
        playback.clear();
        voice.giveLate();
      },
    };
    const cancels = turn.events.map(({ atMs, kind }) => after(atMs, act[kind]));
    voice.onComplete = () => {
      if (turn.interruptBeforeEndMs === undefined) return;
      const leftMs = voice.soundMs - listener.playedMs(lastSegment);
      cancels.push(after(leftMs - turn.interruptBeforeEndMs, act.interrupt));
    };
    const isOver = (): boolean => ends.length > endsBefore || (isInterrupted && !voice.hasSounded);
    // Should the browser's last report be lost, the visitor says something after all.
    if (!time.pass(MAX_TURN_MS, isOver)) act.interrupt();
    time.pass(MAX_TURN_MS, isOver);
    for (const cancel of cancels) cancel();
    voice.isStopped = true;
    if (!isInterrupted) playback.resume();
    const segment = lastSegment > segmentsBefore ? lastSegment : 0;
    const end = ends[endsBefore];
    const settled = {
      stored: end && storedOf(end, hasDisconnected),
      isComplete: utterance.isComplete,
      words: voice.words,
      knownMs: known.get(segment) ?? 0,
      hasDisconnected,
    };
    time.pass(turn.gapMs);
    if (hasDisconnected) browser = openBrowser();
    line.connected = true;
    return () => ({
      ...settled,
      ends: ends.filter((one) => one.utterance === utterance).length,
      heardMs: listener.playedMs(segment),
    });
  }
}

type ToBrowser = Int16Array | { type: string; segment?: number };

interface BrowserReport {
  segment: number;
  position_ms: number;
  state: "started" | "playing" | "paused" | "finished" | "cleared";
}

/** A browser that plays what it gets, as it comes, and reports how far it is. */
function startBrowser(time: VirtualTime, send: (report: BrowserReport) => void) {
  /** How much was really heard, by segment. */
  const endedMs = new Map<number, number>();
  const idle = { receivedMs: 0, playedMs: 0, isPaused: false, isFlushed: false, hasStarted: false };
  let segment: number | undefined;
  let state = { ...idle };
  /** While it plays: since when. */
  let sinceMs: number | undefined;
  let cancelFinish = (): void => {};

  const playedMs = (asked: number): number => {
    if (asked !== segment) return endedMs.get(asked) ?? 0;
    const movedMs = sinceMs === undefined ? 0 : time.nowMs - sinceMs;
    return Math.min(state.receivedMs, state.playedMs + movedMs);
  };
  const report = (kind: BrowserReport["state"], of: number): void =>
    send({ segment: of, position_ms: Math.floor(playedMs(of)), state: kind });
  const end = (): void => {
    cancelFinish();
    if (segment !== undefined) endedMs.set(segment, playedMs(segment));
    segment = undefined;
  };
  const awaitEnd = (of: number): void => {
    cancelFinish();
    if (!state.isFlushed || state.isPaused) return;
    cancelFinish = time.after(state.receivedMs - playedMs(of), () => {
      end();
      report("finished", of);
    });
  };
  const standStill = (of: number): void => {
    state.playedMs = playedMs(of);
    sinceMs = undefined;
  };
  const move = (of: number): void => {
    if (!state.isPaused) sinceMs = time.nowMs;
    awaitEnd(of);
  };
  const reportLater = (of: number): void =>
    void time.after(REPORT_MS, () => {
      if (of !== segment) return;
      if (!state.isPaused) report("playing", of);
      reportLater(of);
    });
  const play = (ms: number): void => {
    if (segment === undefined) return;
    standStill(segment);
    state.receivedMs += ms;
    move(segment);
    if (state.hasStarted || state.isPaused) return;
    state.hasStarted = true;
    report("started", segment);
    reportLater(segment);
  };
  const take = (message: ToBrowser): void => {
    if (message instanceof Int16Array) return play(message.length / SAMPLES_A_MS);
    const { type } = message;
    const of = message.segment!;
    if (type === "audio_start") {
      end();
      [segment, state, sinceMs] = [of, { ...idle }, undefined];
    } else if (type === "audio_clear") {
      if (of === segment) end();
      report("cleared", of);
    } else if (of !== segment) return;
    else if (type === "audio_flush") {
      state.isFlushed = true;
      awaitEnd(of);
    } else if (type === "audio_pause") {
      standStill(of);
      state.isPaused = true;
      cancelFinish();
      report("paused", of);
    } else if (type === "audio_resume") {
      state.isPaused = false;
      move(of);
    }
  };
  return { playedMs, take };
}

/** A voice that takes equally long for every letter, and delivers its sound in chunks. */
function startVoice(
  { times, msALetter, firstSoundMs, chunkMs, timesFaster, ...turn }: Turn,
  to: { utterance: Utterance; time: VirtualTime; playback: Playback },
) {
  const left = [...turn.sentences];
  /** The rest of the current sentence's sound. */
  let leftMs = 0;
  const voice = {
    words: [] as SoundedWord[],
    soundMs: 0,
    hasSounded: false,
    isStopped: false,
    /** Called when all of its sound was delivered. */
    onComplete: (): void => {},
    /** Delivers a chunk that was on its way when the voice was stopped. */
    giveLate: (): void => void (voice.hasSounded && give()),
  };
  const give = (): void => {
    const ms = Math.min(leftMs, chunkMs);
    leftMs -= ms;
    voice.soundMs += ms;
    to.utterance.addAudio(ms);
    to.playback.frame(SILENCE.subarray(0, ms * SAMPLES_A_MS), to.utterance);
  };
  /** Returns the length of its sound. */
  const say = (sentence: Token[]): number => {
    const spoken = to.utterance.say(textOf(sentence));
    const startMs = voice.soundMs;
    let atMs = startMs;
    for (const text of spoken.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word))) {
      const endMs = atMs + Math.max(60, text.length * msALetter);
      const word = { text, startMs: atMs, endMs };
      voice.words.push(word);
      if (times === "words") to.utterance.timed([word]);
      if (times === "halves") to.utterance.timed(halvesOf(word));
      atMs = endMs;
    }
    if (times === "sentences") to.utterance.timed([{ text: spoken, startMs }]);
    return atMs > startMs ? atMs - startMs + PAUSE_MS : 0;
  };
  const goOn = (): void => {
    if (voice.isStopped) return;
    while (leftMs === 0 && left.length > 0) leftMs = say(left.shift()!);
    if (leftMs === 0) {
      to.utterance.complete();
      to.playback.flush();
      voice.onComplete();
      return;
    }
    voice.hasSounded = true;
    give();
    to.time.after(chunkMs / timesFaster, goOn);
  };
  to.time.after(firstSoundMs, goOn);
  return voice;
}

function halvesOf({ text, startMs, endMs }: SoundedWord): SoundedWord[] {
  const middle = Math.floor(text.length / 2);
  const middleMs = (startMs + endMs) / 2;
  return [
    { text: text.slice(0, middle), startMs, endMs: middleMs },
    { text: text.slice(middle), startMs: middleMs, endMs },
  ];
}

/** Time that passes as fast as what is due can be done. */
class VirtualTime {
  #nowMs = 0;
  /** The next one last. */
  readonly #due: { atMs: number; run: () => void }[] = [];

  readonly clock: Clock = { nowMs: () => this.#nowMs, monotonicMs: () => this.#nowMs };

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Runs in the order of time; at the same time, first come, first served. Returns a function that cancels it. */
  readonly after = (ms: number, run: () => void): (() => void) => {
    const one = { atMs: this.#nowMs + Math.max(0, ms), run };
    let place = this.#due.length;
    while (place > 0 && this.#due[place - 1]!.atMs <= one.atMs) place -= 1;
    this.#due.splice(place, 0, one);
    return () => void (one.run = () => {});
  };

  /** Lets time pass, until it is so where that is given. False when it never was. */
  pass(maxMs: number, isSo = (): boolean => false): boolean {
    const endMs = this.#nowMs + maxMs;
    while (!isSo()) {
      const next = this.#due.at(-1);
      if (next === undefined || next.atMs > endMs) return false;
      this.#due.pop();
      this.#nowMs = next.atMs;
      next.run();
    }
    return true;
  }
}
