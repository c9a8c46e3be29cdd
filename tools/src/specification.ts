/** One thing the specification says. */
export interface Statement {
  /** Number of the section, as in its heading. */
  section: string;
  /** A sentence, or the cells of a table row with ` · ` between them. */
  text: string;
}

/**
 * Every sentence of a paragraph or list item, and every row of a table. Headings, head rows and
 * sentences that only announce what follows (they end with a colon) state nothing by themselves.
 */
export function statementsOf(markdown: string): Statement[] {
  const statements: Statement[] = [];
  let section = "0";
  for (const block of blocksOf(markdown)) {
    const heading = /^#+ ([\d.]*\d)?/.exec(block);
    if (heading) section = heading[1] ?? section;
    else for (const text of textsOf(block)) statements.push({ section, text });
  }
  return statements;
}

function textsOf(block: string): string[] {
  if (block.startsWith("|")) return rowsOf(block);
  const sentences = block.replace(/^(?:- |\d+\. )/, "").split(/(?<=[.!?])\s+(?=[A-Z`])/);
  return sentences.filter((sentence) => !sentence.endsWith(":"));
}

function rowsOf(table: string): string[] {
  const [, , ...rows] = table.split("\n");
  return rows.map((row) => cellsOf(row).filter(Boolean).join(" · "));
}

/** The trimmed cells of a table row. */
export function cellsOf(row: string): string[] {
  return row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Paragraphs, headings, tables and list items; each list item is a block of its own. */
function blocksOf(markdown: string): string[] {
  return markdown
    .split(/\n{2,}|\n(?=- |\d+\. |#)/)
    .map((block) => (block.startsWith("|") ? block : block.replaceAll("\n", " ")).trim())
    .filter(Boolean);
}
