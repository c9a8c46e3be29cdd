import { ReadableStream } from "node:stream/web";
import type { ReadableStreamDefaultController } from "node:stream/web";
import type { Clock } from "#platform";
import { voice } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";
import type { Media } from "../conversation.ts";
import { Playback } from "../heard/playback.ts";
import type { PlaybackEnd } from "../heard/playback.ts";
import type { Utterance } from "../heard/utterance.ts";
import { VOICE_SAMPLE_RATE } from "../speech/voices/sound.ts";

/** A recogniser that has begun to understand is done by then, or has changed its mind. */
const WORDS_WITHIN_MS = 1_000;
const UTTERANCE = "svc.utterance";

export interface MediaAudioOutputOptions {
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
export class MediaAudioOutput extends voice.AudioOutput {
  readonly playback: Playback;
  readonly #awaitsWords: () => boolean;
  #isShut = false;
  #resuming: NodeJS.Timeout | undefined;

  constructor({ media, clock, awaitsWords, onStarted, onHeard, onOver }: MediaAudioOutputOptions) {
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

/** Tells the audio output which utterance a frame belongs to. */
export function markFrame(frame: AudioFrame, utterance: Utterance): void {
  frame.userdata[UTTERANCE] = utterance;
}

const SAMPLE_RATE = 16_000;

/** The visitor's microphone, as the library reads it. */
export class MediaAudioInput extends voice.AudioInput {
  #frames: ReadableStreamDefaultController<AudioFrame> | undefined;

  constructor() {
    super();
    this.multiStream.addInputStream(
      new ReadableStream<AudioFrame>({
        start: (frames) => void (this.#frames = frames),
        cancel: () => void (this.#frames = undefined),
      }),
    );
  }

  /** `pcm` must own its buffer: a recogniser's plugin sends all of it, however little the view shows. */
  hear(pcm: Int16Array): void {
    this.#frames?.enqueue(new AudioFrame(pcm, SAMPLE_RATE, 1, pcm.length));
  }

  override async close(): Promise<void> {
    this.#frames = undefined;
    await super.close();
  }
}
