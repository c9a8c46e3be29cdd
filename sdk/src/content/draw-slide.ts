import type {
  ComparisonSlide,
  NumberSlide,
  QuoteSlide,
  Slide,
  StepsSlide,
  TableSlide,
} from "@svc/contract/types";
import { element, icon } from "../kit.ts";
import { code, screenshot, video } from "./draw-media.ts";
import type { SlidePlace } from "./draw-media.ts";
import { renderInline } from "./markdown.ts";

/** Rejects where a picture cannot be loaded. */
export async function drawSlide(slide: Slide, place: SlidePlace): Promise<HTMLElement> {
  const { lead, note } = slide;
  const drawn = deck(
    slide.kind,
    heading(slide, place.name),
    lead !== undefined && element("p", { className: "lead" }, ...renderInline(lead)),
    ...(await body(slide, place)),
    note !== undefined && element("p", { className: "note" }, ...renderInline(note)),
  );
  if (slide.kind === "screenshot") {
    const { width = 16, height = 10 } = slide.image;
    drawn.style.setProperty("--ratio", String(width / height));
  }
  return drawn;
}

/** Every slide is one: it knows its own width, whatever the page's is. */
export function deck(kind: string, ...parts: (Node | false)[]): HTMLElement {
  return element("div", { className: `deck ${kind}` }, element("div", {}, ...parts));
}

function heading(slide: Slide, name: string): HTMLElement {
  if (slide.kind === "number") {
    const { figure, unit } = slide;
    const drawn = element("h3", {}, figure, unit !== undefined && element("small", {}, ` ${unit}`));
    // A longer figure is drawn smaller, so that it stands in one line. A long unit goes on below.
    const beside = unit !== undefined && unit.length <= 5 ? 0.4 * (unit.length + 1) : 0;
    drawn.style.setProperty("--letters", String(figure.length + beside));
    return drawn;
  }
  const isSeen = slide.kind !== "quote";
  return element("h3", isSeen ? {} : { className: "hidden" }, ...renderInline(slide.title ?? name));
}

async function body(slide: Slide, place: SlidePlace): Promise<(Node | false)[]> {
  switch (slide.kind) {
    case "title":
      return [];
    case "number":
      return [bars(slide)];
    case "quote":
      return [quote(slide)];
    case "steps":
      return [steps(slide)];
    case "comparison":
      return [comparison(slide)];
    case "table":
      return [table(slide)];
    case "code":
      return [code(slide, place.words)];
    case "screenshot":
      return [await screenshot(slide, place)];
    case "video":
      return video(slide, place, place.words);
  }
}

function bars({ bars: given = [] }: NumberSlide): HTMLElement {
  const rows = given.map(({ label, value, share }) => {
    const bar = element("i");
    bar.style.setProperty("--share", String(share));
    return element(
      "p",
      { className: "bar" },
      element("span", {}, label),
      element("span", {}, bar),
      element("b", {}, value),
    );
  });
  return element("div", { className: "bars" }, ...rows);
}

function quote({ quote: text, name, role }: QuoteSlide): HTMLElement {
  const initials = name?.match(/(?<!\S)\p{L}/gu)?.slice(0, 2);
  return element(
    "figure",
    {},
    element("blockquote", {}, ...renderInline(text)),
    name !== undefined &&
      element(
        "figcaption",
        {},
        element("span", { className: "initials", "aria-hidden": "true" }, initials?.join("")),
        element(
          "span",
          {},
          element("b", {}, name),
          role !== undefined && element("span", {}, role),
        ),
      ),
  );
}

function steps({ steps: given }: StepsSlide): HTMLElement {
  return element(
    "ol",
    {},
    ...given.map(({ title, text }, index) =>
      element(
        "li",
        {},
        element("span", { className: "dot", "aria-hidden": "true" }, String(index + 1)),
        element(
          "div",
          {},
          element("h4", {}, ...renderInline(title)),
          text !== undefined && element("p", {}, ...renderInline(text)),
        ),
      ),
    ),
  );
}

/** Paths in a 20 by 20 box. */
const CROSS = "M6 6l8 8m0-8l-8 8";
const TICK = "M4 10.5l4 4 8-9";

function comparison({ sides }: ComparisonSlide): HTMLElement {
  return element(
    "div",
    { className: "sides" },
    ...sides.map(({ title, points }, index) =>
      element(
        "section",
        {},
        element("h4", {}, ...renderInline(title)),
        element(
          "ul",
          {},
          ...points.map((point) =>
            element(
              "li",
              {},
              icon(index === sides.length - 1 ? TICK : CROSS),
              element("span", {}, ...renderInline(point)),
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * On a narrow stage every row is a card of its own, and each cell says its column. The roles are named, because a
 * table that is laid out otherwise has none for screen readers.
 */
function table({ head, rows, figures = [] }: TableSlide): HTMLElement {
  const classOf = (index: number): string => (figures.includes(index) ? "figure" : "");
  return element(
    "table",
    { role: "table" },
    element(
      "thead",
      { role: "rowgroup" },
      element(
        "tr",
        { role: "row" },
        ...head.map((cell, index) =>
          element(
            "th",
            { role: "columnheader", scope: "col", className: classOf(index) },
            ...renderInline(cell),
          ),
        ),
      ),
    ),
    element(
      "tbody",
      { role: "rowgroup" },
      ...rows.map(({ cells, isMarked }) =>
        element(
          "tr",
          { role: "row", className: isMarked === true ? "marked" : "" },
          ...cells.map((cell, index) =>
            element(
              "td",
              { role: "cell", className: classOf(index) },
              index > 0 &&
                element("span", { className: "label", "aria-hidden": "true" }, head[index]),
              element("span", {}, ...renderInline(cell)),
            ),
          ),
        ),
      ),
    ),
  );
}
