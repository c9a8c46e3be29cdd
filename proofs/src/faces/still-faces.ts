import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "../browsers/browser.ts";
import { openFaceSite } from "./face-site.ts";
import type { FaceSite } from "./face-site.ts";

/** Frames come when they are asked for, at a time of our choosing: a face is the same in every picture. */
const CLOCK = `<script>
  const frames = [];
  const later = setTimeout;
  window.requestAnimationFrame = (step) => frames.push(step);
  window.setTimeout = (run, ms, ...all) => run === requestAnimationFrame ? frames.push(all[0]) : later(run, ms, ...all);
  window.settle = () => { for (let now = 1000; now <= 3000; now += 40) for (const step of frames.splice(0)) step(now); };
  /** A sound that is always the same: so loud, with these bands strong. */
  window.soundOf = (loudness, low, middle, high) => ({
    context: { sampleRate: 48000 },
    getFloatTimeDomainData: (wave) => wave.fill(loudness),
    getByteFrequencyData: (tones) => tones.fill(60).fill(low, 0, 10).fill(middle, 12, 26).fill(high, 40, 64),
  });
  window.draw = async (persona, dark, isMute) => {
    const { wear } = await import("AVATAR");
    document.body.style.background = dark ? "#12161c" : "#fff";
    place.replaceChildren();
    Svc.hero.mount(place);
    const neutral = place.querySelector("svg");
    place.replaceChildren();
    const moments = [
      [400, {}], [400, { state: "listening" }], [400, { state: "thinking" }], [400, { state: "speaking", analyser: soundOf(0.25, 90, 200, 90) }],
      [96, {}], [160, {}], [160, { state: "speaking", analyser: soundOf(0.1, 200, 90, 190) }], [160, { state: "speaking", analyser: soundOf(0.14, 210, 120, 60) }],
    ];
    for (const [size, moment] of moments) {
      const face = neutral.cloneNode(true);
      face.style.setProperty("width", size + "px");
      face.style.setProperty("height", size + "px");
      place.append(face);
      if (persona !== "neutral") wear(face, persona, () => (isMute ? { state: moment.state } : moment));
    }
  };
</script>`;

export const SHEET: { width: number; height: number } = { width: 840, height: 1_040 };

/** A page that draws every state of a face: four large, four small ones, three of them in mid-speech. */
export function openStillFaces(): Promise<FaceSite> {
  return openFaceSite(
    '<style>body { margin: 0; } #place { display: flex; flex-wrap: wrap; gap: 10px; padding: 10px; align-items: center; }</style><div id="place"></div><script src="/still.js"></script>',
    (fileOf) => ({
      "/still.js": CLOCK.replace(/<\/?script>/g, "").replace("AVATAR", fileOf("avatar")),
    }),
  );
}

/** @param isMute the planted fault: nobody opens their mouth. */
export async function drawSheet(
  page: Page,
  persona: string,
  dark: boolean,
  isMute = false,
): Promise<Buffer> {
  await page.run("return draw(a, b, c);", persona, dark, isMute);
  // The persona has faded in, and the browser has told that it is seen.
  await delay(500);
  await page.run("settle(); return 1;");
  return page.screenshot({ x: 0, y: 0, ...SHEET });
}
