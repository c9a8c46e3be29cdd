import { setTimeout as delay } from "node:timers/promises";
import { openBrowser } from "./browsers/browser.ts";
import type { Browser, Page } from "./browsers/browser.ts";
import { openFaceSite, PERSONAS } from "./faces/face-site.ts";
import { defineProof } from "./runner/proof.ts";

const MOST_BYTES = 3_000;
const MOST_SHARE = 0.1;
/** What the face costs is there every time; what another program costs is not. */
const MEASURED = { times: 3, ms: 1_000 };
/** On one screen a hero of 400 pixels, and a way down to where it is not seen. */
const BODY = `<div id="place" style="width:400px;height:460px"></div><div style="height:3000px"></div>
<script>
  window.counted = { frames: 0, shift: 0 };
  const ask = requestAnimationFrame;
  window.requestAnimationFrame = (step) => ask((now) => { counted.frames += 1; step(now); });
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) counted.shift += value; }).observe({ type: "layout-shift", buffered: true });
</script>`;
/** Where the shapes are that all faces share. */
const OUTLINE = `const face = document.querySelector(".svc-hero-placeholder");
  const shapes = ["ground", "shoulders", "neck", "head"].map((part) => [...face.querySelectorAll(".svc-hero-" + part)].at(-1));
  return [face, ...shapes].flatMap((one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height]; });`;

export default defineProof({
  covers: [],
  claims: {
    "avatar-stays-light": {
      promise: "The agent's face costs a page next to nothing",
      bound:
        "avatar chunk ≤ 3.0 KB, main thread ≤ 10 % above a blank page at 400 px, 0 frames when unseen, layout shift 0, the neutral face becomes each persona within its own outline, a planted cost is noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const site = await openFaceSite(BODY);
        onEnd(() => site.close());
        const bytes = site.sizeOf("avatar");
        say(`the avatar takes ${bytes} bytes`);
        const browser = await openBrowser("chromium");
        onEnd(() => browser.close());

        const page = await browser.newPage();
        await page.goto(`${site.url}/?agent=rowan`);
        const blank = await shareOf(page);
        const askedBlank = await filesOf(page);
        await page.run("Svc.hero.mount(place); return 1;");
        await delay(1_000);
        const asked = (await filesOf(page)).filter((name) => !askedBlank.includes(name));
        say(`with a hero on screen it asks for ${asked.join(", ")}`);
        const seen = await shareOf(page);
        await page.run("scrollTo(0, 2000); return 1;");
        await delay(300);
        const unseen = await shareOf(page);
        await page.run(
          "(function busy() { const end = performance.now() + 4; while (performance.now() < end); requestAnimationFrame(busy); })(); return 1;",
        );
        const planted = await shareOf(page);
        say(
          `main thread: blank ${percent(blank.share)}, seen ${percent(seen.share)} with ${seen.frames} frames, unseen ${percent(unseen.share)} with ${unseen.frames} frames`,
        );
        say(`control, 4 ms in every frame: ${percent(planted.share)}`);
        const { shift } = await page.run<{ shift: number }>("return counted;");
        await page.close();

        let moved = 0;
        for (const persona of PERSONAS.filter((name) => name !== "orb")) {
          moved = Math.max(moved, await outlineMoves(browser, `${site.url}/?agent=${persona}`));
        }
        say(
          `from the neutral face to a persona an outline moves by ${moved.toFixed(2)} px at most`,
        );

        const share = seen.share - blank.share;
        return {
          figure: `${bytes} bytes, ${percent(share)} of the main thread, ${unseen.frames} frames when unseen, layout shift ${shift}, outline ${moved.toFixed(2)} px`,
          ok:
            bytes <= MOST_BYTES &&
            share <= MOST_SHARE &&
            seen.frames > 0 &&
            unseen.frames === 0 &&
            unseen.share - blank.share < 0.01 &&
            shift === 0 &&
            moved < 0.5 &&
            asked.length === 2 &&
            planted.share - blank.share > MOST_SHARE,
          engines: [browser.version],
        };
      },
    },
  },
});

/** Of the main thread, at best; and all frames that scripts asked for meanwhile. */
async function shareOf(page: Page): Promise<{ share: number; frames: number }> {
  await page.devtools("Performance.enable");
  const busySecs = async (): Promise<number> => {
    const { metrics } = await page.devtools<{ metrics: { name: string; value: number }[] }>(
      "Performance.getMetrics",
    );
    return metrics.find(({ name }) => name === "TaskDuration")!.value;
  };
  await page.run("counted.frames = 0; return 1;");
  const shares: number[] = [];
  for (let time = 0; time < MEASURED.times; time++) {
    const [before, from] = [await busySecs(), performance.now()];
    await delay(MEASURED.ms);
    shares.push(((await busySecs()) - before) / ((performance.now() - from) / 1_000));
  }
  return { share: Math.min(...shares), frames: await page.run<number>("return counted.frames;") };
}

async function filesOf(page: Page): Promise<string[]> {
  return page.run<string[]>(
    'return performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);',
  );
}

/** By how many pixels, at most. Where nothing moves by itself. */
async function outlineMoves(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage({ reducedMotion: true });
  await page.goto(url);
  const before = await page.run<number[]>(`Svc.hero.mount(place); ${OUTLINE}`);
  const worn = 'document.querySelector(".svc-hero-shade")';
  await page.run(
    `return new Promise((resolve) => { (function look() { ${worn} ? setTimeout(resolve, 400) : setTimeout(look, 20); })(); });`,
  );
  const after = await page.run<number[]>(OUTLINE);
  await page.close();
  return Math.max(...before.map((value, at) => Math.abs(value - after[at]!)));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
