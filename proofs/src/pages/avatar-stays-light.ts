import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "../browsers/browser.ts";
import { openFaceSite, PERSONAS } from "../faces/face-site.ts";
import type { Claim } from "../runner/proof.ts";
import { metricsOf, WATCH } from "./page-stays-fast.ts";
import type { PageStage } from "./page-stage.ts";

const MAX_BYTES = { avatar: 3_000, face: 1_400 };
const MAX_SHARE = 0.1;
/** Nobody has moved the pointer for so long. */
const RESTS_AFTER_MS = 14_000;
/** What the face costs is there every time; what another program costs is not. */
const MEASURED = { times: 3, ms: 1_000 };
/** On one screen a hero of 400 pixels, and a way down to where it is not seen. */
const BODY = `${WATCH}<div id="place" style="width:400px;height:460px"></div><div style="height:3000px"></div>`;

export const avatarStaysLight: Claim<PageStage> = {
  promise: "The agent's face costs a page next to nothing",
  bound:
    "avatar chunk ≤ 3.0 KB, each face ≤ 1.4 KB, main thread ≤ 10 % above a blank page at 400 px, 0 frames when unseen and at rest, layout shift 0, the silhouette becomes each persona within its own outline, a planted cost is noticed",
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  async prove({ say, onEnd }, stage) {
    const site = await openFaceSite(BODY);
    onEnd(() => site.close());
    const bytes = site.sizeOf("avatar");
    const largest = Math.max(...PERSONAS.map((name) => site.sizeOf(`face-${name}`)));
    const browser = await stage.browser("chromium");
    const page = await browser.newPage();
    await page.goto(`${site.url}/?agent=rowan`);
    const blank = await costOf(page);
    const before = await filesOf(page);
    await page.run(mountHero);
    await delay(1_000);
    const asked = (await filesOf(page)).filter((name) => !before.includes(name));
    say(`with a hero on screen it asks for ${asked.join(", ")}`);
    const seen = await costOf(page);
    await delay(RESTS_AFTER_MS);
    const resting = await costOf(page);
    await page.run(() => scrollTo(0, 2_000));
    await delay(300);
    const unseen = await costOf(page);
    await page.run(beBusy);
    const planted = await costOf(page);
    say(
      `main thread: blank ${percent(blank.share)}, seen ${percent(seen.share)} with ${seen.frames} frames, at rest ${percent(resting.share)}, unseen ${percent(unseen.share)}, with a planted 4 ms in every frame ${percent(planted.share)}`,
    );
    const { layoutShift } = await page.run(() => window.seen);
    await page.close();

    let moved = 0;
    for (const persona of PERSONAS.filter((name) => name !== "orb")) {
      moved = Math.max(moved, await outlineMoves(browser, `${site.url}/?agent=${persona}`));
    }
    const share = seen.share - blank.share;
    return {
      figure: `${bytes} bytes and ${largest} for a face, ${percent(share)} of the main thread, ${unseen.frames} frames when unseen, ${resting.frames} at rest, layout shift ${layoutShift}, outline ${moved.toFixed(2)} px`,
      ok:
        bytes <= MAX_BYTES.avatar &&
        largest <= MAX_BYTES.face &&
        share <= MAX_SHARE &&
        seen.frames > 0 &&
        unseen.frames === 0 &&
        resting.frames === 0 &&
        unseen.share - blank.share < 0.01 &&
        layoutShift === 0 &&
        moved < 0.5 &&
        asked.length === 3 &&
        planted.share - blank.share > MAX_SHARE,
      engines: [browser.version],
    };
  },
};

/** The share of the main thread, at best, and all frames that scripts asked for meanwhile. */
async function costOf(page: Page): Promise<{ share: number; frames: number }> {
  const busySecs = async (): Promise<number> => (await metricsOf(page))["TaskDuration"]!;
  await page.run(() => void (window.seen.frames = 0));
  const shares: number[] = [];
  for (let time = 0; time < MEASURED.times; time++) {
    const [before, from] = [await busySecs(), performance.now()];
    await delay(MEASURED.ms);
    shares.push(((await busySecs()) - before) / ((performance.now() - from) / 1_000));
  }
  return { share: Math.min(...shares), frames: await page.run(() => window.seen.frames) };
}

function filesOf(page: Page): Promise<string[]> {
  return page.run(() =>
    performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
  );
}

/** By how many pixels at most an outline moves when the silhouette becomes a persona. */
async function outlineMoves(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage({ reducedMotion: true });
  await page.goto(url);
  await page.run(mountHero);
  const before = await page.run(outline);
  while (!(await page.run(() => document.querySelector(".svc-hero-shade") !== null)))
    await delay(20);
  await delay(400);
  const after = await page.run(outline);
  await page.close();
  return Math.max(...before.map((value, at) => Math.abs(value - after[at]!)));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

// What follows runs in the page.

function mountHero(): void {
  Svc.hero.mount(document.getElementById("place")!);
}

function beBusy(): void {
  const busy = (): void => {
    const end = performance.now() + 4;
    while (performance.now() < end);
    requestAnimationFrame(busy);
  };
  busy();
}

/** Where the shapes are that all faces share. */
function outline(): number[] {
  const face = document.querySelector(".svc-hero-placeholder")!;
  const shapes = ["ground", "shoulders", "neck", "head"].map((part) =>
    [...face.querySelectorAll(`.svc-hero-${part}`)].at(-1)!,
  );
  return [face, ...shapes].flatMap((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height];
  });
}
