import { ReadableStream } from "node:stream/web";
import type { ReadableStreamDefaultController, ReadableStreamDefaultReader } from "node:stream/web";
import { newUuid } from "#platform";
import type { Clock, SpeechPrices } from "#platform";
import { inference } from "@livekit/agents";
import type { stt, voice } from "@livekit/agents";
import type { AudioFrame } from "@livekit/rtc-node";
import type { CommittedTurn, Media, UnfinishedTurn } from "../conversation.ts";
import { isFiller } from "../heard/is-filler.ts";
import type { PlaybackEnd } from "../heard/playback.ts";
import { Utterance } from "../heard/utterance.ts";
import type { CallVoice } from "../speech/voices/call-voice.ts";
import { speakSentences } from "../speech/voices/speak-sentences.ts";
import { VOICE_SAMPLE_RATE } from "../speech/voices/sound.ts";
import { MediaAudioInput, MediaAudioOutput, markFrame } from "./media-audio.ts";
import type { Reply } from "./reply.ts";
import { QUIET_MS, SpokenTurns } from "./spoken-turns.ts";
import type { SpokenTurn } from "./spoken-turns.ts";

export interface VoiceChannelOptions {
  media: Media;
  hearing: stt.STT;
  voice: CallVoice;
  language: string;
  prices: SpeechPrices | undefined;
  clock: Clock;
  onCost(costMicros: number): void;
  onVisitorPartial(turn: { id: string; text: string }): void;
  onVisitorSpeaks(speaking: boolean): void;
  /** The visitor hears the first words. */
  onStarted(reply: Reply): void;
  onPartial(reply: Reply, turn: { id: string; text: string }): void;
  onSpoken(reply: Reply, turn: CommittedTurn): void;
  onTakenBack(turnId: string): void;
}

/**
 * The time that a visitor must speak before it is a barge-in: nine windows of the voice activity
 * detection, which counts in steps of 32 ms. A longer time would wait for a tenth window.
 */
const BARGE_IN_AFTER_MS = 288;
/**
 * After a barge-in without words the agent resumes. Longer than a recogniser takes for its last
 * words; both times together stay below a second.
 */
const RESUME_AFTER_MS = 300;
/** The longest wait for the transcript of a turn. */
const MAX_TRANSCRIPT_WAIT_MS = 2_000;
const INPUT_SAMPLES_PER_MS = 16;
const MAX_UNTOLD_MS = 60_000;
/** The library allocates a buffer of this length up front. */
const MAX_BUFFERED_SPEECH_MS = 20_000;

/** Connects a visitor's sound to the library's session, and reports what was heard. */
export class VoiceChannel {
  readonly #options: VoiceChannelOptions;
  readonly #input = new MediaAudioInput();
  readonly #output: MediaAudioOutput;
  readonly #turns = new WeakMap<Utterance, SaidTurn>();
  readonly #spokenTurns: SpokenTurns;
  /** How long the visitor had spoken when their browser fell silent, of the speech that is playing. */
  #silentMs: number | undefined;
  /** Speech whose cost has not been reported yet. */
  readonly #unpaid = { heardMs: 0, characters: 0 };
  /** The current speech, and what was heard of it. */
  readonly #saying = new Map<Utterance, string>();
  /** Aborted, with the reason, when text-to-speech has failed for good. */
  readonly #silence = new AbortController();

