import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import { openFaceSite, PERSONAS } from "../faces/face-site.ts";
import { pageWith } from "../product/customer-site.ts";
import { buildSdk, SDK_FILES } from "../product/whole-product.ts";
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
  timeLimitSecs: { quick: 300 },
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

interface Faces {
  /** In which somebody's face belonged on the screen. */
  frames: number;
  /** Of these, without a face or a silhouette. */
  without: number;
  /** The outlines of all hair that was seen, of people who were not the silhouette. */
  hair: string[];
}

declare global {
  interface Window {
    faces: Faces;
  }
}

const STARTS = { quick: 30, full: 300 };
/** Where a start begins, and what the visitor clicks there. */
const ENTRIES = [
  { click: "#start", body: "" },
  { click: ".box .cta", body: entryScript("Svc.widget.show()") },
  {
    click: ".svc-hero-cta",
    body: `<div id="place" style="width:300px;height:360px"></div>${entryScript("Svc.hero.mount(place)")}`,
  },
];

export const faceIsThere: Claim<PageStage> = {
  promise:
    "From the first pixel a visitor sees the agent's own face or a silhouette, never a stranger's",
  bound:
    "30 starts (300 with --full) by button, widget and hero, cold, warm and after a reload: in every frame the configured face or the silhouette, the face worn in every start; a planted stranger and a missing face are noticed",
  timeLimitSecs: { quick: 300, full: 2700 },
  tier: "nightly",
  async prove({ sized, say, onEnd, progress, timeLeftMs }, stage) {
    const { product } = stage;
    const own = await readFile(
      join(
        SDK_FILES,
        (await buildSdk()).find((file) => /^face-linden\.\w+\.js$/.test(file))!,
      ),
      "utf8",
    );
    const pages = ENTRIES.map(({ body }, index) => [
      `/${index}`,
      pageWith(
        product.server.url,
        product.agentId,
        body,
        `<script>(${watchFaces.toString()})()</script>`,
      ),
    ]);
    const url = await stage.openSite(onEnd, Object.fromEntries(pages));
    const browser = await stage.browser("chromium");
    const total = { starts: 0, frames: 0, without: 0, strangers: 0, bare: 0 };

    const judge = async (page: Page): Promise<void> => {
      const { frames, without, hair } = await page.run(() => window.faces);
      total.frames += frames;
      total.without += without;
      total.strangers += hair.filter((one) => !own.includes(one)).length;
    };
    /** The face in the call is the agent's own before long. */
    const untilWorn = async (page: Page): Promise<void> => {
      const isWorn = await waitUntil(() => page.run(isFaceWorn), 10_000, 50);
      if (!isWorn) total.bare += 1;
    };
    const start = async (index: number): Promise<Page> => {
      const page = await browser.newPage();
      if (index % 2 === 0) {
        await page.devtools("Network.enable");
        await page.devtools("Network.setCacheDisabled", { cacheDisabled: true });
      }
      const entry = index % ENTRIES.length;
      await page.goto(`${url}/${entry}`);
      const call = inCall(page);
      await call.click(ENTRIES[entry]!.click);
      await call.click("dialog button", "Start by typing");
      await call.see("li.assistant");
      await untilWorn(page);
      return page;
    };

    const wanted = sized(STARTS);
    while (total.starts < wanted && timeLeftMs() > 15_000) {
      const page = await start(total.starts);
      await judge(page);
      if (total.starts % 5 === 0) {
        await page.reload();
        await inCall(page).see("li.assistant");
        await untilWorn(page);
        await judge(page);
      }
      await page.close();
      total.starts += 1;
      progress(total.starts, wanted, "starts");
    }
    const { starts, frames, without, strangers, bare } = total;

    const planted = await start(1);
    await planted.run(plantStranger);
    await delay(500);
    await judge(planted);
    await planted.close();
    const noticed = { strangers: total.strangers - strangers, without: total.without - without };
    say(
      `control: a planted stranger seen ${noticed.strangers} times, ${noticed.without} frames without a face`,
    );
    return {
      figure: `${starts} starts, ${frames} frames: ${strangers} strangers, ${without} frames without a face, ${bare} starts in which it did not come`,
      ok:
        starts === wanted &&
        frames > 10 * starts &&
        strangers + without + bare === 0 &&
        noticed.strangers > 0 &&
        noticed.without > 0,
      size: `${starts} starts`,
      engines: [browser.version],
    };
  },
};

function entryScript(code: string): string {
  return `<script type="module">while (!globalThis.Svc?.version) await new Promise((resume) => setTimeout(resume, 10)); ${code};</script>`;
}

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

/** Looks at every face in every frame, from before the SDK is there. */
function watchFaces(): void {
  const faces = (window.faces = { frames: 0, without: 0, hair: [] as string[] });
  const all = (root: Document | ShadowRoot, selector: string): Element[] => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) =>
      shadowRoot ? all(shadowRoot, selector) : [],
    ),
  ];
  const look = (): void => {
    requestAnimationFrame(look);
    // The last of these that is open is what the visitor looks at.
    const place = all(document, ".svc-hero-root, .box, dialog[open]").at(-1);
    if (!place) return;
    faces.frames += 1;
    const seen = [...place.querySelectorAll(".svc-hero-placeholder")].filter(
      (face) => face.getBoundingClientRect().width > 0,
    );
    if (!seen.some((face) => face.querySelector(".svc-hero-head"))) faces.without += 1;
    for (const shape of place.querySelectorAll(".svc-hero-hair")) {
      const hair = shape.getAttribute("d")!;
      if (!faces.hair.includes(hair)) faces.hair.push(hair);
    }
  };
  requestAnimationFrame(look);
}

/** Runs in the page: the agent's own face is in the call. */
export function isFaceWorn(): boolean {
  return [...document.body.children].some(({ shadowRoot }) =>
    shadowRoot?.querySelector("dialog .svc-hero-hair"),
  );
}

/** Gives a face of the call a stranger's hair for a moment, then takes all its faces away. */
function plantStranger(): void {
  for (const { shadowRoot } of document.body.children) {
    const faces = shadowRoot?.querySelectorAll("dialog .svc-hero-placeholder") ?? [];
    for (const face of faces) {
      const hair = face.querySelector(".svc-hero-hair")?.cloneNode() as Element | undefined;
      hair?.setAttribute("d", "M0,0h9v9z");
      if (hair) face.append(hair);
      setTimeout(() => face.remove(), 200);
    }
  }
}
