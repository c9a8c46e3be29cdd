import { setTimeout as delay } from "node:timers/promises";
import { Random } from "@svc/tools/random";
import { ENGINES } from "../browsers/browser.ts";
import type { Browser } from "../browsers/browser.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { APPS } from "./apps.ts";
import type { App } from "./apps.ts";
import { pageHtml } from "./hostile-pages.ts";
import { runIn } from "./in-page.ts";
import type { InPage } from "./in-page.ts";
import type { PageStage } from "./page-stage.ts";
import { CUE_WORD, LONG_WORD } from "./showing.ts";

const MAX_LATE_MS = 150;
const MIN_SHARE = 0.99;
/** Longer than the SDK waits for an element. */
const PATIENCE_MS = 20_000;
/** A smooth scroll, and content that pushes the place away meanwhile. */
const SETTLE_MS = 1_200;

export const showsWhatItSays: Claim<PageStage> = {
  promise:
    "On pages of every make, a place that the agent speaks of is in view and lit, and an action done, when its word is read; after an interruption before that word nothing happens",
  bound: `≥ ${MIN_SHARE} of actions carried out, p95 ≤ ${MAX_LATE_MS} ms beyond two frames of the same page, 0 after a cut; answers that are not cut do light up`,
  timeLimitSecs: { quick: 300, full: 2700 },
  tier: "nightly",
  async prove(tools, stage) {
    const { say, sized } = tools;
    const each = sized({ quick: 2, full: 55 });
    const { url, agentId } = await stage.showing();
    const sum: Sum = { wanted: 0, done: 0, cuts: 0, afterCut: 0, uncut: 0, lateMs: [] };
    const sites = await Promise.all(
      APPS.map((app) => {
        const html = pageHtml({ ...app, head: REGISTER + (app.head ?? "") }, url, agentId);
        const pages = Object.fromEntries(["/", ...(app.pages ?? [])].map((path) => [path, html]));
        return stage.openSite(tools.onEnd, pages, app.headers?.(url));
      }),
    );
    const engines: string[] = [];
    // One after the other: they would take each other's time.
    for (const engine of ENGINES) {
      const browser = await stage.browser(engine);
      engines.push(browser.version);
      for (const [index, app] of APPS.entries()) {
        if (tools.timeLeftMs() === 0) break;
        await useApp(tools, browser, { app, url: sites[index]!, each }, sum).catch((error) =>
          say(`${engine}, ${app.name}: ${String(error)}`),
        );
        tools.progress(sum.wanted, APPS.length * ENGINES.length * (each + 1), "actions");
      }
    }
    const late = sum.lateMs.toSorted((one, other) => one - other);
    const p95 = Math.round(late[Math.floor(late.length * 0.95)] ?? Infinity);
    return {
      figure: `${sum.done} of ${sum.wanted} carried out in ${engines.join(", ")}, p95 ${p95} ms after the word, ${sum.afterCut} of ${sum.cuts} after a cut (${sum.uncut} of ${ENGINES.length} without one)`,
      ok:
        sum.done >= MIN_SHARE * sum.wanted &&
        sum.wanted === APPS.length * ENGINES.length * (each + 1) &&
        p95 <= MAX_LATE_MS &&
        sum.afterCut === 0 &&
        sum.cuts > ENGINES.length &&
        sum.uncut === ENGINES.length,
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
  lateMs: number[];
}

/** Calls on an app, and has it show one place after the other. */
async function useApp(
  { say, seed, timeLeftMs }: Tools,
  browser: Browser,
  { app, url, each }: { app: App; url: string; each: number },
  sum: Sum,
): Promise<void> {
  const page = await browser.newPage(browser.engine === "chromium" ? { ownWindow: true } : {});
  const at = APPS.indexOf(app);
  const random = new Random(seed, at);
  const language = app.pages !== undefined && browser.engine !== "firefox" ? "de" : "en";
  await page.goto(url);
  await runIn(page, startCall, language);
  const ids = Object.keys(app.places);
  let last = "";
  async function look(order: string, id: string, isCut = false): Promise<Looked> {
    const { selector, caption = "", languages } = app.places[id]!;
    const title = languages?.[language]?.caption ?? caption;
    await runIn(page, beginStep, [order, selector, title, CUE_WORD, isCut ? LONG_WORD : ""]);
    const endMs = Date.now() + (isCut ? 4_000 : PATIENCE_MS);
    let looked: Looked = {};
    while (Date.now() < endMs && looked.doneMs === undefined) {
      await delay(100);
      // The page may be changing.
      looked = await runIn(page, lookAt, selector, title).catch(() => ({}));
    }
    await delay(isCut ? 0 : SETTLE_MS);
    return runIn(page, lookAt, selector, title);
  }
  for (let step = 0; step <= each && timeLeftMs() > 0; step++) {
    const id = random.pick(ids.filter((one) => one !== last));
    const isAction = step === 1;
    const looked = await look(isAction ? "do mark" : `show ${id}`, id);
    const isDone = isAction ? looked.doneMs !== undefined : looked.isLit === true;
    sum.wanted += 1;
    if (isDone) sum.done += 1;
    else
      say(`${browser.engine}, ${app.name}, ${isAction ? "mark" : id}: ${JSON.stringify(looked)}`);
    if (looked.lateMs !== undefined) sum.lateMs.push(looked.lateMs);
    if (!isAction) last = id;
  }
  const other = ids.find((one) => one !== last)!;
  const cut = await look(`wait ${other}`, other, true);
  if (cut.hasWord !== true) sum.cuts += 1;
  if (cut.hasWord !== true && cut.doneMs !== undefined) sum.afterCut += 1;
  if (at === 0 && (await look(`wait ${other}`, other)).isLit === true) sum.uncut += 1;
  await page.close();
}

/** What became of a step so far. Times are of the page, in milliseconds. */
interface Looked {
  hasWord?: boolean;
  doneMs?: number;
  /** Beyond two frames after its word; absent where the element or the word was not there to be timed. */
  lateMs?: number;
  /** It has its light and is in view. */
  isLit?: boolean;
}

// What follows runs in the page.

declare global {
  interface Window {
    step?: { wordMs?: number; frameMs?: number; doneMs?: number; wasThere?: boolean };
    marks: number;
  }
}

/** On every page of an app. */
const REGISTER = `<script nonce="n">window.marks = 0; (function register() { if (!window.Svc?.version) return setTimeout(register, 20); Svc.actions.register({ mark: { run: () => void (window.marks += 1) } }); })();</script>`;

async function startCall({ until, dialog }: InPage, language: string): Promise<void> {
  await until(() => globalThis.Svc?.version);
  await Svc.startDemo({ language });
  (await until(() => dialog()?.querySelector<HTMLElement>("button.primary"))).click();
  await until(() => dialog()?.querySelector("li.assistant") && dialog()?.querySelector("textarea"));
}

/** Says it, and looks at every frame what has come of it. */
async function beginStep(
  { until, dialog }: InPage,
  [order, selector, title, cueWord, longWord]: string[],
): Promise<void> {
  const field = await until(() => dialog()?.querySelector("textarea"));
  const said = (text: string): void => {
    field.value = text;
    field.form!.requestSubmit();
  };
  const root = dialog()!.getRootNode() as ShadowRoot;
  const turns = root.querySelectorAll("li.assistant").length;
  const find = (): Element | undefined =>
    selector!
      .split(">>>")
      .reduce<Element | undefined>(
        (within, step) => (within?.shadowRoot ?? document).querySelector(step) ?? undefined,
        undefined,
      );
  const step: Window["step"] = {};
  window.step = step;
  const marks = window.marks;
  let framesSince = 0;
  let isToBeCut = longWord !== "";
  const look = (): void => {
    if (window.step !== step) return;
    const nowMs = performance.now();
    const text = [...root.querySelectorAll("li.assistant")]
      .slice(turns)
      .map((one) => one.textContent)
      .join(" ");
    if (isToBeCut && text.includes(longWord!)) {
      isToBeCut = false;
      said("Stop.");
    }
    if (text.includes(cueWord!) && step.wordMs === undefined) {
      step.wordMs = nowMs;
      step.wasThere = find() !== undefined;
    }
    if (step.wordMs !== undefined && framesSince++ === 2) step.frameMs = nowMs;
    const caption = root.querySelector(".spot:not(.out) p span")?.textContent;
    if (caption === title || window.marks > marks) step.doneMs ??= nowMs;
    requestAnimationFrame(look);
  };
  look();
  said(order!);
}

function lookAt({ dialog }: InPage, selector: string, title: string): Looked {
  const root = dialog()?.getRootNode() as ShadowRoot | undefined;
  const spot = root?.querySelector(".spot:not(.out)");
  const isNamed = spot?.querySelector("p span")?.textContent === title;
  const { wordMs, frameMs, wasThere, doneMs = isNamed ? 0 : undefined } = window.step ?? {};
  let target: Element | null | undefined;
  let over: Element | null = null;
  for (const step of selector.split(">>>")) {
    target = (target?.shadowRoot ?? document).querySelector(step);
  }
  const box = target?.getBoundingClientRect();
  const ring = spot?.querySelector("i")?.getBoundingClientRect();
  let isLit = false;
  if (isNamed && target && box && ring) {
    const x = box.left + Math.min(box.width / 2, 100);
    const y = box.top + box.height / 2;
    over = (target.getRootNode() as Document).elementFromPoint(x, y);
    const isAround =
      Math.abs(ring.top + 8 - box.top) < 6 && Math.abs(ring.bottom - 8 - box.bottom) < 6;
    isLit = isAround && y > 0 && y < innerHeight && target.contains(over);
  }
  return {
    hasWord: wordMs !== undefined,
    ...(doneMs !== undefined && { doneMs }),
    ...(doneMs && frameMs && wasThere && { lateMs: Math.max(0, doneMs - frameMs) }),
    isLit,
  };
}
