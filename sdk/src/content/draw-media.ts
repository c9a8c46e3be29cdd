import type {
  CodeSlide,
  ContentWords,
  ScreenshotSlide,
  SlideImage,
  TourBox,
  VideoSlide,
} from "@svc/contract/types";
import { element } from "../kit.ts";
import { renderInline } from "./markdown.ts";

/** What a slide needs to know of where it is drawn. */
export interface SlidePlace {
  /** The content's title, for a slide that has none of its own. */
  name: string;
  /** Of a file that the slide shows. */
  addressOf(file: string): string;
  isDark: boolean;
  words: ContentWords;
  /** A hotspot was clicked. */
  onNext(): void;
}

/** A line that does not fit goes on below, so that none is cut. */
export function code(
  { language, lines, marked = [] }: CodeSlide,
  words: ContentWords,
): HTMLElement {
  const pre = element(
    "pre",
    {},
    element(
      "code",
      {},
      ...lines.map((line, index) =>
        element(
          "span",
          { className: marked.includes(index) ? "line on" : "line" },
          ...line.map(([text, type]) =>
            type === undefined ? text : element("span", { className: `t-${type}` }, text),
          ),
          "\n",
        ),
      ),
    ),
  );
  const text = lines.map((line) => line.map(([piece]) => piece).join("")).join("\n");
  const copy = element("button", { type: "button", "aria-live": "polite", onclick }, words.copy);
  return element(
    "figure",
    { className: "panel" },
    element("header", {}, element("span", {}, language ?? ""), copy),
    pre,
  );

  async function onclick(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = words.copied;
      setTimeout(() => (copy.textContent = words.copy), 2_000);
    } catch {
      // Without https there is no clipboard: the visitor copies what is selected.
      getSelection()?.selectAllChildren(pre);
    }
  }
}

/**
 * A picture whose texts would be too small keeps its width, and is moved in its frame. Choosing a callout moves there. A
 * part that is to be large fills the frame.
 * Waits until the picture has loaded, so that a broken one is reported instead of shown.
 */
export async function screenshot(
  { image, dark, callouts = [], hotspot, zoom }: ScreenshotSlide,
  { name, addressOf, isDark, words, onNext }: SlidePlace,
): Promise<HTMLElement> {
  const source = isDark && dark !== undefined ? dark : image;
  const picture = await load(source, name, addressOf);
  const dots = callouts.map(({ x, y }, index) => {
    const dot = element("span", { className: "dot", "aria-hidden": "true" }, String(index + 1));
    dot.style.setProperty("left", `${x}%`);
    dot.style.setProperty("top", `${y}%`);
    return dot;
  });
  const spot = hotspot && hotspotOf(hotspot, words.next, onNext);
  const canvas = element("div", {}, picture, ...dots, spot ?? false);
  canvas.style.setProperty("min-width", `min(${source.min_width ?? 0}px, 1200px)`);
  const frame = element("div", { className: "frame", tabIndex: 0, role: "group" }, canvas);
  frame.setAttribute("aria-label", picture.alt);
  const buttons = callouts.map(({ title, text }, index) =>
    element(
      "button",
      { type: "button", onclick: () => choose(index) },
      element("span", { className: "dot", "aria-hidden": "true" }, String(index + 1)),
      element(
        "span",
        {},
        element("b", {}, ...renderInline(title)),
        text !== undefined && element("span", {}, ...renderInline(text)),
      ),
    ),
  );

  function choose(chosen: number, isAsked = true): void {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute("aria-pressed", String(index === chosen));
      dots[index]!.classList.toggle("on", index === chosen);
    }
    moveTo(callouts[chosen]?.x, isAsked);
  }

  function moveTo(x = 0, isAsked = false): void {
    // Where nearly all of it is seen, it moves only when the visitor asks.
    if (frame.matches(".fills") || (!isAsked && canvas.clientWidth < frame.clientWidth * 1.3))
      return;
    // Physical pixels from the left, in right-to-left pages too, whose scroll positions are negative.
    const from = canvas.getBoundingClientRect().left - frame.getBoundingClientRect().left;
    frame.scrollBy({
      left: from + (canvas.clientWidth * x) / 100 - frame.clientWidth / 2,
      behavior: "smooth",
    });
  }
  requestAnimationFrame(() => {
    if (zoom) fillWith(frame, canvas, zoom, source.min_width);
    if (buttons.length > 0) choose(0, false);
    if (hotspot) moveTo(hotspot.x + hotspot.width / 2);
  });
  return element(
    "figure",
    { className: "shot" },
    frame,
    buttons.length > 0 &&
      element("ol", { className: "legend" }, ...buttons.map((button) => element("li", {}, button))),
  );
}

