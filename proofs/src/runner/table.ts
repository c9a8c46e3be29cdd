import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";
import type { Report } from "./run-proof.ts";

/** A Markdown table of a run, to be pasted: claim, figure, bound, verdict, seconds. */
export function reportTable(reports: Report[]): string {
  const rows = reports.map(({ name, figure, bound, verdict, tookMs }) => [
    name,
    figure,
    bound,
    verdict,
    (tookMs / 1_000).toFixed(1),
  ]);
  return markdownTable(["claim", "figure", "bound", "verdict", "seconds"], rows);
}

export function markdownTable(head: string[], rows: string[][]): string {
  const safe = (cell: string): string =>
    cell
      .replaceAll(/\s+/g, " ")
      .replaceAll("|", String.raw`\|`)
      .trim();
  const line = (cells: string[]): string => `| ${cells.map(safe).join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

/** The cells of each row below the first table's head, unescaped. */
export function parseMarkdownTable(markdown: string): string[][] {
  const lines = markdown.split("\n");
  const from = lines.findIndex((line) => line.startsWith("|"));
  if (from === -1) return [];
  const after = lines.findIndex((line, index) => index > from && !line.startsWith("|"));
  return lines.slice(from + 2, after === -1 ? undefined : after).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll(String.raw`\|`, "|")),
  );
}

/** One line for each claim that failed, so that the end of a log alone says which, and by how much. */
export function failures(reports: Report[]): string[] {
  return reports
    .filter(({ verdict }) => verdict !== "ok")
    .map(({ name, figure, bound, verdict }) => `${name}: ${figure} (${bound}) ${verdict}`);
}

/** "0.4 s", "12 s", "3 min 20 s" */
export function seconds(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const whole = Math.round(ms / 1_000);
  if (whole < 100) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** What a figure was measured on: "2 × Some CPU, 8 GB, Node 24.1.0, PostgreSQL 18.4". */
export function machine(engines: string[] = []): string {
  const processors = cpus();
  const model = (processors[0]?.model ?? "unknown CPU").replaceAll(/\((R|TM)\)/g, "").trim();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const node = `Node ${process.versions.node}`;
  return [`${processors.length} × ${model}`, memory, node, ...engines].join(", ");
}

/** The commit a figure belongs to, and whether files had changed since. */
export function commit(): string {
  // Recording a result changes these two.
  const own = [":!proofs/RESULTS.md", ":!README.md"];
  try {
    const changed = git("status", "--porcelain", "--", ":/", ...own) !== "";
    return git("rev-parse", "--short", "HEAD") + (changed ? " with changes" : "");
  } catch {
    return "none";
  }
}

export function git(...args: string[]): string {
  const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
  return execFileSync("git", args, { encoding: "utf8", stdio }).trim();
}
