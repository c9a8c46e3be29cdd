import type { Sound } from "../sound/index.ts";
import type { SoundMessage } from "../sound/open-sound.ts";
import { loadChunk } from "./load-chunk.ts";

/** The spoken half of a call. It is off until the visitor wants to talk, and open once microphone and loudspeaker are there. */
export interface Voice {
  /** `asking`: it takes so long that the browser must be asking the visitor. */
  readonly state: "off" | "opening" | "asking" | "open";
  /** While it is open. */
  readonly sound: Sound | undefined;
  readonly isMuted: boolean;
  /**
   * Why it is off, though the visitor wanted to talk: the name of the browser's error where there is no
   * microphone to be had, `removed` where it was there, `sound` where nothing is played or recorded.
   */
  readonly trouble: string | undefined;
  /** Call it inside the tap: Safari starts no sound elsewhere. */
  start(context?: AudioContext): void;
  /** Lets go of the microphone. */
  stop(): void;
  setMuted(muted: boolean): void;
  /** From the server: a message about sound, or sound. */
  take(message: SoundMessage | ArrayBuffer): void;
  /** The socket is gone: what it sent is not played on. */
  silence(): void;
  /** For whoever has the socket and the screen. */
  onChange: () => void;
  onMicrophone: Sound["onMicrophone"];
  onPlayback: Sound["onPlayback"];
  onLevel: Sound["onLevel"];
}

/** So long takes no microphone; and the server takes a browser that reports nothing for ten seconds for a silent one. */
const ASKING_EVERY_MS = 1_000;
/** A wireless headset takes its time; a context that still stands plays nothing. */
const SILENT_AFTER_MS = 3_000;

export function createVoice(): Voice {
  let context: AudioContext | undefined;
  /** What the agent says while the visitor is still asked for the microphone: a second of it at most, the server waits. */
  let held: (SoundMessage | ArrayBuffer)[] = [];
  let heldSegment: number | undefined;
  let asking: number | undefined;

  function set(state: Voice["state"], change: Partial<Voice>): void {
    clearInterval(asking);
    Object.assign(voice, change, { state });
    voice.onChange();
  }

  function letGo(trouble?: string): void {
    voice.sound?.close();
    void context?.close().catch(() => {});
    context = heldSegment = undefined;
    held = [];
    set("off", { sound: undefined, isMuted: false, trouble });
  }

  async function open(own: AudioContext): Promise<void> {
    const { openSound } = await loadChunk("sound");
    const sound = await openSound(own);
    await Promise.race([
      own.resume(),
      new Promise((resume) => setTimeout(resume, SILENT_AFTER_MS)),
    ]);
    const isWanted = own === context;
    // The visitor may have thought better of it; or there is no loudspeaker, or none for this page.
    if (!isWanted || own.state !== "running") {
      sound.close();
      if (isWanted) letGo("sound");
      return;
    }
    sound.onMicrophone = (bytes) => voice.onMicrophone(bytes);
    sound.onPlayback = (message) => voice.onPlayback(message);
    sound.onLevel = (level) => voice.onLevel(level);
    sound.onMicrophoneLost = () => letGo("removed");
    sound.setMuted(voice.isMuted);
    set("open", { sound });
    for (const message of held) voice.take(message);
    held = [];
  }

  /** Says that it is still there, and has played nothing yet. */
  function ask(): void {
    Object.assign(voice, { state: "asking" });
    voice.onChange();
    if (heldSegment === undefined) return;
    voice.onPlayback({
      type: "playback",
      segment: heldSegment,
      position_ms: 0,
      state: "paused",
    });
  }

  const voice: Voice = {
    state: "off",
    sound: undefined,
    isMuted: false,
    trouble: undefined,
    start(given) {
      letGo();
      try {
        const own = given ?? new AudioContext();
        context = own;
        own.resume().catch(() => {});
        set("opening", {});
        asking = window.setInterval(ask, ASKING_EVERY_MS);
        open(own).catch(({ cause }: { cause?: Error }) => {
          if (own === context) letGo(cause?.name ?? "sound");
        });
      } catch {
        letGo("sound");
      }
    },
    stop: () => letGo(),
    setMuted(isMuted) {
      voice.sound?.setMuted(isMuted);
      Object.assign(voice, { isMuted });
      voice.onChange();
    },
    take(message) {
      const { sound } = voice;
      const isSound = message instanceof ArrayBuffer;
      if (sound !== undefined) {
        if (isSound) sound.play(message);
        else sound.take(message);
      } else if (context !== undefined) {
        held.push(message);
        if (!isSound) heldSegment = (message as { segment?: number }).segment;
      } else if (!isSound && message.type === "audio_clear") {
        voice.onPlayback({ type: "cleared", segment: message.segment, position_ms: 0 });
      }
    },
    silence() {
      held = [];
      voice.sound?.stop();
    },
    onChange() {},
    onMicrophone() {},
    onPlayback() {},
    onLevel() {},
  };
  return voice;
}
