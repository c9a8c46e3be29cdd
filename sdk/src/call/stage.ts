import type { LiveShown } from "@svc/contract/types";
import type { Frame } from "./frame.ts";
import { element } from "../kit.ts";
import type { Shows, StageNews } from "../stage/index.ts";
import type { Outgoing } from "./live-connection.ts";
import { loadChunk } from "./load-chunk.ts";
import { loadWorded } from "./load-texts.ts";
import type { Texts } from "./call-options.ts";

/** Where slides are shown. */
export interface Stage {
  element: HTMLElement;
  /** Every slide that was shown, in its order. */
  seen: readonly LiveShown[];
  /** Something to look at, or for the page that the call is on. */
  take(news: StageNews, isLarge?: boolean): void;
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
    take(news, isLarge) {
      if (news.content) seen.push(news.content);
      loadChunk("stage")
        .then(({ createShows }) => {
          shows ??= createShows(options, stage, seen, send, () => loadWorded("content", texts));
          return shows.take(news, isLarge);
        })
        .catch(
          // A page that cannot be told of actions does none.
          () => news.content && body.replaceChildren(face, heard, texts.strings.content_failed),
        );
    },
  };
}
