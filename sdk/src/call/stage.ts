import type { LiveShown } from "@svc/contract/types";
import type { Slides } from "../content/index.ts";
import type { Frame } from "./frame.ts";
import { element } from "../kit.ts";
import { loadWorded } from "./load-texts.ts";
import type { Texts } from "./call-options.ts";

/** Where slides are shown. */
export interface Stage {
  element: HTMLElement;
  show(content: LiveShown): void;
  /** What is being said, large under the face. Once something is shown, it is read in the conversation alone. */
  caption(text: string): void;
}

/** @param face stands there until the first slide. */
export function createStage(
  { frame, texts }: { frame: Frame; texts: Texts },
  face: HTMLElement,
  onFirst: () => void,
): Stage {
  const heard = element("p", { className: "heard", "aria-hidden": "true" });
  const body = element("div", { className: "slide" }, face, heard);
  let waiting: LiveShown[] = [];
  let slides: Slides | undefined;
  return {
    element: element("div", { className: "stage" }, body),
    caption: (text) => {
      heard.textContent = text;
    },
    show(content) {
      if (slides === undefined && waiting.length === 0) onFirst();
      waiting.push(content);
      loadWorded("content", texts)
        .then(([{ CONTENT_STYLE, createSlides }, words]) => {
          frame.addStyle(CONTENT_STYLE);
          slides ??= createSlides(body, words.content, texts.strings.content_failed);
          for (const one of waiting) slides.show(one);
          waiting = [];
        })
        .catch(() =>
          body.replaceChildren(element("p", { className: "quiet" }, texts.strings.content_failed)),
        );
    },
  };
}
