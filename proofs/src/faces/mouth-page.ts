import type { Page } from "../browsers/browser.ts";
import { openFaceSite } from "./face-site.ts";
import type { FaceSite } from "./face-site.ts";

/** Tells how loud each piece is that reaches the loudspeaker, by the clock of the sound. */
const RECORDER = `registerProcessor("recorder", class extends AudioWorkletProcessor {
  process([[samples = []]]) {
    let power = 0;
    for (const sample of samples) power += sample * sample;
    this.port.postMessage([currentTime, power / 128]);
    return true;
  }
});`;

/** Opens the sound as the call does, gives it a face, and reads the mouth in every frame. */
const SCRIPT = `
  window.wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  async function open() {
    const context = new AudioContext();
    await context.resume();
    await context.audioWorklet.addModule("/recorder.js");
    const recorder = new AudioWorkletNode(context, "recorder");
    recorder.port.onmessage = ({ data }) => heard.push(data);
    const connect = AudioNode.prototype.connect;
    connect.call(recorder, context.destination);
    AudioNode.prototype.connect = function (to, ...all) {
      if (to === context.destination) connect.call(this, recorder);
      return connect.call(this, to, ...all);
    };
    const { openSound } = await import("SOUND");
    const { wear } = await import("AVATAR");
    window.sound = await openSound(context);
    sound.onPlayback = (report) => { if (report.state === "finished") finished = report.segment; };
    Svc.hero.mount(place);
    // The planted fault: a face that follows what was heard a quarter of a second ago.
    const late = new AnalyserNode(context, { fftSize: 1024, smoothingTimeConstant: 0 });
    sound.analyser.connect(new DelayNode(context, { delayTime: 0.25 })).connect(late);
    wear(place.querySelector("svg"), "linden", () => ({ state: "speaking", analyser: window.isLate ? late : sound.analyser }));
    const read = () => {
      const numbers = document.querySelector(".svc-hero-inside")?.getAttribute("d").match(/-?[\\d.]+/g).map(Number);
      if (numbers) seen.push([context.currentTime, numbers[9] - numbers[3], numbers[6]]);
      requestAnimationFrame(read);
    };
    read();
  }
  let finished = 0, segment = 0;
  window.heard = []; window.seen = [];
  document.querySelector("button").onclick = () => { window.opened = open(); };
  window.play = async (base64, rate) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const order = (type) => sound.take({ type, seq: 1, segment, sample_rate: rate });
    segment += 1;
    heard.length = seen.length = 0;
    order("audio_start");
    for (let at = 0; at < bytes.length; at += 960) sound.play(bytes.slice(at, at + 960).buffer);
    order("audio_flush");
    while (finished < segment) await wait(20);
    await wait(400);
    return { heard: [...heard], seen: [...seen] };
  };
`;

/** What was heard and what was seen, each with the time of the sound's clock in seconds. */
export interface Mouthed {
  /** The mean power of 128 samples. */
  heard: [atSecs: number, power: number][];
  /** How far the mouth was open, and how wide it was. */
  seen: [atSecs: number, open: number, wide: number][];
}

export function openMouthSite(): Promise<FaceSite> {
  return openFaceSite(
    '<button>Talk</button><div id="place" style="width:400px;height:460px"></div><script src="/mouth.js"></script>',
    (fileOf) => ({
      "/recorder.js": RECORDER,
      "/mouth.js": SCRIPT.replace("SOUND", fileOf("sound")).replace("AVATAR", fileOf("avatar")),
    }),
  );
}

export async function mouthOf(page: Page, samples: Int16Array, rate: number): Promise<Mouthed> {
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return page.run<Mouthed>("return play(a, b);", bytes.toString("base64"), rate);
}
