import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "../browsers/browser.ts";
import type { App } from "./apps.ts";
import { runIn } from "./in-page.ts";
import type { InPage } from "./in-page.ts";
import { CUE_WORD, LONG_WORD } from "./showing.ts";

/** No claim measures by it: a busy machine answers late. */
const PATIENCE_MS = 60_000;
/** What is lit stays so: a place that only passes by is not in view. */
const STAYS_MS = 400;
const LOOK_MS = 100;
/** WebKit without a graphics card draws a frame in a second at times. */
const FRAMES_WITHIN_MS = 5_000;

/** What became of a step. Times are of the page. */
export interface Looked {
  hasWord?: boolean;
  /** The page is on its way to the place, or the action done: wherever the light is. */
  isDone?: boolean;
  /** Behind its word, beyond two frames of the same page; absent where the element or the word was not there to be timed. */
  lateMs?: number;
  /** The same until the place is in view: a browser scrolls to what is far away in about half a second. */
  seenMs?: number;
  /** The frames that it is compared with are not drawn yet. */
  isWaited?: boolean;
  /** When it was asked for and done, by the clock of the page's sound, where there is one. */
  soundSecs?: [from: number, to: number];
  /** What two frames of the same page took once its word was written. */
  framesMs?: number;
  /** The place has its light and is in view. */
  isLit?: boolean;
  /** The answer to what the visitor said in between is there. */
  isAnswered?: boolean;
}

export interface Step {
  place: App["places"][string];
  /** Has the page do something; else the place is shown. */
  isAction?: boolean;
  /** At the end of a long answer, or long after its word. */
  when?: "wait" | "after";
  /** The visitor says stop as soon as the answer begins. */
  isCut?: boolean;
  language?: string;
}

/** Asks for something, and waits until it is there, or until it is plain that it does not come. */
export async function showStep(
  page: Page,
  id: string,
  { place, when, isAction = false, isCut = false, language = "en" }: Step,
  longer = 1,
): Promise<Looked> {
  const { selector, caption = "", languages } = place;
  const title = languages?.[language]?.caption ?? caption;
  const order = `${when ?? ""} ${isAction ? "do mark" : `show ${id}`} ${longer}`;
  await runIn(page, beginStep, [order, selector, title, CUE_WORD, isCut ? LONG_WORD : ""]);
  // The page may be changing.
  const look = (): Promise<Looked> => runIn(page, lookAt, selector, title).catch(() => ({}));
  const isThere = ({ isDone, isLit, isAnswered }: Looked): boolean =>
    (isCut ? isAnswered : isAction ? isDone : isLit) === true;
  const endMs = performance.now() + PATIENCE_MS;
  let looked = await look();
  while (performance.now() < endMs) {
    await delay(LOOK_MS);
    looked = await look();
    if (!isThere(looked)) continue;
    await delay(STAYS_MS);
    looked = await look();
    if (isThere(looked)) break;
  }
  // Without the frames that it is compared with, only what came on quick ones would be timed.
  const framesUntilMs = performance.now() + FRAMES_WITHIN_MS;
  const isWaited = (): boolean => !isCut && looked.isWaited === true;
  while (isWaited() && performance.now() < framesUntilMs) {
    await delay(LOOK_MS);
    looked = await look();
  }
  return looked;
}

/** Whether a place has its light and is in view. */
export async function isInLight(
  page: Page,
  { selector, caption = "" }: Step["place"],
): Promise<boolean> {
  return (await runIn(page, lookAt, selector, caption)).isLit === true;
}

// What follows runs in the page.

declare global {
  interface Window {
    step?: {
      wordMs?: number;
      frameMs?: number;
      doneMs?: number;
      seenMs?: number;
      fromSecs: number;
      doneSecs?: number;
      wasThere?: boolean;
      isAnswered?: boolean;
    };
    marks: number;
  }
}

/** On every page of an app. */
export const REGISTER = `<script nonce="n">window.marks = 0; (function register() { if (!window.Svc?.version) return setTimeout(register, 20); Svc.actions.register({ mark: { run: () => void (window.marks += 1) } }); })();</script>`;

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
        (within, part) => (within?.shadowRoot ?? document).querySelector(part) ?? undefined,
        undefined,
      );
  const soundSecs = (): number => window.soundSecs?.() ?? 0;
  const step: Window["step"] = { fromSecs: soundSecs() };
  window.step = step;
  const marks = window.marks;
  let framesSince = 0;
  let isToBeCut = longWord !== "";
  const look = (): void => {
    if (window.step !== step) return;
    const nowMs = performance.now();
    const texts = [...root.querySelectorAll("li.assistant")]
      .slice(turns)
      .map((one) => one.textContent);
    const text = texts.join(" ");
    if (isToBeCut && text.includes(longWord!)) {
      isToBeCut = false;
      said("Stop.");
    }
    if (texts.length > 1 && texts.at(-1)!.includes("Good")) step.isAnswered = true;
    if (text.includes(cueWord!) && step.wordMs === undefined) {
      step.wordMs = nowMs;
      step.wasThere = find() !== undefined;
    }
    if (step.wordMs !== undefined && framesSince++ === 2) step.frameMs = nowMs;
    const spot = root.querySelector(".spot");
    const isNamed = spot?.querySelector("p span")?.textContent === title;
    if (step.doneMs === undefined && (isNamed || window.marks > marks)) {
      step.doneMs = nowMs;
      step.doneSecs = soundSecs();
    }
    if (isNamed && !spot!.classList.contains("out")) step.seenMs ??= nowMs;
    requestAnimationFrame(look);
  };
  look();
  said(order!);
}

function lookAt({ dialog }: InPage, selector: string, title: string): Looked {
  const root = dialog()?.getRootNode() as ShadowRoot | undefined;
  const spot = root?.querySelector(".spot");
  const isNamed = spot?.querySelector("p span")?.textContent === title;
  // On a page that was opened for it, nobody has looked from the beginning.
  const { wordMs, frameMs, wasThere, doneMs, seenMs, doneSecs, fromSecs, isAnswered } =
    window.step ?? {};
  let target: Element | null | undefined;
  for (const part of selector.split(">>>"))
    target = (target?.shadowRoot ?? document).querySelector(part);
  const box = target?.getBoundingClientRect();
  const ring = spot?.querySelector("i")?.getBoundingClientRect();
  let isLitHere = false;
  if (isNamed && target && box && ring && !spot.classList.contains("out")) {
    const x = box.left + Math.min(box.width / 2, 100);
    const y = box.top + box.height / 2;
    const over = (target.getRootNode() as Document).elementFromPoint(x, y);
    const isAround =
      Math.abs(ring.top + 8 - box.top) < 6 && Math.abs(ring.bottom - 8 - box.bottom) < 6;
    isLitHere = isAround && y > 0 && y < innerHeight && target.contains(over);
  }
  return {
    hasWord: wordMs !== undefined,
    isDone: isNamed || doneMs !== undefined,
    ...(doneMs && frameMs && wasThere && { lateMs: Math.max(0, doneMs - frameMs) }),
    ...(seenMs && frameMs && wasThere && { seenMs: Math.max(0, seenMs - frameMs) }),
    isWaited: wasThere === true && (doneMs === undefined || frameMs === undefined),
    ...(fromSecs && doneSecs && { soundSecs: [fromSecs, doneSecs] as [number, number] }),
    ...(wordMs && frameMs && { framesMs: frameMs - wordMs }),
    isLit: isLitHere,
    isAnswered: isAnswered === true,
  };
}
