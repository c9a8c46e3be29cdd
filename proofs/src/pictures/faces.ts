import type { Browser } from "../browsers/browser.ts";
import { openFaceSite, PERSONAS } from "../faces/face-site.ts";
import type { Tools } from "../runner/proof.ts";
import type { Take } from "./album.ts";

const SHEET = { width: 840, height: 1_040 };
const BODY = `<style>body { margin: 0; } #place { display: flex; flex-wrap: wrap; gap: 10px; padding: 10px; align-items: center; }</style>
  <div id="place"></div><script>(${stopClock.toString()})();</script>`;

interface Sheet {
  persona: string;
  isDark: boolean;
  /** The planted fault: nobody opens their mouth. */
  isMute?: boolean;
}

declare global {
  interface Window {
    /** Lets two seconds pass for all faces, and waits until what they drew is on the page. */
    settle(): Promise<void>;
  }
}

/** A sheet of faces for each persona, light and dark, and one with mouths that stay shut. */
export async function drawFaces(browser: Browser, { onEnd }: Tools, take: Take): Promise<void> {
  const site = await openFaceSite(BODY);
  onEnd(() => site.close());
  const page = await browser.newPage(SHEET);
  await page.goto(site.url);
  const draw = async (sheet: Sheet): Promise<Buffer> => {
    await page.run(drawSheet, site.url + site.fileOf("avatar"), sheet);
    await page.run(whenSeen);
    await page.run(() => window.settle());
    return page.screenshot({ x: 0, y: 0, ...SHEET });
  };
  for (const persona of ["silhouette", ...PERSONAS]) {
    await take(`face-${persona}-light`, await draw({ persona, isDark: false }));
    await take(`face-${persona}-dark`, await draw({ persona, isDark: true }));
  }
  await take("planted-face", await draw({ persona: "linden", isDark: false, isMute: true }));
  await page.close();
}

// What follows runs in the page.

/** Frames come when they are asked for, at a time of our choosing: a face is the same in every picture. */
function stopClock(): void {
  const frames: FrameRequestCallback[] = [];
  const nextFrame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (step) => frames.push(step);
  const later: (run: () => void, ms?: number) => number = window.setTimeout;
  const own: { setTimeout: (run: (step: unknown) => void, ms?: number, step?: unknown) => number } =
    window;
  own.setTimeout = (run, ms, step) =>
    run === (window.requestAnimationFrame as unknown)
      ? frames.push(step as FrameRequestCallback)
      : later(() => run(step), ms);
  window.settle = async () => {
    for (let nowMs = 1_000; nowMs <= 3_000; nowMs += 40)
      for (const step of frames.splice(0)) step(nowMs);
    for (let frame = 0; frame < 2; frame++) await new Promise(nextFrame);
  };
}

/** The persona has faded in, and the browser has told the faces that they are seen: those that are not do not move. */
async function whenSeen(): Promise<void> {
  await Promise.all(document.getAnimations().map(({ finished }) => finished));
  const faces = [...document.getElementById("place")!.children];
  const areSeen = faces.map(
    (face) => new Promise<unknown>((seen) => new IntersectionObserver(seen).observe(face)),
  );
  await Promise.all(areSeen);
}

/** Four large faces and four small ones, three of them in mid-speech. */
async function drawSheet(avatarUrl: string, { persona, isDark, isMute }: Sheet): Promise<void> {
  interface Moment {
    state?: string;
    analyser?: object;
  }
  const { wear } = (await import(avatarUrl)) as {
    wear(face: Element, persona: string, now: () => Moment): Promise<void>;
  };
  /** A sound that is always the same: so loud, with these bands strong. */
  const speaking = (loudness: number, low: number, middle: number, high: number): Moment => ({
    state: "speaking",
    analyser: {
      context: { sampleRate: 48_000 },
      getFloatTimeDomainData: (wave: Float32Array) => wave.fill(loudness),
      getByteFrequencyData: (tones: Uint8Array) =>
        tones.fill(60).fill(low, 0, 10).fill(middle, 12, 26).fill(high, 40, 64),
    },
  });
  const moments: [size: number, moment: Moment][] = [
    [400, {}],
    [400, { state: "listening" }],
    [400, { state: "thinking" }],
    [400, speaking(0.25, 90, 200, 90)],
    [96, {}],
    [160, {}],
    [160, speaking(0.1, 200, 90, 190)],
    [160, speaking(0.14, 210, 120, 60)],
  ];
  document.body.style.background = isDark ? "#12161c" : "#fff";
  const place = document.getElementById("place")!;
  place.replaceChildren();
  Svc.hero.mount(place);
  const silhouette = place.querySelector("svg")!;
  place.replaceChildren();
  const worn: Promise<void>[] = [];
  for (const [size, { state, analyser }] of moments) {
    const face = silhouette.cloneNode(true) as SVGElement;
    face.style.width = `${size}px`;
    face.style.height = `${size}px`;
    place.append(face);
    const moment = { ...(state && { state }), ...(analyser && !isMute && { analyser }) };
    if (persona !== "silhouette") worn.push(wear(face, persona, () => moment));
  }
  // Its drawing is loaded, which may take longer than what the picture waits for.
  await Promise.all(worn);
}
