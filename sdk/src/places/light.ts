import { element } from "../kit.ts";

/** Between a place and its light. */
const GAP = 8;
/** The light of a place that is larger than the page stays on it. */
const EDGE = 6;
const CAPTION_ROOM = 60;

export interface Light {
  /** Hides where there is nothing, or nothing in view. */
  moveTo(target: Element | undefined): void;
  say(caption: string): void;
  remove(): void;
}

/** Draws a light in our own layer, above everything: nothing of the page's is touched, and clicks go through. */
export function drawLight(root: ShadowRoot, caption: string): Light {
  const ring = element("i");
  const text = element("span", {}, caption);
  const face = root.querySelector(".beside > *, .tile .face > *")?.cloneNode(true);
  const note = element("p", { role: "status" }, face, text);
  const layer = element("div", { className: "spot", popover: "manual" }, ring, note);
  root.append(layer);
  // In the top layer no z-index and no transform of the page's matters. Older browsers have none.
  layer.showPopover?.();

  function moveTo(target: Element | undefined): void {
    const box = target?.getBoundingClientRect();
    const call = root.querySelector("dialog")!.getBoundingClientRect();
    // On a phone the small call stands below the whole page.
    const end = call.width > innerWidth / 2 ? call.top : innerHeight;
    const left = Math.max(EDGE, (box?.left ?? 0) - GAP);
    const top = Math.max(EDGE, (box?.top ?? 0) - GAP);
    const right = Math.min(innerWidth - EDGE, (box?.right ?? 0) + GAP);
    const bottom = Math.min(end - EDGE, (box?.bottom ?? 0) + GAP);
    const isSeen = right - left > GAP && bottom - top > GAP;
    layer.classList.toggle("out", !isSeen);
    // The small call stays in front of the light, which is drawn above everything else.
    const { left: x, top: y, right: toX, bottom: toY } = call;
    layer.style.clipPath = `path(evenodd, "M-99-99H9999V9999H-99ZM${x} ${y}H${toX}V${toY}H${x}Z")`;
    if (!isSeen) return;
    const isBelow = top < CAPTION_ROOM && bottom < end - CAPTION_ROOM;
    layer.classList.toggle("below", isBelow);
    const half = note.offsetWidth / 2 + EDGE;
    const middle = Math.min(Math.max((left + right) / 2, half), innerWidth - half);
    const radius = parseFloat(getComputedStyle(target!).borderTopLeftRadius) || 0;
    const set = (name: string, value: number): void =>
      layer.style.setProperty(`--${name}`, `${value}px`);
    set("x", left);
    set("y", top);
    set("w", right - left);
    set("h", bottom - top);
    set("r", Math.min(radius + GAP, 40));
    set("m", middle);
    // Where there is room neither above nor below, it stands inside.
    set("n", isBelow ? bottom : Math.max(top, CAPTION_ROOM));
  }

  return {
    moveTo,
    say: (words) => {
      text.textContent = words;
    },
    remove: () => layer.remove(),
  };
}
