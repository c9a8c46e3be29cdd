import { copy } from "./copy.js";
import { element } from "./element.js";
import { highlight } from "./highlight.js";

/** One block for each place that code goes to. Where there is nothing to say there is no block. */
export function drawCode(place, blocks) {
  place.replaceChildren(
    ...blocks
      .filter(([, code]) => code !== "")
      .map(([title, code]) =>
        element(
          "figure",
          {},
          element("figcaption", {}, title, copyButton(title, code)),
          element("pre", { tabIndex: 0 }, highlight(code)),
        ),
      ),
  );
}

function copyButton(title, code) {
  return element(
    "button",
    {
      type: "button",
      className: "quiet",
      "aria-label": `Copy: ${title}`,
      onclick: ({ currentTarget }) => void copy(currentTarget, code),
    },
    "Copy",
  );
}
