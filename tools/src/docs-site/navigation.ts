import { dirname, join } from "node:path/posix";

/** Pages that belong together, as the first page lists them. */
export interface Part {
  name: string;
  pages: { name: string; document: string }[];
}

/**
 * From the tables of the first page: who a part is for, and links to its pages; or a date, and a
 * decision. So there is no second list to keep.
 *
 * @param index its path, from the repository's root
 */
export function navigationOf(index: string, markdown: string): Part[] {
  const rows = [...markdown.matchAll(/^\| ([^|]+) \| (.*\]\(.*) \|$/gm)];
  const parts = rows.map(([, name = "", cell = ""]) => ({
    name: /^\d/.test(name) ? DECISIONS : capital(name),
    pages: [...cell.matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g)].map(([, text = "", path = ""]) => ({
      name: capital(text),
      document: join(dirname(index), path),
    })),
  }));
  const decisions = parts.filter(({ name }) => name === DECISIONS);
  return [
    ...parts.filter(({ name }) => name !== DECISIONS),
    { name: DECISIONS, pages: decisions.flatMap(({ pages }) => pages) },
  ].filter(({ pages }) => pages.length > 0);
}

const DECISIONS = "Decisions";

/** But for the name of a file. */
function capital(text: string): string {
  return /^\w+\./.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
