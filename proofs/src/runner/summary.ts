import type { Report } from "./run-proof.ts";

/** One line a proof, in columns. */
export function summary(reports: Report[]): string {
  const rows = [
    ["proof", "figure", "bound", "verdict", "seconds"],
    ...reports.map((one) => [
      one.name,
      one.figure,
      one.bound,
      one.verdict,
      (one.tookMs / 1_000).toFixed(1),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.map((row) => row[index]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** One line for each that failed, so that the end of a log alone tells which, and by how much. */
export function failures(reports: Report[]): string[] {
  return reports
    .filter(({ verdict }) => verdict !== "ok")
    .map(({ name, figure, bound, verdict }) => `${name}: ${figure} (${bound}) ${verdict}`);
}
