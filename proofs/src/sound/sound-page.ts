import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openCustomerSite } from "../product/customer-site.ts";
import { buildSdk, SDK_FILES } from "../product/whole-product.ts";
import { rising } from "./judge-playing.ts";
import type { Played } from "./judge-playing.ts";

/** Hands on all that reaches the loudspeaker, sample by sample. In pieces: a message for each quantum drowns Firefox on a busy machine. */
const RECORDER = `const QUANTA = 16;
registerProcessor("recorder", class extends AudioWorkletProcessor {
  piece = new Float32Array(128 * QUANTA);
  filled = 0;
  process([input]) {
    if (input[0]) this.piece.set(input[0], this.filled);
    this.filled += 128;
    if (this.filled === this.piece.length) {
      this.port.postMessage(this.piece, [this.piece.buffer]);
      this.piece = new Float32Array(128 * QUANTA);
      this.filled = 0;
    }
    return true;
  }
});`;

/** Opens the sound as the call does, inside the tap, and keeps what goes in and out. */
const SCRIPT = `
  window.violations = [];
  addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) => violations.push(violatedDirective + " " + blockedURI));
  window.wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  window.base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  window.recorded = []; window.reports = []; window.captured = []; window.streams = []; window.lost = 0;

  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await ask(wanted);
    streams.push(stream);
    // Firefox hands a made-up event of a track to nobody.
    for (const track of stream.getTracks()) track.addEventListener = (_, end) => { window.unplug = end; };
    return stream;
  };

  async function open() {
    const context = new AudioContext();
    await context.resume();
    await context.audioWorklet.addModule("FILES/recorder.js");
    const recorder = new AudioWorkletNode(context, "recorder");
    recorder.port.onmessage = ({ data }) => recorded.push(data);
    const connect = AudioNode.prototype.connect;
    connect.call(recorder, context.destination);
    AudioNode.prototype.connect = function (to, ...all) {
      if (to === context.destination) connect.call(this, recorder);
      return connect.call(this, to, ...all);
    };
    const { openSound } = await import("FILES/SOUND");
    window.sound = await openSound(context);
    sound.onPlayback = (report) => reports.push(report);
    sound.onMicrophone = (bytes) => captured.push(bytes);
    sound.onMicrophoneLost = () => { lost += 1; };
    return { rate: context.sampleRate, devices: (await sound.devices()).map(({ id }) => id) };
  }
  document.querySelector("button").onclick = () => { window.opened = open(); };

  /** So much of a tone that rises, in frames as the server sends them. */
  function send(ms) {
    for (let from = 0; from < ms * 24; from += 480) {
      sound.play(Int16Array.from({ length: 480 }, (_, at) => 16000 * Math.sin(rising((from + at) / 24000))).buffer);
    }
  }

  /** One segment: paused after each of these times and let go on, then cleared, or played to its end. */
  window.play = async (segment, { ms, pausesMs, clearAfterMs }) => {
    const order = (type) => sound.take({ type, seq: 1, segment, sample_rate: 24000 });
    reports.length = recorded.length = 0;
    order("audio_start");
    send(ms);
    for (const pauseMs of pausesMs) { await wait(pauseMs); order("audio_pause"); await wait(50); order("audio_resume"); }
    if (clearAfterMs === undefined) order("audio_flush");
    else { await wait(clearAfterMs); order("audio_clear"); send(200); }
    while (!/cleared|finished/.test(JSON.stringify(reports.at(-1) ?? ""))) await wait(20);
    // The last of it may be in a piece that is not full yet.
    const pieces = recorded.length + 2;
    while (recorded.length < pieces) await wait(20);
    const pcm = Int16Array.from(recorded.flatMap((piece) => Array.from(piece)), (sample) => sample * 32767);
    return { reports: [...reports], sound: base64(new Uint8Array(pcm.buffer)) };
  };
  RISING
`;

declare global {
  /** What the page has for the proof. */
  interface Window {
    /** Once the visitor has tapped the button. */
    opened: Promise<{ rate: number; devices: string[] }>;
    sound: {
      setMuted(isMuted: boolean): void;
      useDevice(id: string): Promise<void>;
      close(): void;
    };
    wait(ms: number): Promise<void>;
    base64(bytes: Uint8Array): string;
    play(
      segment: number,
      plan: { ms: number; pausesMs: number[]; clearAfterMs?: number },
    ): Promise<{ reports: Played["reports"]; sound: string }>;
    captured: ArrayBuffer[];
    streams: MediaStream[];
    unplug(): void;
    lost: number;
    violations: string[];
  }
}

/** A page with a strict policy, and the SDK's built files on another origin. */
export async function openSoundSite(onEnd: (clean: () => unknown) => void): Promise<string> {
  const built = await buildSdk();
  const name = (chunk: string): string => built.find((file) => file.startsWith(`${chunk}.`))!;
  const sound = name("sound");
  const read = (file: string): Record<string, string> => ({
    [`/${file}`]: readFileSync(join(SDK_FILES, file), "utf8"),
  });
  const files = await openCustomerSite(
    { ...read(sound), ...read(name("worklets")), "/recorder.js": RECORDER },
    { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" },
  );
  onEnd(() => files.close());
  const script = SCRIPT.replaceAll("FILES", files.url)
    .replace("SOUND", sound)
    .replace("RISING", `window.rising = ${rising.toString()};`);
  const page = await openCustomerSite(
    {
      "/": `<!doctype html><title>Sound</title><link rel="icon" href="data:,"><button>Talk</button><script nonce="n">${script}</script>`,
    },
    {
      "content-security-policy": `default-src 'none'; img-src data:; script-src 'nonce-n' ${files.url}; require-trusted-types-for 'script'; trusted-types 'none'`,
    },
  );
  onEnd(() => page.close());
  return page.url;
}
