import { voice } from "@livekit/agents";
import type { AudioFrame } from "@livekit/rtc-node";
import type { Clock } from "#platform";
import type { Media } from "../conversation.ts";
import { Playback } from "../heard/playback.ts";
import type { PlaybackEnd } from "../heard/playback.ts";
import type { Utterance } from "../heard/utterance.ts";
import { VOICE_SAMPLE_RATE } from "../speech/voices/vendor-voice.ts";

/** A recogniser that has begun to understand is done by then, or has changed its mind. */
const WORDS_WITHIN_MS = 1_000;
const UTTERANCE = "svc.utterance";

export interface MouthOptions {
  media: Media;
  clock: Clock;
  /** Words of the visitor's are on their way: what they cut must not sound again before they arrive. */
  awaitsWords(): boolean;
  /** The visitor hears the first of it. */
  onStarted(utterance: Utterance): void;
  /** What was heard of it so far. */
  onHeard(utterance: Utterance, text: string): void;
  onOver(end: PlaybackEnd): void;
}

/** The visitor's loudspeaker, as the library writes to it. */
export class Mouth extends voice.AudioOutput {
  readonly playback: Playback;
  readonly #awaitsWords: () => boolean;
  #isShut = false;
  #resuming: NodeJS.Timeout | undefined;

  constructor({ media, clock, awaitsWords, onStarted, onHeard, onOver }: MouthOptions) {
    super(VOICE_SAMPLE_RATE, undefined, { pause: true });
    this.#awaitsWords = awaitsWords;
    this.playback = new Playback({
      media,
      onStarted: (utterance) => {
        this.onPlaybackStarted(clock.nowMs());
        onStarted(utterance);
      },
      onHeard,
      onOver: (end) => {
        const { positionMs, interrupted, heard } = end;
        clearTimeout(this.#resuming);
        onOver(end);
        this.onPlaybackFinished({
          playbackPosition: positionMs / 1_000,
          interrupted,
          synchronizedTranscript: heard,
        });
      },
    });
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    const utterance = frame.userdata[UTTERANCE] as Utterance;
    // The library would wait for the end of a segment that nobody plays.
    if (this.#isShut || this.playback.isOver(utterance)) return;
    await super.captureFrame(frame);
    this.playback.frame(frame.data, utterance);
  }

  override flush(): void {
    super.flush();
    this.playback.flush();
  }

  override clearBuffer(): void {
    clearTimeout(this.#resuming);
    this.playback.clear();
  }

  /** For good. */
  shut(): void {
    this.#isShut = true;
    this.clearBuffer();
  }

  override pause(): void {
    clearTimeout(this.#resuming);
    this.playback.pause();
  }

  override resume(): void {
    clearTimeout(this.#resuming);
    if (this.playback.isPlaying && this.#awaitsWords()) {
      this.#resuming = setTimeout(() => this.playback.resume(), WORDS_WITHIN_MS);
    } else this.playback.resume();
  }
}

/** Tells the mouth what a frame is of. */
export function markFrame(frame: AudioFrame, utterance: Utterance): void {
  frame.userdata[UTTERANCE] = utterance;
}
