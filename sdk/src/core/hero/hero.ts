import { addStyle, element, removeStyle } from "../element.ts";
import { drawFace } from "../face.ts";
import type { Dress } from "../face.ts";
import { hint } from "../events.ts";
import { whenSeen } from "../track-button-view.ts";
import { pageWords, setColors, wayIn } from "../way-in.ts";
import type { LoadForm } from "../way-in.ts";
import { HERO_STYLE } from "./hero-style.ts";

export interface Entry {
  /** @param collected What the visitor entered in the form. */
  start(collected?: Record<string, string>): void;
  loadForm: LoadForm;
  /** Loads what a start needs, when the visitor comes near. */
  prepare(): void;
  dress: Dress;
}

const PREFIX = "svc-hero-";

/** The hero block in the page itself: a face, a form if configured, and one button. */
export function createHero({ start, loadForm, prepare, dress }: Entry): SvcSDK["hero"] {
  let mounted: HTMLElement | undefined;
  /** Where the style was added: the container may have been moved since. */
  let root: Document | ShadowRoot | undefined;

  function unmount(): void {
    mounted?.remove();
    mounted = undefined;
    if (root !== undefined) removeStyle(root, HERO_STYLE);
    root = undefined;
  }

  function mount(container: HTMLElement, config: SvcHeroConfig = {}): void {
    if (!(container instanceof Element)) {
      return hint("hero.mount takes an element.");
    }
    unmount();
    const words = pageWords();
    const { ctaText = "Start demo now", collectData, width, height } = config;
    const face = drawFace(words.about);
    const stage = element("div", { className: `${PREFIX}stage` }, face);
    if (width! > 0) Object.assign(stage.style, { width: `${width}px` });
    if (height! > 0) {
      Object.assign(stage.style, { height: `${height}px`, flex: "none", minHeight: 0 });
      stage.style.setProperty("--svc-face", "none");
    }
    mounted = element(
      "div",
      { className: `${PREFIX}root`, onpointerenter: prepare },
      stage,
      wayIn({ collectData, ctaText, prefix: PREFIX, loadForm, start }),
    );
    mounted.addEventListener("focusin", prepare, { once: true });
    setColors(mounted, config);
    root = rootOf(container);
    addStyle(root, HERO_STYLE);
    container.append(mounted);
    whenSeen(face, () => void dress(face, () => ({})));
  }

  return { mount, unmount };
}

/** The page, or the shadow root that the container is in. */
function rootOf(container: Element): Document | ShadowRoot {
  const root = container.getRootNode();
  return root instanceof ShadowRoot ? root : document;
}
