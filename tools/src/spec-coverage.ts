import type { DriftCheck } from "./drift-check.ts";
import { repository } from "./repository.ts";
import type { Repository } from "./repository.ts";

const PARTS = [
  "contract",
  "export",
  "sessions",
  "live",
  "evaluation",
  "webhooks",
  "sdk",
  "widget",
  "hero",
  "followup",
  "operator",
  "none",
];

const specificationPath = "docs/reference/specification.md";
const tablePath = "docs/reference/spec-coverage.md";

export const specCoverageCheck: DriftCheck = specCoverage(repository);

/** Every statement of the specification has one row in the table, and the row the tests that hold it. */
export function specCoverage(files: Repository): DriftCheck {
  const statements = () => statementsOf(files.read(specificationPath) ?? "");
  const table = () => files.read(tablePath) ?? "";
  return {
    name: "spec-coverage",
    summary: () => summaryOf(rowsOf(table())),
    problems: () => {
      const rows = rowsOf(table());
      if (statements().length === 0) return [`${specificationPath} states nothing. Bring it back.`];
      return [
        ...missingOrStale(statements(), rows),
        ...rows.flatMap((row) => faultsOf(row, files)),
      ];
    },
    write: () => files.write(tablePath, withMissingRows(table(), statements())),
  };
}

interface Row extends Statement {
  part: string;
  /** `path › test title` or a claim's name, several with `<br>` between them. */
  heldBy: string;
}

function rowsOf(table: string): Row[] {
  const lines = table.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) => {
    const [section = "", text = "", part = "", ...heldBy] = cellsOf(line);
    return { section, text, part, heldBy: heldBy.join("|") };
  });
}

function missingOrStale(statements: Statement[], rows: Row[]): string[] {
  const stated = new Set(statements.map(keyOf));
  const held = rows.map(keyOf);
  return [
    ...statements
      .filter((statement) => !held.includes(keyOf(statement)))
      .map((one) => `${quote(one)} has no row. Run \`npm run generate\`, then fill it in.`),
    ...rows
      .filter((row) => !stated.has(keyOf(row)))
      .map(
        (row) =>
          `${quote(row)} is not in ${specificationPath}. Move what holds it to the statement's new wording, or remove the row.`,
      ),
    ...rows
      .filter((row, index) => held.indexOf(keyOf(row)) !== index)
      .map((row) => `${quote(row)} has a second row. Keep one.`),
  ];
}

function faultsOf(row: Row, files: Repository): string[] {
  const name = quote(row);
  if (!PARTS.includes(row.part)) {
    return [`${name} has the part "${row.part}". Choose one of ${PARTS.join(", ")}.`];
  }
  if (row.part === "none") {
    return /^(?:promises nothing$|decided: .)/.test(row.heldBy)
      ? []
      : [`${name} belongs to no part. Write "promises nothing", or "decided: " and where.`];
  }
  if (row.heldBy === "") return [`${name} belongs to ${row.part}, but no test holds it. Name one.`];
  const isShape = row.heldBy.startsWith(SHAPE);
  const tests = row.heldBy
    .slice(isShape ? SHAPE.length : 0)
    .split("<br>")
    .map((test) => test.trim());
  const faults = tests.map((test) => faultOf(test, files)).filter((fault) => fault !== undefined);
  if (!isShape && tests.every((test) => SHAPE_TEST.test(test))) {
    faults.push(
      `only the contract's shape holds it. Name a test that sees the product do it, or begin with "${SHAPE}" where the statement is of a shape alone.`,
    );
  }
  return faults.map((fault) => `${name}: ${fault}`);
}

/** Marks a row whose statement says what a value looks like, and nothing of what the product does. */
const SHAPE = "shape:";
/** Tests of schemas, fixtures and the OpenAPI document pass whatever the product does. */
const SHAPE_TEST = /^(?:contract|tools)\//;

/** A claim has a name of its own; a test file holds many tests, so it needs the title. */
function faultOf(test: string, files: Repository): string | undefined {
  const [path = "", title] = test.split(" › ");
  if (!path.includes("/")) {
    return isClaim(path, files)
      ? undefined
      : `no proof claims ${path}. Name the claim as it is called now.`;
  }
  const source = files.read(path);
  if (source === undefined) return `there is no file ${path}. Name the test where it is now.`;
  if (title === undefined) return `${path} needs " › " and a test's title.`;
  const call = new RegExp(`${CALL}\\(\\s*["'\`]${escape(title)}["'\`]`).exec(source);
  if (call === null) return `${path} has no test "${title}". Name the test as it is called now.`;
  if (/^\w+\.(?:skip|todo)/.test(call[0]))
    return `the test "${title}" in ${path} is skipped. Let it run.`;
  return undefined;
}

/** CLAIMS.md lists every claim in its first column; another check keeps it in step with the proofs. */
function isClaim(name: string, files: Repository): boolean {
  return files.read("proofs/CLAIMS.md")?.includes(`\n| ${name} |`) ?? false;
}

/** `it`, `databaseTest`, `test.skip` and the like, or the end of `it.each(…)`. */
const CALL = String.raw`(?:\b(?:it|test|databaseTest)(?:\.\w+)*|\))`;

/** Each missing statement gets a row after that of the statement before it. */
function withMissingRows(table: string, statements: Statement[]): string {
  const lines = table.trimEnd().split("\n");
  let last = lines.findLastIndex((line) => line.startsWith("|---"));
  for (const statement of statements) {
    const found = lines.findIndex((line) => {
      const [section = "", text = ""] = line.startsWith("|") ? cellsOf(line) : [];
      return keyOf({ section, text }) === keyOf(statement);
    });
    if (found === -1) lines.splice(last + 1, 0, `| ${statement.section} | ${statement.text} | | |`);
    last = found === -1 ? last + 1 : found;
  }
  return `${lines.join("\n")}\n`;
}

function summaryOf(rows: Row[]): string {
  const nothing = rows.filter((row) => row.part === "none").length;
  return `${rows.length} statements: ${rows.length - nothing} held by tests; ${nothing} that promise nothing or are decided elsewhere`;
}

function keyOf({ section, text }: Statement): string {
  return `§${section} ${text}`;
}

function quote({ section, text }: Statement): string {
  return `§${section} "${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
}

function escape(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

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
  if (block.startsWith("|")) return tableRowsOf(block);
  const sentences = block.replace(/^(?:- |\d+\. )/, "").split(/(?<=[.!?])\s+(?=[A-Z`])/);
  return sentences.filter((sentence) => !sentence.endsWith(":"));
}

function tableRowsOf(table: string): string[] {
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
