import { Random } from "@svc/tools/random";
import { ENGINES } from "../browsers/browser.ts";
import type { Browser, Page } from "../browsers/browser.ts";
import { quantile } from "../runner/figures.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { APPS } from "./apps.ts";
import type { App } from "./apps.ts";
import { pageHtml } from "./hostile-pages.ts";
import { runIn } from "./in-page.ts";
import type { InPage } from "./in-page.ts";
import type { PageStage } from "./page-stage.ts";
import { isInLight, REGISTER, showStep } from "./show-step.ts";
import { hearAndSee } from "./shows-by-voice.ts";

const MAX_LATE_MS = 150;
const MIN_SHARE = 0.99;
/** Of all steps. Others change the page, or their element comes after its word. */
const MIN_TIMED = 0.6;
/** Every so many steps is an action. */
const ACTION_EVERY = 3;

export const showsWhatItSays: Claim<PageStage> = {
  promise:
    "On pages of every make, the page begins to move to a place that the agent speaks of, or does an action, when its word is read, or heard in Chromium, and the place is then in view and lit; after an interruption before that word nothing happens",
  bound: `≥ ${MIN_SHARE} of actions carried out; begun p95 ≤ ${MAX_LATE_MS} ms after the word, beyond two frames of the same page, and where it is heard beyond a ping of the same call; 0 after a cut; a light that comes late, one elsewhere and answers that are not cut are noticed`,
  timeLimitSecs: { quick: 300, full: 2700 },
  tier: "nightly",
  async prove(tools, stage) {
    const { say, sized } = tools;
    const each = sized({ quick: 3, full: 56 });
    const wanted = APPS.length * ENGINES.length * each;
    const sum: Sum = {
      wanted: 0,
      done: 0,
      cuts: 0,
      afterCut: 0,
      uncut: 0,
      elsewhere: 0,
      lateMs: [],
      seenMs: [],
      plantedMs: [],
    };
    const urls = await Promise.all(APPS.map((app) => openApp(tools, stage, app)));
    const engines: string[] = [];
    // One after the other: they would take each other's time.
    for (const engine of ENGINES) {
      const browser = await stage.browser(engine);
      for (const [index, app] of APPS.entries()) {
        if (tools.timeLeftMs() === 0) break;
        await useApp(tools, stage, browser, { app, url: urls[index]!, each }, sum).catch((error) =>
          say(`${engine}, ${app.name}: ${String(error)}`),
        );
        tools.progress(sum.wanted, wanted, "actions");
      }
      engines.push(browser.version);
    }
    const late = Math.round(quantile(sum.lateMs, 0.95));
    const seen = Math.round(quantile(sum.seenMs, 0.95));
    const planted = Math.round(Math.min(...sum.plantedMs));
    const voice = await hearAndSee(tools, stage, sized({ quick: 8, full: 40 }));
    const heard = Math.round(voice.lateMs - voice.pingMs);
    say(
      `controls: lights long after their word are ${planted} ms late; ${sum.uncut} of ${APPS.length} answers that are not cut show their place; ${sum.elsewhere} lights on another place`,
    );
    say(
      `by voice ${voice.done} of ${voice.wanted}, p95 ${Math.round(voice.lateMs)} ms after the middle of the word and two frames, a ping ${Math.round(voice.pingMs)} ms, ${voice.afterCut} of ${voice.cuts} after a cut`,
    );
    return {
      figure: `${sum.done} of ${sum.wanted} carried out in ${engines.join(", ")}, begun p95 ${late} ms after the word is read, ${heard} ms after it is heard, in view after ${seen} ms, ${sum.afterCut + voice.afterCut} of ${sum.cuts + voice.cuts} after a cut`,
      ok:
        sum.done >= MIN_SHARE * sum.wanted &&
        sum.wanted === wanted &&
        late <= MAX_LATE_MS &&
        sum.lateMs.length >= MIN_TIMED * wanted &&
        planted > MAX_LATE_MS &&
        sum.afterCut + voice.afterCut === 0 &&
        // Some answers are over before the visitor can say stop.
        sum.cuts >= urls.length &&
        voice.cuts > 0 &&
        sum.uncut === APPS.length &&
        sum.elsewhere === 0 &&
        voice.done === voice.wanted &&
        heard <= MAX_LATE_MS,
      engines,
      size: `${sum.wanted} actions`,
    };
  },
};

