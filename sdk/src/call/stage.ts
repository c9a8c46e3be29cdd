import type { LiveShown } from "@svc/contract/types";
import type { Frame } from "./frame.ts";
import { element } from "../kit.ts";
import type { Shows } from "../stage/index.ts";
import type { Outgoing } from "./live-connection.ts";
import { loadChunk } from "./load-chunk.ts";
import { loadWorded } from "./load-texts.ts";
import type { Texts } from "./call-options.ts";

/** Where slides are shown. */
export interface Stage {
  element: HTMLElement;
  /** Every slide that was shown, in its order. */
  seen: readonly LiveShown[];
  show(content: LiveShown, isLarge?: boolean): void;
  /** What is being said, large under the face. Once something is shown, it is read in the conversation alone. */
  caption(text: string): void;
}

/** @param face stands there until the first slide. */
export function createStage(
  options: { frame: Frame; texts: Texts },
  face: HTMLElement,
  send: (message: Outgoing) => void,
): Stage {
  const { texts } = options;
  const heard = element("p", { className: "heard", "aria-hidden": "true" });
  const body = element("div", { className: "slide" }, face, heard);
  const stage = element("div", { className: "stage" }, body);
  const seen: LiveShown[] = [];
  let shows: Shows | undefined;
  return {
    element: stage,
    seen,
    caption: (text) => {
      heard.textContent = text;
    },
    show(content, isLarge) {
      seen.push(content);
      loadChunk("stage")
        .then(({ createShows }) => {
          shows ??= createShows(options, stage, seen, send, () => loadWorded("content", texts));
          return shows.show(content, isLarge);
        })
        .catch(() => body.replaceChildren(face, heard, texts.strings.content_failed));
    },
  };
}
