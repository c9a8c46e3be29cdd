import { readFile, writeFile } from "node:fs/promises";
import { heldByTests } from "./claims.ts";
import type { NamedClaim } from "./claims.ts";
import type { Report } from "./run-proof.ts";
import { commit, machine, markdownTable, parseMarkdownTable, seconds } from "./table.ts";

/** The promises that a user cares about most: the README shows these and links the rest. */
export const HEADLINES: string[] = [
  "from-click-to-webhook",
  "whole-talk-by-voice",
  "silence-when-cut",
  "export-loses-nothing",
  "deliveries-survive-kills",
  "evidence-is-real",
  "host-page-stays-whole",
  "everyone-can-call",
  "gone-means-gone",
  "talking-in-twenty",
];

/** One measured claim: a row of proofs/RESULTS.md. */
export interface Result {
  claim: string;
  figure: string;
  bound: string;
  verdict: string;
  size: string;
  took: string;
  date: string;
  commit: string;
  machine: string;
}

const COLUMNS: (keyof Result)[] = [
  "claim",
  "figure",
  "bound",
  "verdict",
  "size",
  "took",
  "date",
  "commit",
  "machine",
];

export interface Results {
  /** The newest run of each claim by `.ci/nightly`, at its usual size. */
  nightly: Result[];
  /** The newest run of each claim with `--full`. */
  full: Result[];
}

const HEADINGS: Record<keyof Results, string> = {
  nightly: "## Nightly: the newest run of each claim at its usual size",
  full: "## Full: the newest run of each claim at its real size",
};

const START = "<!-- proofs:start -->";
const END = "<!-- proofs:end -->";
const RESULTS_FILE = new URL("../../RESULTS.md", import.meta.url);
const CLAIMS_FILE = new URL("../../CLAIMS.md", import.meta.url);
const README_FILE = new URL("../../../README.md", import.meta.url);

export function resultOf({ name, figure, bound, verdict, tookMs, outcome }: Report): Result {
  return {
    claim: name,
    figure,
    bound,
    verdict,
    size: outcome.size ?? "",
    took: seconds(tookMs),
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    machine: machine(outcome.engines),
  };
}

/** Keeps results in RESULTS.md and shows them in the README. */
export async function record(
  kind: keyof Results,
  fresh: Result[],
  claims: NamedClaim[],
): Promise<void> {
  const kept = parseResults(await readFile(RESULTS_FILE, "utf8"));
  const names = new Set(fresh.map(({ claim }) => claim));
  const others = kept[kind].filter(({ claim }) => !names.has(claim));
  await writeFile(RESULTS_FILE, renderResults({ ...kept, [kind]: [...others, ...fresh] }));
  await writeTables(claims);
}

/** Brings the tables of README.md and CLAIMS.md in step with the claims and RESULTS.md. */
export async function writeTables(claims: NamedClaim[]): Promise<void> {
  for (const { file, text, wanted } of await tables(claims)) {
    if (wanted !== text) await writeFile(file, wanted);
  }
}

async function tables(
  claims: NamedClaim[],
): Promise<{ file: URL; text: string; wanted: string }[]> {
  const results = parseResults(await readFile(RESULTS_FILE, "utf8"));
  const readme = await readFile(README_FILE, "utf8");
  const list = await readFile(CLAIMS_FILE, "utf8");
  return [
    { file: README_FILE, text: readme, wanted: withTable(readme, headlineTable(results, claims)) },
    { file: CLAIMS_FILE, text: list, wanted: withTable(list, claimTable(claims)) },
  ];
}

/** Where README.md, CLAIMS.md or RESULTS.md say something else than the claims themselves. Age is no fault. */
export async function tableProblems(claims: NamedClaim[]): Promise<string[]> {
  const results = parseResults(await readFile(RESULTS_FILE, "utf8"));
  const stale = (await tables(claims)).filter(
    ({ text, wanted }) => !text.includes(START) || text !== wanted,
  );
  return [
    ...resultProblems(results, claims),
    ...stale.map(
      ({ file }) => `${file.pathname} does not show the claims: npm run prove -- --tables`,
    ),
  ];
}

export function resultProblems(results: Results, claims: NamedClaim[]): string[] {
  return [...results.nightly, ...results.full].flatMap(({ claim: name, bound }) => {
    const found = claims.find((one) => one.name === name);
    if (found === undefined) return [`RESULTS.md has a row of ${name}, which no proof claims`];
    const own = oneLine(found.claim.bound);
    if (own === bound) return [];
    return [
      `RESULTS.md has "${bound}" as the bound of ${name}; its proof says "${own}". Run it again`,
    ];
  });
}

export function renderResults(results: Results): string {
  const section = (kind: keyof Results): string => {
    const rows = results[kind]
      .toSorted((a, b) => a.claim.localeCompare(b.claim, "en"))
      .map((result) => COLUMNS.map((column) => result[column]));
    return `${HEADINGS[kind]}\n\n${markdownTable(COLUMNS, rows)}`;
  };
  const intro = "# Results of the proofs\n\n`npm run prove -- --record` writes these rows.\n";
  return `${intro}\n${section("nightly")}\n${section("full")}`;
}

export function parseResults(markdown: string): Results {
  const read = (kind: keyof Results): Result[] => {
    const [, section = ""] = markdown.split(HEADINGS[kind]);
    const [own = ""] = section.split("\n## ");
    return parseMarkdownTable(own).map(
      (cells) =>
        Object.fromEntries(
          COLUMNS.map((column, index) => [column, cells[index] ?? ""]),
        ) as unknown as Result,
    );
  };
  return { nightly: read("nightly"), full: read("full") };
}

/** The text with the table between its markers made anew; unchanged where the markers are missing. */
export function withTable(text: string, table: string): string {
  const from = text.indexOf(START);
  const to = text.indexOf(END);
  if (from === -1 || to < from) return text;
  return `${text.slice(0, from + START.length)}\n${table}${text.slice(to)}`;
}

/** The README's table: the headlines with their newest figures. */
export function headlineTable(results: Results, claims: NamedClaim[]): string {
  const rows = HEADLINES.flatMap((name) => {
    const found = claims.find((one) => one.name === name);
    if (found === undefined) return [];
    const result = newest(results, name);
    const figure = result === undefined ? "not measured yet" : shown(result);
    return [[oneLine(found.claim.promise), figure, `[${name}](${found.file})`]];
  });
  return markdownTable(["promise", "measured", "claim"], rows);
}

/** The table of CLAIMS.md: every promise, its bound, and what holds it. */
export function claimTable(claims: NamedClaim[]): string {
  const proven = claims.map(({ name, claim, file }) => [
    name,
    claim.formerly?.join(", ") ?? "",
    oneLine(claim.promise),
    oneLine(claim.bound),
    claim.tier,
    file,
  ]);
  const tested = Object.entries(heldByTests).map(([name, { promise, bound, files }]) => [
    name,
    "",
    promise,
    bound,
    "gate, by a test",
    files.join(", "),
  ]);
  return markdownTable(
    ["claim", "formerly", "promise", "bound", "tier", "where"],
    [...proven, ...tested],
  );
}

/** The full run says more than the nightly one, unless it failed since. */
function newest({ nightly, full }: Results, name: string): Result | undefined {
  const byName = ({ claim }: Result): boolean => claim === name;
  return full.find(byName) ?? nightly.find(byName);
}

function shown({ figure, verdict, date }: Result): string {
  return `${figure}${verdict === "ok" ? "" : ": **short**"} (${date})`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