interface Sum {
  wanted: number;
  done: number;
  cuts: number;
  afterCut: number;
  /** Of the same answers, left alone. */
  uncut: number;
  /** Places that seem to be lit while another one is. */
  elsewhere: number;
  lateMs: number[];
  /** Until places were in view. */
  seenMs: number[];
  /** Of lights that come long after their word. */
  plantedMs: number[];
}

async function openApp(tools: Tools, stage: PageStage, app: App): Promise<string> {
  const { url, agentId } = await stage.showing();
  const html = pageHtml({ ...app, head: REGISTER + (app.head ?? "") }, url, agentId);
  const pages = Object.fromEntries(["/", ...(app.pages ?? [])].map((path) => [path, html]));
  const scripts = await app.scripts?.();
  return stage.openSite(tools.onEnd, { ...pages, ...scripts }, app.headers?.(url));
}

/** Calls on an app, and has it show one place after the other. */
async function useApp(
  tools: Tools,
  stage: PageStage,
  browser: Browser,
  { app, url, each }: { app: App; url: string; each: number },
  sum: Sum,
): Promise<void> {
  const page = await browser.newPage(browser.engine === "chromium" ? { ownWindow: true } : {});
  try {
    await useCall(tools, stage, browser, page, { app, url, each }, sum);
  } finally {
    await page.close();
  }
}

async function useCall(
  { say, seed, timeLeftMs }: Tools,
  stage: PageStage,
  { engine }: Browser,
  page: Page,
  { app, url, each }: { app: App; url: string; each: number },
  sum: Sum,
): Promise<void> {
  const random = new Random(seed, APPS.indexOf(app));
  const language = app.pages !== undefined && engine !== "firefox" ? "de" : "en";
  const ids = Object.keys(app.places);
  let last = "";
  const another = (): string => random.pick(ids.filter((one) => one !== last));
  await page.goto(url);
  await runIn(page, startCall, language);
  for (let step = 1; step <= each && timeLeftMs() > 0; step++) {
    const id = another();
    const isAction = step % ACTION_EVERY === 0;
    const place = app.places[id]!;
    const since = new Date();
    const looked = await showStep(page, id, { place, isAction, language });
    sum.wanted += 1;
    if (isAction ? looked.isDone : looked.isLit) sum.done += 1;
    else {
      const what = `${engine}, ${app.name}, ${isAction ? "mark" : id}: ${JSON.stringify(looked)}`;
      say(`${what}; ${await stage.eventsSince(since)}`);
    }
    if (looked.lateMs !== undefined) sum.lateMs.push(looked.lateMs);
    if (looked.seenMs !== undefined) sum.seenMs.push(looked.seenMs);
    if (isAction) continue;
    last = id;
    if (await isInLight(page, app.places[another()]!)) sum.elsewhere += 1;
  }
  const id = another();
  const place = app.places[id]!;
  const cut = await showStep(page, id, { place, when: "wait", isCut: true, language });
  if (cut.hasWord !== true) sum.cuts += 1;
  if (cut.hasWord !== true && cut.isDone === true) sum.afterCut += 1;
  if (engine !== "chromium") return;
  const uncut = await showStep(page, id, { place, when: "wait", language });
  if (uncut.isLit === true) sum.uncut += 1;
  if (app.pages !== undefined) return;
  last = id;
  const later = another();
  const late = await showStep(page, later, { place: app.places[later]!, when: "after", language });
  sum.plantedMs.push(late.lateMs ?? 0);
}

// What follows runs in the page.

async function startCall({ until, dialog }: InPage, language: string): Promise<void> {
  await until(() => globalThis.Svc?.version);
  await Svc.startDemo({ language });
  (await until(() => dialog()?.querySelector<HTMLElement>("button.primary"))).click();
  await until(() => dialog()?.querySelector("li.assistant") && dialog()?.querySelector("textarea"));
}
