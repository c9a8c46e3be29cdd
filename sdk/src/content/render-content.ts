import type { ContentWords, LiveShown, Slide, Tour } from "@svc/contract/types";
import { element } from "../kit.ts";
import { deck, drawSlide } from "./draw-slide.ts";
import { renderMarkdown } from "./markdown.ts";

/** Renders a slide. Its content is text or media and is never executed. Rejects where it cannot be loaded. */
export async function renderContent(
  { kind, url, slide_url: slideUrl, title, step }: LiveShown,
  words: ContentWords,
  isDark: boolean,
  onNext: () => void,
): Promise<HTMLElement> {
  const addressOf = (file: string): string => new URL(file, slideUrl ?? url).href;
  const draw = (slide: Slide): Promise<HTMLElement> =>
    drawSlide(slide, { name: title, addressOf, isDark, words, onNext });
  if (slideUrl !== undefined) {
    const read: unknown = JSON.parse(await textOf(slideUrl));
    if (!step) return draw(read as Slide);
    const { steps } = read as Tour;
    const drawn = await draw(steps[step.at - 1]!);
    // The next picture is there when it is asked for.
    const { image, dark } = steps[step.at] ?? {};
    const ahead = (isDark && dark) || image;
    if (ahead) element("img", { src: addressOf(ahead.file) });
    return drawn;
  }
  switch (kind) {
    case "image":
      return draw({ kind: "screenshot", image: { file: url } });
    case "video":
      return draw({ kind, video: url });
    case "markdown":
      return prose(await textOf(url), title);
    case "code":
      return draw({ kind, lines: (await textOf(url)).split("\n").map((line) => [[line]]) });
    case "table": {
      const [head = [], ...rows] = parseCsv(await textOf(url));
      return draw({ kind, head, rows: rows.map((cells) => ({ cells })) });
    }
    default:
      throw new Error(kind);
  }
}

/** A heading at its beginning, of whatever level, is the slide's title. */
function prose(source: string, name: string): HTMLElement {
  const [first, ...rest] = renderMarkdown(source);
  const isTitled = first?.tagName === "H3" || first?.tagName === "H4";
  const title = isTitled ? element("h3", {}, ...first.childNodes) : element("h3", {}, name);
  const text = element("div", { className: "prose" }, !isTitled && first, ...rest);
  return deck("text", title, text);
}

async function textOf(address: string): Promise<string> {
  const response = await fetch(address, { credentials: "omit" });
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}

/** Parses rows of cells, with quotes, line breaks in cells, and either line ending. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/gy;
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    const [, quoted, plain, end] = match;
    row.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
    if (end === "" || cell.lastIndex >= text.length) break;
  }
  return rows;
}
