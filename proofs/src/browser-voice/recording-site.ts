import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import type { InCall } from "../browsers/in-call.ts";
import { openCustomerSite, pageWith } from "../product/customer-site.ts";
import type { TalkServer } from "../voice/talk-stage.ts";

declare global {
  interface Window {
    recording: Recording;
    /** By the clock of the page's sound. */
    soundSecs?: () => number;
    /** From there to the loudspeaker, as the browser tells it. */
    latencySecs?: () => number;
  }
}

/** What a page may change of what goes through it. */
export interface Changes {
  /** How late everything from the server arrives. */
  lateMs?: number;
  /** In place of what the SDK asks of a microphone. */
  audioInstead?: MediaTrackConstraints;
}

/** What went through a page during a call, sample by sample and by the clock of its sound. */
export interface Recording {
  rate: number;
  /** Of the first quantum below. */
  firstFrame: number;
  /** The loudest sample of each quantum, 1 is full scale: what was put out, and what the microphone gave. */
  loudspeaker: number[];
  microphone: number[];
  /** What the server said of sound, when it arrived. */
  orders: { type: string; segment: number; atSecs: number }[];
  /** What the page told the server, when it did. */
  reports: { type: string; state?: string; segment: number; position_ms: number; atSecs: number }[];
  /** How long each ping of the page's took, there and back. */
  pingsMs: number[];
  /** When things happened first, by `performance.now`. */
  marks: { click?: number; audible?: number };
}

export const QUANTUM = 128;
/** How long somebody reads the notice at least. */
const READS_MS = 500;

/** Notes how loud each quantum is, and tells at once of the first sound that is put out. */
export const RECORDER = `
const QUANTA_A_MESSAGE = 64;
function peak(channel) {
  let most = 0;
  for (const sample of channel ?? []) most = Math.max(most, Math.abs(sample));
  return most;
}
registerProcessor("recorder", class extends AudioWorkletProcessor {
  noted = { firstFrame: 0, loudspeaker: [], microphone: [] };
  wasAudible = false;
  process([loudspeaker, microphone]) {
    if (this.noted.loudspeaker.length === 0) this.noted.firstFrame = currentFrame;
    this.noted.loudspeaker.push(peak(loudspeaker[0]));
    this.noted.microphone.push(peak(microphone[0]));
    const isFirst = !this.wasAudible && this.noted.loudspeaker.at(-1) > 0;
    if (isFirst || this.noted.loudspeaker.length === QUANTA_A_MESSAGE) {
      this.port.postMessage({ ...this.noted, audibleAtSecs: isFirst ? currentTime : undefined });
      this.noted = { firstFrame: 0, loudspeaker: [], microphone: [] };
    }
    this.wasAudible ||= isFirst;
    return true;
  }
});`;

/** Stands between the SDK and the browser, and changes nothing unless it is told to. */
export const TAPS = `<script>{
  window.recording = { loudspeaker: [], microphone: [], orders: [], reports: [], pingsMs: [], marks: {} };
  window.soundSecs = () => context?.currentTime ?? 0;
  window.latencySecs = () => context?.outputLatency ?? 0;
  window.lateMs = 0;
  window.audioInstead = {};
  let context;
  addEventListener("click", ({ timeStamp }) => { recording.marks.click = timeStamp; }, true);

  const SOUND = /^(audio_|playback$|cleared$)/;
  let pingedMs;
  const note = (list, message) => {
    if (message.type === "ping") pingedMs ??= performance.now();
    if (message.type === "pong" && pingedMs !== undefined) {
      recording.pingsMs.push(performance.now() - pingedMs);
      pingedMs = undefined;
    }
    if (SOUND.test(message.type)) list.push({ ...message, atSecs: context?.currentTime ?? 0 });
  };
  window.WebSocket = class extends WebSocket {
    addEventListener(type, listener, ...all) {
      super.addEventListener(type, type !== "message" ? listener : (event) => {
        const take = () => {
          if (typeof event.data === "string") note(recording.orders, JSON.parse(event.data));
          listener.call(this, event);
        };
        if (lateMs > 0) setTimeout(take, lateMs);
        else take();
      }, ...all);
    }
    send(data) {
      if (typeof data === "string") note(recording.reports, JSON.parse(data));
      super.send(data);
    }
  };

  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = ({ audio }) => ask({ audio: { ...audio, ...audioInstead } });

  window.AudioContext = class extends AudioContext {
    constructor(...all) {
      super(...all);
      context = this;
    }
  };
  const connect = AudioNode.prototype.connect;
  const add = AudioWorklet.prototype.addModule;
  AudioWorklet.prototype.addModule = async function (address) {
    await Promise.all([add.call(this, "/recorder.js"), add.call(this, address)]);
    const recorder = new AudioWorkletNode(context, "recorder", { numberOfInputs: 2 });
    recorder.port.onmessage = ({ data: { firstFrame, loudspeaker, microphone, audibleAtSecs } }) => {
      recording.rate ??= context.sampleRate;
      recording.firstFrame ??= firstFrame;
      // A busy machine leaves quanta out.
      for (let at = recording.firstFrame + recording.loudspeaker.length * 128; at < firstFrame; at += 128) {
        recording.loudspeaker.push(0);
        recording.microphone.push(0);
      }
      recording.loudspeaker.push(...loudspeaker);
      recording.microphone.push(...microphone);
      if (audibleAtSecs === undefined) return;
      const { contextTime, performanceTime } = context.getOutputTimestamp();
      recording.marks.audible = performanceTime + (audibleAtSecs - contextTime) * 1000;
    };
    connect.call(recorder, context.destination);
    AudioNode.prototype.connect = function (to, ...all) {
      if (this instanceof MediaStreamAudioSourceNode) connect.call(this, recorder, 0, 1);
      if (to === context.destination) connect.call(this, recorder, 0, 0);
      return connect.call(this, to, ...all);
    };
  };
}</script>`;

/** A customer's page with the SDK on it, which records what goes through a call. */
export async function openRecordingSite(
  onEnd: (clean: () => unknown) => void,
  { server, agentId }: Pick<TalkServer, "server" | "agentId">,
): Promise<string> {
  const site = await openCustomerSite({
    "/": pageWith(server.url, agentId, "", TAPS),
    "/recorder.js": RECORDER,
  });
  onEnd(() => site.close());
  return site.url;
}

export function readRecording(page: Page): Promise<Recording> {
  return page.run(() => window.recording);
}

/** How often the page was told to drop what it had to play. */
export async function countClears(page: Page): Promise<number> {
  return page.run(
    () => window.recording.orders.filter(({ type }) => type === "audio_clear").length,
  );
}

/** Opens a page, reads the notice and clicks Talk. */
export async function startTalking(
  browser: Browser,
  url: string,
  changes: Changes = {},
): Promise<{ page: Page; call: InCall }> {
  const page = await browser.newPage();
  // Visitors are new: nothing is kept from the one before.
  await page.devtools("Network.clearBrowserCache");
  await page.goto(url);
  await page.run((some) => void Object.assign(window, some), changes);
  const call = inCall(page);
  await call.click("#start");
  await call.see("dialog button", "Talk");
  await delay(READS_MS);
  await call.click("dialog button", "Talk");
  return { page, call };
}
