import type { Page } from "../browsers/browser.ts";
import { openCustomerSite, pageWith } from "../product/customer-site.ts";
import type { CustomerSite } from "../product/customer-site.ts";
import type { WholeProduct } from "../product/whole-product.ts";

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
  /** When things happened first, by `performance.now`. */
  marks: Partial<Record<Mark, number>>;
}

export type Mark =
  | "click"
  | "started"
  | "welcome"
  | "ordered"
  | "sound"
  | "microphone"
  | "worklets"
  | "audible";

export const QUANTUM = 128;

/** Notes how loud each quantum is, and tells at once of the first sound that is put out. */
const RECORDER = `
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
const TAPS = `<script>{
  window.recording = { loudspeaker: [], microphone: [], orders: [], reports: [], marks: {} };
  /** So late comes all that the server says. */
  window.lateMs = 0;
  /** In place of what the SDK asks of a microphone. */
  window.audioInstead = {};
  let context;
  const mark = (name) => { recording.marks[name] ??= performance.now(); };
  addEventListener("click", ({ timeStamp }) => { recording.marks.click = timeStamp; }, true);

  const plainFetch = fetch;
  window.fetch = async (address, ...all) => {
    const response = await plainFetch(address, ...all);
    if (String(address).endsWith("/sdk/v1/sessions")) mark("started");
    return response;
  };

  const SOUND = /^(audio_|playback$|cleared$)/;
  const note = (list, message) => {
    if (SOUND.test(message.type)) list.push({ ...message, atSecs: context?.currentTime ?? 0 });
  };
  window.WebSocket = class extends WebSocket {
    addEventListener(type, listener, ...all) {
      super.addEventListener(type, type !== "message" ? listener : (event) => {
        const take = () => {
          if (typeof event.data === "string") {
            const message = JSON.parse(event.data);
            note(recording.orders, message);
            if (message.type === "welcome") mark("welcome");
            if (message.type === "audio_start") mark("ordered");
          } else mark("sound");
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
  navigator.mediaDevices.getUserMedia = async ({ audio }) => {
    const stream = await ask({ audio: { ...audio, ...audioInstead } });
    mark("microphone");
    return stream;
  };

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
    mark("worklets");
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
export function openRecordingSite({ server, agentId }: WholeProduct): Promise<CustomerSite> {
  return openCustomerSite({
    "/": pageWith(server.url, agentId, "", TAPS),
    "/recorder.js": RECORDER,
  });
}

export function readRecording(page: Page): Promise<Recording> {
  return page.run("return recording;");
}
