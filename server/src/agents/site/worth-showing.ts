import { ordersAssistants } from "./orders-to-assistants.ts";
import type { SitePage } from "./site-state.ts";
import { safeName } from "./site-urls.ts";

/** A slide that a page's table makes. */
export interface FoundSlide {
  id: string;
  title: string;
  file: string;
  csv: string;
}

/** A part of a page that the agent can put a light around. */
export interface FoundPlace {
  id: string;
  path: string;
  selector: string;
  caption: string;
}

const MAX = { slides: 6, places: 8, columns: 6, rows: 12 };
/** What visitors ask about before they buy. */
const TELLING =
  /pric|plan|feature|compar|how|demo|contact|preis|tarif|funktion|fonction|precio|function/i;

/** Tables that fit a slide, those of prices and features first. Slides and places share their ids, which are `taken`. */
export function findSlides(pages: SitePage[], taken: Set<string>): FoundSlide[] {
  return pages
    .flatMap(({ tables }) => tables)
    .filter(({ title, rows }) => {
      const size = rows[0]!.length;
      const isSmall = size <= MAX.columns && rows.length <= MAX.rows;
      return isSmall && ![title, ...rows.flat()].some(ordersAssistants);
    })
    .toSorted((a, b) => Number(TELLING.test(b.title)) - Number(TELLING.test(a.title)))
    .slice(0, MAX.slides)
    .map(({ title, rows }) => {
      const id = freeId(title, taken);
      const csv = `${rows.map((row) => row.map(csvCell).join(",")).join("\n")}\n`;
      return { id, title, file: `content/${id.replaceAll("_", "-")}.csv`, csv };
    });
}

/** Sections that have an id, on pages near the start. */
export function findPlaces(pages: SitePage[], taken: Set<string>): FoundPlace[] {
  const captions = new Set<string>();
  return pages
    .filter(({ url, depth }) => /^https?:/.test(url) && depth <= 1)
    .flatMap(({ url, places }) => places.map((place) => ({ url, ...place })))
    .filter(({ caption }) => !ordersAssistants(caption))
    .toSorted((a, b) => Number(TELLING.test(b.caption)) - Number(TELLING.test(a.caption)))
    .filter(({ caption }) => !captions.has(caption) && captions.add(caption))
    .slice(0, MAX.places)
    .map(({ url, selector, caption }) => ({
      id: freeId(caption, taken),
      path: new URL(url).pathname,
      selector,
      caption,
    }));
}

/** A key as agent.yaml has them: small letters, digits and `_`, a letter first. */
export function freeId(text: string, taken: Set<string>): string {
  const base = safeName(text)
    .replaceAll("-", "_")
    .replace(/^(?![a-z])/, "part_")
    .slice(0, 36)
    .replace(/_$/, "");
  let id = base;
  for (let count = 2; taken.has(id); count++) id = `${base}_${count}`;
  taken.add(id);
  return id;
}

function csvCell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
