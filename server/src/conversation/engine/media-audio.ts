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

/** The maximum time that speech-to-text takes from its first interim words to the final ones. */
const WORDS_WITHIN_MS = 1_000;
const UTTERANCE = "svc.utterance";

export interface MediaAudioOutputOptions {
  media: Media;
  clock: Clock;
  /** True while the visitor's words are being recognised. Resuming before they arrive would play what the visitor has interrupted. */
  awaitsWords(): boolean;
  /** The visitor hears the beginning. */
  onStarted(utterance: Utterance): void;
  /** Reports what was heard of an utterance so far. */
  onHeard(utterance: Utterance, text: string): void;
  onOver(end: PlaybackEnd): void;
}

/** The library's audio output, played on the visitor's loudspeaker. */
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
    // Otherwise the library would wait for the end of a segment that nobody plays.
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

  /** Plays nothing from now on. */
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

/** The library's audio input, fed by the visitor's microphone. */
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

  /** `pcm` must own its buffer: recogniser plugins send the whole buffer, not only the view. */
  hear(pcm: Int16Array): void {
    this.#frames?.enqueue(new AudioFrame(pcm, SAMPLE_RATE, 1, pcm.length));
  }

  override async close(): Promise<void> {
    this.#frames = undefined;
    await super.close();
  }
}
