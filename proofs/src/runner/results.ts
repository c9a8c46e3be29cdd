import { readFile, writeFile } from "node:fs/promises";

/** The newest `--full` result of each proof: a row of proofs/RESULTS.md, and of the README's table. */
export interface Result {
  proof: string;
  promise: string;
  figure: string;
  bound: string;
  verdict: string;
  size: string;
  took: string;
  date: string;
  commit: string;
  machine: string;
}

const columns: (keyof Result)[] = [
  "proof",
  "promise",
  "figure",
  "bound",
  "verdict",
  "size",
  "took",
  "date",
  "commit",
  "machine",
];

const heading = `# Results of the proofs

The newest full run of each proof: \`npm run prove -- --full\` writes its row here, and the README's table is made from them.
`;

const START = "<!-- proofs:start -->";
const END = "<!-- proofs:end -->";

const files = {
  results: new URL("../../RESULTS.md", import.meta.url),
  readme: new URL("../../../README.md", import.meta.url),
};

/** Keeps a result in RESULTS.md and shows it in the README. */
export async function recordResult(result: Result): Promise<void> {
  const kept = parseResults(await readIfThere(files.results));
  const others = kept.filter((other) => other.proof !== result.proof);
  await writeFile(files.results, renderResults([...others, result]));
  await writeReadme();
}

/** Whether the README shows what RESULTS.md holds. */
export async function readmeIsInStep(): Promise<boolean> {
  const readme = await readIfThere(files.readme);
  return showsResults(readme, parseResults(await readIfThere(files.results)));
}

export async function writeReadme(): Promise<void> {
  const readme = await readIfThere(files.readme);
  const wanted = readmeWith(readme, parseResults(await readIfThere(files.results)));
  if (wanted !== readme) await writeFile(files.readme, wanted);
}

export function renderResults(results: Result[]): string {
  const rows = results
    .toSorted((a, b) => a.proof.localeCompare(b.proof, "en"))
    .map((result) => row(columns.map((column) => result[column])));
  return `${heading}\n${table(columns, rows)}`;
}

export function parseResults(markdown: string): Result[] {
  const [, , ...rows] = markdown.split("\n").filter((line) => line.startsWith("|"));
  return rows.map((line) => {
    const cells = line.split(/(?<!\\)\|/).slice(1, -1);
    const read = (column: keyof Result): string =>
      (cells[columns.indexOf(column)] ?? "").trim().replaceAll(String.raw`\|`, "|");
    return Object.fromEntries(columns.map((column) => [column, read(column)])) as unknown as Result;
  });
}

/** A README that lost its markers shows nothing, however little `readmeWith` would change it. */
export function showsResults(readme: string, results: Result[]): boolean {
  if (results.length > 0 && !readme.includes(START)) return false;
  return readme === readmeWith(readme, results);
}

export function readmeWith(readme: string, results: Result[]): string {
  const from = readme.indexOf(START);
  const to = readme.indexOf(END);
  if (from === -1 || to < from) return readme;
  const rows = results.map((one) => {
    const shown = one.verdict === "ok" ? one.figure : `${one.figure}: **short**`;
    return row([one.promise, shown, one.bound, `[${one.proof}](proofs/src/${one.proof}.ts)`]);
  });
  const shown = table(["promise", "measured", "bound", "proof"], rows);
  return `${readme.slice(0, from + START.length)}\n${shown}${readme.slice(to)}`;
}

function table(head: string[], rows: string[]): string {
  return `${row(head)}${row(head.map(() => "---"))}${rows.join("")}`;
}

function row(cells: string[]): string {
  const safe = cells.map((cell) => cell.replaceAll(/\s+/g, " ").replaceAll("|", String.raw`\|`));
  return `| ${safe.join(" | ")} |\n`;
}

async function readIfThere(file: URL): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
