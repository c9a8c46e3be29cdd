import type { ContentWords, LiveShown, Slide } from "@svc/contract/types";
import { element } from "../kit.ts";
import { deck, drawSlide } from "./draw-slide.ts";
import { renderMarkdown } from "./markdown.ts";

/** Renders a slide. Its content is text or media and is never executed. Rejects where it cannot be loaded. */
export async function renderContent(
  shown: LiveShown,
  words: Pick<ContentWords, "open_video">,
): Promise<HTMLElement> {
  const { kind, url, slide_url: slideUrl, title } = shown;
  if (slideUrl !== undefined) {
    return drawSlide(JSON.parse(await textOf(slideUrl)) as Slide, title);
  }
  const named = element("h3", {}, title);
  switch (kind) {
    case "image":
      return deck(kind, named, await image(shown));
    case "video":
      return deck(kind, named, video(shown, words));
    case "markdown":
      return prose(await textOf(url), named);
    case "code":
      return deck(kind, named, element("pre", {}, element("code", {}, await textOf(url))));
    case "table": {
      const [head = [], ...rows] = parseCsv(await textOf(url));
      return drawSlide({ kind, head, rows: rows.map((cells) => ({ cells })) }, title);
    }
  }
}

/** A heading at its beginning, of whatever level, is the slide's title. */
function prose(source: string, named: HTMLElement): HTMLElement {
  const [first, ...rest] = renderMarkdown(source);
  const isTitled = first?.tagName === "H3" || first?.tagName === "H4";
  const title = isTitled ? element("h3", {}, ...first.childNodes) : named;
  const text = element("div", { className: "prose" }, !isTitled && first, ...rest);
  return deck("text", title, text);
}

async function textOf(address: string): Promise<string> {
  const response = await fetch(address, { credentials: "omit" });
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}

/** Waits until the image has loaded, so that a broken one is reported instead of shown. */
async function image({ url, title }: LiveShown): Promise<HTMLElement> {
  const picture = element("img", { alt: title });
  const loaded = new Promise((resolve, reject) => {
    picture.addEventListener("load", resolve);
    picture.addEventListener("error", reject);
  });
  picture.src = url;
  await loaded;
  return picture;
}

function video({ url, title }: LiveShown, words: Pick<ContentWords, "open_video">): HTMLElement {
  if (/\.(?:mp4|webm)$|\/files\//.test(new URL(url).pathname)) {
    return element("video", { src: url, controls: true, preload: "metadata", title });
  }
  return element(
    "p",
    {},
    element(
      "a",
      { href: url, target: "_blank", rel: "noopener", className: "button" },
      words.open_video,
    ),
  );
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
