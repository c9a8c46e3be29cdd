import type { CallWords, LiveShown } from "@svc/contract/types";
import type { LaterWords } from "../call/call-options.ts";
import type { Frame } from "../call/frame.ts";
import { fadeIn } from "../call/glide.ts";
import type * as ContentChunk from "../content/index.ts";
import { element, icon, iconButton } from "../kit.ts";
import { STAGE_STYLE } from "./stage-style.ts";

/** Paths in a 20 by 20 box. */
const ENLARGE = "M12 4h4v4M8 16H4v-4M16 4l-5 5M4 16l5-5";
const CLOSE = "M5 5l10 10M15 5L5 15";
const MAX_ZOOM = 6;

/** The slides on a stage. */
export interface StageSlides {
  show(content: LiveShown, isLarge?: boolean): void;
}

/**
 * Draws slides, and lets a visitor enlarge what is on the stage by a click or a tap, and then zoom by
 * keys, wheel and pinch. While the call is small, a button names what is on the stage.
 */
export function stageSlides(
  stage: HTMLElement,
  frame: Frame,
  strings: CallWords,
  onStep: (id: string, at: number) => void,
  [{ CONTENT_STYLE, createSlides }, { content: words }]: [typeof ContentChunk, LaterWords],
): StageSlides {
  frame.addStyle(CONTENT_STYLE);
  frame.addStyle(STAGE_STYLE);
  const slide = stage.firstElementChild as HTMLElement;
  const slides = createSlides(slide, words, strings.content_failed, onStep);
  const button = iconButton(words.enlarge, ENLARGE, () => setLarge(!isLarge()));
  button.classList.add("enlarge");
  stage.append(button);
  const thumb = element("button", {
    type: "button",
    className: "thumb",
    onclick: () => frame.restore(),
  });
  stage.nextElementSibling?.firstElementChild?.after(thumb);
  let zoom = 1;

  const isLarge = (): boolean => stage.classList.contains("large");

  function setLarge(isWanted: boolean): void {
    stage.classList.toggle("large", isWanted);
    fadeIn(stage);
    setZoom(1);
    const name = isWanted ? strings.close : words.enlarge;
    button.title = name;
    button.setAttribute("aria-label", name);
    button.replaceChildren(icon(isWanted ? CLOSE : ENLARGE));
    if (isWanted) button.focus();
  }

  function setZoom(wanted: number): void {
    zoom = Math.min(MAX_ZOOM, Math.max(1, wanted));
    slide.classList.toggle("zoomed", zoom > 1);
    slide.style.setProperty("--zoom", String(zoom));
  }

  slide.addEventListener("click", ({ target }) => {
    const isControl = target instanceof Element && target.closest("a, button, video");
    // Who selects text to copy it does not want it to move.
    if (!isLarge() && !isControl && !String(getSelection())) setLarge(true);
  });
  stage.addEventListener("keydown", (event) => {
    if (!isLarge()) return;
    const { key } = event;
    if (key === "Escape") setLarge(false);
    else if (key === "+" || key === "=") setZoom(zoom * 1.25);
    else if (key === "-") setZoom(zoom / 1.25);
    else if (key === "0") setZoom(1);
    else return;
    // Otherwise Escape would make the whole call small.
    event.preventDefault();
  });
  slide.addEventListener(
    "wheel",
    (event) => {
      if (!isLarge() || !event.ctrlKey) return;
      event.preventDefault();
      setZoom(zoom * Math.exp(-event.deltaY / 200));
    },
    { passive: false },
  );
  watchPinch(slide, () => (isLarge() ? zoom : undefined), setZoom);

  return {
    show(content, isWantedLarge = false) {
      slides.show(content);
      const { title, kind, url } = content;
      thumb.replaceChildren(
        ...(kind === "image" ? [element("img", { alt: "", src: url })] : []),
        element("span", {}, title),
        icon(ENLARGE),
      );
      thumb.title = `${title}. ${strings.restore}`;
      if (isWantedLarge) setLarge(true);
    },
  };
}

/** @param begin The zoom that a pinch starts from; undefined where there is nothing to zoom. */
function watchPinch(
  slide: HTMLElement,
  begin: () => number | undefined,
  setZoom: (zoom: number) => void,
): void {
  const fingers = new Map<number, PointerEvent>();
  let start: { apart: number; zoom: number } | undefined;

  function apart(): number {
    const [one, other] = [...fingers.values()];
    return Math.hypot(one!.clientX - other!.clientX, one!.clientY - other!.clientY);
  }

  function lift({ pointerId }: PointerEvent): void {
    fingers.delete(pointerId);
    start = undefined;
  }

  slide.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    const zoom = begin();
    start = fingers.size === 2 && zoom !== undefined ? { apart: apart(), zoom } : undefined;
  });
  slide.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (start !== undefined) setZoom((start.zoom * apart()) / start.apart);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"] as const)
    slide.addEventListener(end, lift);
}
