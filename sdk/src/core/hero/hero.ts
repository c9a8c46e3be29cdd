import { wayIn } from "../collect-data.ts";
import { setColors } from "../colors.ts";
import { coreWords } from "../core-words.ts";
import { element } from "../element.ts";
import { drawFace } from "../face.ts";
import { hint } from "../hint.ts";
import type { Dress } from "../start-demo.ts";
import { whenSeen } from "../when-seen.ts";
import { HERO_STYLE } from "./hero-style.ts";

export interface Entry {
  /** With what the form has collected. */
  start(collected?: Record<string, string>): void;
  /** The visitor is about to: what a click needs is loaded. */
  prepare(): void;
  dress: Dress;
}

const PREFIX = "svc-hero-";
let sheet: CSSStyleSheet | undefined;

/** A block of the page's own: a face, a form if one is wanted, one strong button. */
export function createHero({ start, prepare, dress }: Entry): SvcSDK["hero"] {
  let mounted: HTMLElement | undefined;

  function unmount(): void {
    mounted?.remove();
    mounted = undefined;
  }

  function mount(container: HTMLElement, config: SvcHeroConfig = {}): void {
    if (!(container instanceof Element)) {
      return hint("hero.mount takes an element.");
    }
    unmount();
    const words = coreWords();
    const { ctaText = "Start demo now", collectData, width, height } = config;
    const face = drawFace(words.about);
    const stage = element("div", { className: `${PREFIX}stage` }, face);
    setPixels(stage, "width", width);
    setPixels(stage, "height", height);
    mounted = element(
      "div",
      { className: `${PREFIX}root`, onpointerenter: prepare },
      stage,
      wayIn({ collectData, ctaText, words, prefix: PREFIX, start }),
    );
    mounted.addEventListener("focusin", prepare, { once: true });
    setColors(mounted, config);
    adoptStyle(container);
    container.append(mounted);
    whenSeen(face, () => dress(face, () => ({})));
  }

  return { mount, unmount };
}

/** In the page, or in the shadow root that the container is in. */
function adoptStyle(container: Element): void {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(HERO_STYLE);
  }
  const root = container.getRootNode();
  const home = root instanceof ShadowRoot ? root : document;
  if (!home.adoptedStyleSheets.includes(sheet)) {
    home.adoptedStyleSheets = [...home.adoptedStyleSheets, sheet];
  }
}

function setPixels({ style }: HTMLElement, side: "width" | "height", pixels = 0): void {
  if (!(pixels > 0)) return;
  style.setProperty(side, `${pixels}px`);
  if (side === "height") {
    style.setProperty("flex", "none");
    style.setProperty("max-height", "none");
  }
}
