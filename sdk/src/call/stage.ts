import type { LiveShown } from "@svc/contract/types";
import type { Frame } from "./frame.ts";
import { element } from "../kit.ts";
import type { StageSlides } from "../stage/index.ts";
import { loadChunk } from "./load-chunk.ts";
import { loadWorded } from "./load-texts.ts";
import type { Texts } from "./call-options.ts";

/** Where slides are shown. */
export interface Stage {
  element: HTMLElement;
  /** Everything that was shown, in its order. */
  seen: readonly LiveShown[];
  show(content: LiveShown, isLarge?: boolean): void;
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
  const stage = element("div", { className: "stage" }, body);
  const seen: LiveShown[] = [];
  let slides: StageSlides | undefined;
  return {
    element: stage,
    seen,
    caption: (text) => {
      heard.textContent = text;
    },
    show(content, isLarge) {
      if (seen.length === 0) onFirst();
      seen.push(content);
      Promise.all([loadChunk("stage"), loadWorded("content", texts)])
        .then(([{ stageSlides }, loaded]) => {
          slides ??= stageSlides(stage, body, frame, texts.strings, loaded);
          slides.show(seen, isLarge);
        })
        .catch(() => {
          body.textContent = texts.strings.content_failed;
        });
    },
  };
}
