import type { ContentWords, LiveShown } from "@svc/contract/types";
import { element, iconButton } from "../kit.ts";
import { renderContent } from "./render-content.ts";

/** Shows one slide at a time. The visitor can page back to previous ones. */
export interface Slides {
  show(content: LiveShown): void;
}

/** Paths in a 20 by 20 box. */
const PREVIOUS = "M12 4l-6 6 6 6";
const NEXT = "M8 4l6 6-6 6";

/**
 * @param body Each slide replaces its content.
 * @param failed What to show for a slide that cannot be loaded.
 * @param onStep The visitor went to this step of a tour.
 */
export function createSlides(
  body: HTMLElement,
  words: ContentWords,
  failed: string,
  onStep: (id: string, at: number) => void,
): Slides {
  const shown: LiveShown[] = [];
  let at = -1;
  const count = element("span", { className: "quiet" });
  const previous = iconButton(words.previous, PREVIOUS, () => turn(-1));
  const next = iconButton(words.next, NEXT, () => turn(1));
  const pager = element("nav", { hidden: true }, previous, count, next);
  body.after(pager);
  // A slide that is higher than the stage fades out at its lower edge, and keys can scroll it.
  const end = element("i");
  new IntersectionObserver(
    ([{ isIntersecting } = { isIntersecting: true }]) => {
      body.classList.toggle("more", !isIntersecting);
      body.tabIndex = isIntersecting && body.scrollTop === 0 ? -1 : 0;
    },
    { root: body },
  ).observe(end);

  function draw(index: number): void {
    at = index;
    const content = shown[index]!;
    const { at: step = 1, of: steps = 1 } = content.step ?? {};
    count.textContent = steps > 1 ? `${step} / ${steps}` : `${index + 1} / ${shown.length}`;
    pager.hidden = shown.length < 2 && steps < 2;
    previous.disabled = index === 0 && step === 1;
    next.disabled = index === shown.length - 1 && step === steps;
    void renderContent(content, words, isDark(body), () => turn(1))
      .catch(() => element("p", { className: "quiet" }, failed))
      .then((drawn) => {
        // Another slide or step may have come while this one was loading.
        if (shown[at] !== content) return;
        body.replaceChildren(drawn, end);
        body.scrollTop = 0;
      });
  }

  /** To the next or the previous step of a tour, and beyond its ends to another slide. */
  function turn(by: 1 | -1): void {
    const { id, step, ...content } = shown[at]!;
    const to = (step?.at ?? 0) + by;
    if (!step || to < 1 || to > step.of) return draw(at + by);
    shown[at] = { ...content, id, step: { ...step, at: to } };
    draw(at);
    onStep(id, to);
  }

  return {
    show(content) {
      const known = shown.findIndex(({ id }) => id === content.id);
      const place = known === -1 ? shown.length : known;
      const { step, slide_url: url } = shown[place] ?? {};
      // What the visitor chose comes back from the server: it is drawn already.
      const isDrawn = step && place === at && url === content.slide_url;
      if (isDrawn && step.at === content.step?.at) return;
      // The same slide comes again in another language.
      shown[place] = content;
      draw(place);
    },
  };
}

/** Whether its letters are light, whatever has decided so: the visitor's system, or the agent's theme. */
function isDark(place: HTMLElement): boolean {
  const [red = 0, green = 0, blue = 0] =
    getComputedStyle(place)
      .color.match(/[\d.]+/g)
      ?.map(Number) ?? [];
  return red + green + blue > 384;
}
