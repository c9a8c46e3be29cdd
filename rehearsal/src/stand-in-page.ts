import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { json, ok, wholeNumber } from "./stand-in.ts";
import type { Routes } from "./stand-in.ts";

/** What differs between the stand-ins' pages, in HTML. */
export interface PageWords {
  title: string;
  intro: string;
  /** The boxes at the top, beside the one for its answers. */
  boxes: string[];
  /** Shown while nothing has come. */
  nothing: string;
}

/**
 * The page of the stand-in whose `page.js` is in this folder, and where it has one `page.html`, whose
 * markup stands between the switches and what came. The script is given what `viewOf` tells of the
 * newest so many things that came.
 */
export function pageRoutes(
  folder: string,
  words: PageWords,
  viewOf: (newest: number) => object,
): Routes {
  const name = basename(folder);
  // Files stand at the paths that they have here, so that one script finds the other.
  const file = (type: string, path: string): Routes => ({
    [`GET /${path}`]: () => ok(type, read(path)),
  });
  return {
    "GET /": () => ({
      ...ok("text/html", render(name, words)),
      // It shows what strangers sent. Nothing of it may run or reach out, escaped or not.
      policy:
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'",
    }),
    "GET /rehearsal/view": ({ query }) => json(viewOf(wholeNumber(query, "most", 50))),
    ...file("text/javascript", `${name}/page.js`),
    ...file("text/javascript", "page/stand-in.js"),
    ...file("text/css", "page/stand-in.css"),
  };
}

function render(name: string, { boxes, ...words }: PageWords): string {
  const own = `${name}/page.html`;
  const filling: Record<string, string> = {
    ...words,
    name,
    boxes: [...boxes, "Answers"].map(box).join("\n"),
    more: existsSync(join(import.meta.dirname, own)) ? read(own) : "",
  };
  return read("page/stand-in.html").replaceAll(
    /\{\{(\w+)\}\}/g,
    (_, key: string) => filling[key] ?? "",
  );
}

function box(title: string): string {
  const id = `${title.toLowerCase()}-part`;
  return `<div id="${id}"><dt>${title}</dt><dd><strong></strong><p class="quiet"></p></dd></div>`;
}

function read(path: string): string {
  return readFileSync(join(import.meta.dirname, path), "utf8");
}
