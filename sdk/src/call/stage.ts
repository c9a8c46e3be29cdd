import type { LiveShown } from "@svc/contract/types";
import type { Strings } from "../strings/strings.ts";
import { element, iconButton } from "../core/element.ts";
import { loadChunk } from "./load-chunk.ts";
import { ICONS } from "./icons.ts";

/** Where slides and cards are shown. What was shown before can be paged back to. */
export interface Stage {
  element: HTMLElement;
  show(content: LiveShown): void;
}

/** @param face stands there until the first of them. */
export function createStage(strings: Strings, face: HTMLElement, onFirst: () => void): Stage {
  const shown: LiveShown[] = [];
  let at = -1;
  const title = element("h3");
  const body = element("div", { className: "slide" }, face);
  const count = element("span", { className: "quiet" });
  const previous = iconButton(strings.previous, ICONS.previous, () => draw(at - 1));
  const next = iconButton(strings.next, ICONS.next, () => draw(at + 1));
  const pager = element("nav", { hidden: true }, previous, count, next);

  function draw(index: number): void {
    at = index;
    const content = shown[index]!;
    title.textContent = content.title;
    count.textContent = `${index + 1} / ${shown.length}`;
    pager.hidden = shown.length < 2;
    previous.disabled = index === 0;
    next.disabled = index === shown.length - 1;
    void loadChunk("content")
      .then(({ renderContent }) => renderContent(content, strings))
      .catch(() => element("p", { className: "quiet" }, strings.contentFailed))
      .then((drawn) => {
        // Another slide may have come while this one was loading.
        if (at === index) body.replaceChildren(drawn);
      });
  }

  return {
    element: element("div", { className: "stage" }, title, body, pager),
    show(content) {
      if (shown.length === 0) onFirst();
      const known = shown.findIndex(({ id }) => id === content.id);
      if (known === -1) shown.push(content);
      draw(known === -1 ? shown.length - 1 : known);
    },
  };
}
