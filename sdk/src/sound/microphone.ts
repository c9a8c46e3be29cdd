import { askForMicrophone, letGo } from "./ask-for-microphone.ts";

export interface Microphone {
  /** Puts out what is recorded, by whichever device; silence while it is muted. */
  readonly microphone: AudioNode;
  setMuted(muted: boolean): void;
  useDevice(id: string): Promise<void>;
  close(): void;
}

export interface MicrophoneListener {
  frame(bytes: ArrayBuffer): void;
  level(level: number): void;
  lost(): void;
}

/** Frames of 32 ms: about eight levels a second. */
const FRAMES_PER_LEVEL = 4;

/** Records from a microphone, and from another one when the visitor chooses it. */
export function createMicrophone(
  context: AudioContext,
  first: MediaStream,
  listener: MicrophoneListener,
): Microphone {
  const node = new AudioWorkletNode(context, "svc-microphone", {
    channelCount: 1,
    channelCountMode: "explicit",
  });
  // Some browsers do not run a node without an output. This one outputs silence.
  node.connect(context.destination);
  const microphone = new GainNode(context);
  microphone.connect(node);
  let stream: MediaStream;
  let source: AudioNode | undefined;
  let isMuted = false;
  let isClosed = false;
  let peak = 0;
  let frames = 0;

  node.port.start();
  node.port.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer>) => {
    // The last frame before the microphone was switched off may still be on its way.
    if (isMuted || isClosed) return;
    for (const sample of new Int16Array(data)) peak = Math.max(peak, Math.abs(sample));
    if (++frames % FRAMES_PER_LEVEL === 0) {
      listener.level(Math.min(1, Math.sqrt(peak / 32_767)));
      peak = 0;
    }
    listener.frame(data);
  });

  function listenTo(next: MediaStream): void {
    source?.disconnect();
    if (source !== undefined) letGo(stream);
    stream = next;
    source = context.createMediaStreamSource(stream);
    source.connect(microphone);
    for (const track of stream.getTracks()) {
      track.enabled = !isMuted;
      track.addEventListener("ended", listener.lost);
    }
  }

  listenTo(first);
  return {
    microphone,
    setMuted(muted) {
      isMuted = muted;
      for (const track of stream.getTracks()) track.enabled = !muted;
      if (muted) listener.level(0);
    },
    async useDevice(id) {
      const next = await askForMicrophone(id);
      if (isClosed) letGo(next);
      else listenTo(next);
    },
    close() {
      isClosed = true;
      source?.disconnect();
      node.disconnect();
      letGo(stream);
    },
  };
}
