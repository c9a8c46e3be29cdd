import type { ContentWords, LiveShown } from "@svc/contract/types";
import { element } from "../kit.ts";
import { renderMarkdown } from "./markdown.ts";

/** Renders a slide. Its content is text or media and is never executed. Rejects where it cannot be loaded. */
export async function renderContent(
  shown: LiveShown,
  words: Pick<ContentWords, "open_video">,
): Promise<HTMLElement> {
  switch (shown.kind) {
    case "image":
      return image(shown);
    case "video":
      return video(shown, words);
    case "markdown":
      return prose(await textOf(shown.url), shown.title);
    case "code":
      return element("pre", { tabIndex: 0 }, element("code", {}, await textOf(shown.url)));
    case "table":
      return table(parseCsv(await textOf(shown.url)));
  }
}

/** Leaves out a first heading that repeats the slide's title, which is shown above. */
function prose(source: string, title: string): HTMLElement {
  const [first, ...rest] = renderMarkdown(source);
  const isTitle = first?.tagName === "H3" && first.textContent === title;
  return element("div", { className: "prose" }, !isTitle && first, ...rest);
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

function table([head = [], ...rows]: string[][]): HTMLElement {
  return element(
    "div",
    { className: "table", tabIndex: 0 },
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element("tr", {}, ...head.map((cell) => element("th", { scope: "col" }, cell))),
      ),
      element(
        "tbody",
        {},
        ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell)))),
      ),
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