function hotspotOf(box: TourBox, name: string, onclick: () => void): HTMLElement {
  const spot = element("button", { type: "button", className: "hotspot", title: name, onclick });
  for (const side of ["width", "height"] as const) spot.style.setProperty(side, `${box[side]}%`);
  spot.style.setProperty("left", `${box.x}%`);
  spot.style.setProperty("top", `${box.y}%`);
  return spot;
}

/** Drawn larger, a screenshot at twice its size is blurred. */
const MIN_SEEN_PERCENT = 30;

/**
 * As much of the picture around the part as fits into the frame, which has the picture's own shape. Where its texts would be too
 * small all the same, the picture is moved in its frame instead.
 */
function fillWith(frame: HTMLElement, canvas: HTMLElement, part: TourBox, minWidth = 0): void {
  const seen = Math.max(part.width, part.height, MIN_SEEN_PERCENT);
  if (frame.clientWidth < 500 && frame.clientWidth / seen < minWidth * 0.008) return;
  const from = (start: number, length: number): number =>
    -Math.min(100 - seen, Math.max(0, start + length / 2 - seen / 2));
  frame.classList.add("fills");
  canvas.style.setProperty("width", `${10_000 / seen}%`);
  canvas.style.setProperty(
    "translate",
    `${from(part.x, part.width)}% ${from(part.y, part.height)}%`,
  );
}

async function load(
  { file, alt, width, height }: SlideImage,
  name: string,
  addressOf: (file: string) => string,
): Promise<HTMLImageElement> {
  const picture = element("img", {
    alt: alt ?? name,
    ...(width !== undefined && height !== undefined && { width, height }),
  });
  const loaded = new Promise((resolve, reject) => {
    picture.addEventListener("load", resolve);
    picture.addEventListener("error", reject);
  });
  picture.src = addressOf(file);
  await loaded;
  return picture;
}

export function video(
  { video: file, chapters = [] }: VideoSlide,
  { name, addressOf }: { name: string; addressOf: (file: string) => string },
  words: ContentWords,
): (Node | false)[] {
  const src = addressOf(file);
  if (!/\.(?:mp4|webm)$|\/files\//.test(new URL(src).pathname)) {
    const link = { href: src, target: "_blank", rel: "noopener", className: "button" };
    return [element("p", {}, element("a", link, words.open_video))];
  }
  const player = element("video", { src, controls: true, preload: "metadata", title: name });
  player.playsInline = true;
  const buttons = chapters.map(({ at_secs: at, title }) =>
    element(
      "button",
      {
        type: "button",
        onclick: () => {
          player.currentTime = at;
          void player.play().catch(() => {});
        },
      },
      element(
        "span",
        { className: "dot" },
        `${Math.floor(at / 60)}:${String(at % 60).padStart(2, "0")}`,
      ),
      element("b", {}, title),
    ),
  );
  player.addEventListener("timeupdate", () => {
    const now = chapters.filter(({ at_secs: at }) => at <= player.currentTime).length - 1;
    for (const [index, button] of buttons.entries())
      button.setAttribute("aria-pressed", String(index === now));
  });
  return [
    player,
    buttons.length > 0 &&
      element("ol", { className: "legend" }, ...buttons.map((button) => element("li", {}, button))),
  ];
}
