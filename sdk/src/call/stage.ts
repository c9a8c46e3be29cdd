import type { LiveShown } from "@svc/contract/types";
import type { Slides } from "../content/index.ts";
import type { Strings } from "../strings/strings.ts";
import type { Frame } from "./frame.ts";
import { element } from "../kit.ts";
import { loadChunk } from "./load-chunk.ts";

/** Where slides are shown. */
export interface Stage {
  element: HTMLElement;
  show(content: LiveShown): void;
}

/** @param face stands there until the first slide. */
export function createStage(
  { frame, language, strings }: { frame: Frame; language: string; strings: Strings },
  face: HTMLElement,
  onFirst: () => void,
): Stage {
  const body = element("div", { className: "slide" }, face);
  let waiting: LiveShown[] = [];
  let slides: Slides | undefined;
  return {
    element: element("div", { className: "stage" }, body),
    show(content) {
      if (slides === undefined && waiting.length === 0) onFirst();
      waiting.push(content);
      loadChunk("content")
        .then(({ CONTENT_STYLE, createSlides }) => {
          frame.addStyle(CONTENT_STYLE);
          slides ??= createSlides(body, language, strings.contentFailed);
          for (const one of waiting) slides.show(one);
          waiting = [];
        })
        .catch(() =>
          body.replaceChildren(element("p", { className: "quiet" }, strings.contentFailed)),
        );
    },
  };
}