  constructor(options: VoiceChannelOptions) {
    this.#options = options;
    const { media, clock, onVisitorPartial, onVisitorSpeaks } = options;
    this.#spokenTurns = new SpokenTurns({
      clock,
      onPartial: onVisitorPartial,
      onSpeaks: onVisitorSpeaks,
      onTakenBack: options.onTakenBack,
    });
    this.#output = new MediaAudioOutput({
      media,
      clock,
      awaitsWords: () => this.#spokenTurns.hasWords,
      onStarted: (utterance) => this.#started(utterance),
      onHeard: (utterance, text) => this.#heard(utterance, text),
      onOver: (end) => this.#over(end),
    });
    const { playback } = this.#output;
    media.open({
      microphone: (pcm) => {
        this.#unpaid.heardMs += pcm.length / INPUT_SAMPLES_PER_MS;
        // Also while the agent is silent: otherwise a visitor who talks for long would exceed the session's cost limit.
        if (this.#unpaid.heardMs >= MAX_UNTOLD_MS) this.#tellCost();
        this.#input.hear(pcm);
      },
      started: () => playback.started(),
      position: (ms) => {
        // It goes on: what silenced it was no interruption.
        this.#silentMs = undefined;
        playback.position(ms);
      },
      paused: (ms) => {
        this.#silentMs ??= this.#spokenTurns.speaksForMs;
        playback.paused(ms);
      },
      finished: (ms) => playback.finished(ms),
      cleared: (ms) => {
        this.#silentMs ??= this.#spokenTurns.speaksForMs;
        playback.cleared(ms);
      },
    });
  }

  get sessionOptions(): voice.AgentSessionOptions {
    const { hearing, voice: tts } = this.#options;
    return {
      stt: hearing,
      tts,
      vad: new inference.VAD({
        minSilenceDuration: QUIET_MS,
        maxBufferedSpeech: MAX_BUFFERED_SPEECH_MS,
      }),
      // Browsers cancel the echo. With the library's own warm-up there would be no barge-in at the start.
      aecWarmupDuration: null,
      useTtsAlignedTranscript: false,
      ttsTextTransforms: null,
      turnHandling: {
        turnDetection: "vad",
        endpointing: {
          // By the clock, since the end of the voice: over when that is reported.
          minDelay: QUIET_MS,
          maxDelay: MAX_TRANSCRIPT_WAIT_MS,
        },
        interruption: {
          mode: "vad",
          minDuration: BARGE_IN_AFTER_MS,
          falseInterruptionTimeout: RESUME_AFTER_MS,
        },
        // The next reply is decided when the visitor's turn is known.
        preemptiveGeneration: { enabled: false },
      },
    };
  }

  attach(session: voice.AgentSession): void {
    session.input.audio = this.#input;
    session.output.audio = this.#output;
    this.#spokenTurns.follow(session);
  }

  /**
   * "Mhm" is listening, not a barge-in. Nor are words without voice activity: a recogniser
   * understands the agent's own words from a faint echo.
   */
  passesOver(transcript: string, isFinal: boolean): boolean {
    if (!this.#output.playback.isPlaying) return false;
    if (this.#spokenTurns.hasVoice && !isFiller(transcript, this.#options.language)) return false;
    if (isFinal) this.#spokenTurns.passOver();
    return true;
  }

  completeTurn(text: string): SpokenTurn {
    return this.#spokenTurns.complete(text);
  }

  /** Turns one speech into sound. Each piece of `texts` is a sentence or more. */
  speak(
    texts: ReadableStream<string>,
    { reply, isFixed }: { reply: Reply; isFixed: boolean },
  ): ReadableStream<AudioFrame> {
    const utterance = new Utterance(this.#options.language);
    this.#turns.set(utterance, { reply, id: newUuid(), at: undefined, wasShown: false });
    this.#saying.set(utterance, "");
    const stop = new AbortController();
    const reader = texts.getReader();
    return new ReadableStream<AudioFrame>({
      start: (frames) => {
        void this.#pump({ utterance, reader, frames, signal: stop.signal, reply, isFixed });
      },
      cancel: async () => {
        stop.abort();
        await reader.cancel().catch(() => {});
      },
    });
  }

  /** The speech that is playing, as a turn. */
  get unfinished(): UnfinishedTurn | undefined {
    const { current } = this.#output.playback;
    const turn = current && this.#turns.get(current.utterance);
    if (current === undefined || turn?.at === undefined) return undefined;
    const { utterance, heard } = current;
    return {
      id: turn.id,
      at: turn.at,
      text: utterance.written,
      heard: heard.length,
      isWhole: utterance.isComplete,
      marks: utterance.marks(),
    };
  }

  /** Stops text-to-speech for good. The rest of the current speech can be shown as text. */
  fallSilent(why: unknown): void {
    this.#silence.abort(why);
    this.#output.shut();
  }

  /** The part of the last speech that could not be spoken, and why. */
  takeUnspoken(): { text: string; why: unknown } | undefined {
    const rests = [...this.#saying].map(([{ written }, heard]) => written.slice(heard.length));
    this.#saying.clear();
    const { aborted, reason } = this.#silence.signal;
    return aborted ? { text: rests.join(" ").trim(), why: reason } : undefined;
  }

  close(): void {
    this.#tellCost();
  }

  async #pump(speech: Speech): Promise<void> {
    const { utterance, reader, frames, signal, reply, isFixed } = speech;
    const unpaid = this.#unpaid;
    const silence = this.#silence.signal;
    let mayBeHeard: Promise<boolean> | undefined;
    let reading: ReturnType<typeof reader.read> | undefined;
    const sentences = async function* (isOver: () => boolean): AsyncGenerator<string> {
      for (;;) {
        const text = await (reading ??= reader.read());
        // What was read belongs to the sound that is made next.
        if (isOver()) return;
        reading = undefined;
        if (text.done) return;
        const verdict = reply.verdictOn(text.value);
        // Without a sound it would be shown at once.
        if (silence.aborted && (await verdict) === false) continue;
        const spoken = utterance.say(text.value);
        if (silence.aborted || spoken.trim() === "") continue;
        unpaid.characters += spoken.length;
        mayBeHeard = verdict;
        yield spoken;
        // The next one has a sound of its own if this one is not heard.
        if (verdict !== undefined && !(await verdict)) return;
      }
    };
    /** Returns whether everything was said, but for a first sentence that may not be heard. */
    const speak = async (): Promise<boolean> => {
      const unwanted = AbortSignal.any([signal, silence]);
      let isOver = false;
      const texts = sentences(() => isOver);
      for await (const { frame, words } of speakSentences(this.#options.voice, texts, unwanted, {
        isFixed,
      })) {
        if (mayBeHeard !== undefined && !(await mayBeHeard)) {
          isOver = true;
          return false;
        }
        mayBeHeard = undefined;
        utterance.timed(words);
        utterance.addAudio((frame.samplesPerChannel / VOICE_SAMPLE_RATE) * 1_000);
        markFrame(frame, utterance);
        reply.firstAudioMs ??= this.#options.clock.monotonicMs();
        frames.enqueue(frame);
      }
      return mayBeHeard === undefined || (await mayBeHeard);
    };
    try {
      while (!(await speak())) {
        mayBeHeard = undefined;
        utterance.clear();
      }
      silence.throwIfAborted();
      utterance.complete();
    } catch (error) {
      if (signal.aborted) return;
      this.#silence.abort(error);
      if ((await mayBeHeard) === false) utterance.clear();
      // The remaining text is collected, so that it can be shown instead.
      for (let text = await (reading ?? reader.read()); !text.done; text = await reader.read()) {
        if ((await reply.verdictOn(text.value)) !== false) utterance.say(text.value);
      }
    }
    if (!signal.aborted) frames.close();
  }

  #started(utterance: Utterance): void {
    const turn = this.#turns.get(utterance);
    if (turn === undefined) return;
    turn.at = new Date(this.#options.clock.nowMs());
    this.#options.onStarted(turn.reply);
  }

  #heard(utterance: Utterance, text: string): void {
    const turn = this.#turns.get(utterance);
    if (turn === undefined || text === "") return;
    turn.wasShown = true;
    this.#options.onPartial(turn.reply, { id: turn.id, text });
  }

  #over({ utterance, heard, interrupted }: PlaybackEnd): void {
    const turn = this.#turns.get(utterance);
    if (turn === undefined) return;
    if (this.#saying.has(utterance)) this.#saying.set(utterance, heard);
    const { reply, id, wasShown, at = new Date(this.#options.clock.nowMs()) } = turn;
    this.#tellCost();
    if (heard !== "") {
      // The rest is shown as text, unless the visitor interrupted it.
      const isInterrupted = interrupted && (reply.isInterrupted || !this.#silence.signal.aborted);
      if (isInterrupted) reply.silentMs ??= this.#silentMs;
      const said = {
        id,
        role: "assistant" as const,
        content: heard,
        interrupted: isInterrupted,
        at,
      };
      this.#options.onSpoken(reply, said);
    } else if (wasShown) this.#options.onTakenBack(id);
    this.#silentMs = undefined;
  }

  #tellCost(): void {
    const { prices, onCost } = this.#options;
    if (prices === undefined) return;
    const minutes = this.#unpaid.heardMs / 60_000;
    const thousands = this.#unpaid.characters / 1_000;
    const costMicros = Math.ceil(
      minutes * prices.minuteHeard + thousands * prices.thousandCharactersSpoken,
    );
    Object.assign(this.#unpaid, { heardMs: 0, characters: 0 });
    if (costMicros > 0) onCost(costMicros);
  }
}

/** A speech, which becomes a turn of the agent's once it was heard. */
interface SaidTurn {
  reply: Reply;
  id: string;
  at: Date | undefined;
  wasShown: boolean;
}

interface Speech {
  utterance: Utterance;
  reader: ReadableStreamDefaultReader<string>;
  frames: ReadableStreamDefaultController<AudioFrame>;
  signal: AbortSignal;
  reply: Reply;
  /** A fixed text that is said in many sessions: its sound is cached. */
  isFixed: boolean;
}
