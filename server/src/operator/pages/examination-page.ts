import { EXIT } from "../terminal/explain-error.ts";
import { tone, wrap } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** One thing that a doctor looked at, as `--json` prints it. */
export interface Examined {
  name: string;
  state: "ok" | "warn" | "fail" | "skip";
  /** What was found, in a sentence without its full stop. */
  says: string;
  fix?: string;
  took_ms?: number;
}

/** A line for each thing, its fix below it, and a closing line. */
export function renderExamination(examined: Examined[], terminal: Terminal): string {
  const width = Math.max(...examined.map((one) => one.name.length));
  const failed = examined.filter((one) => one.state === "fail").length;
  const warned = examined.filter((one) => one.state === "warn").length;
  return [
    ...examined.map((one) => line(one, width, terminal)),
    "",
    failed + warned === 0
      ? tone(terminal, "good", "All is well.")
      : `${failed} failed, ${warned} to look at, of ${examined.length} checks.`,
  ].join("\n");
}

export function examinationExitCode(examined: Examined[]): number {
  return examined.some((one) => one.state === "fail") ? EXIT.refused : EXIT.done;
}

const STATE_TONE = { ok: "good", warn: "warn", fail: "bad", skip: "quiet" } as const;

function line(examined: Examined, width: number, terminal: Terminal): string {
  const { name, state, says, fix, took_ms: tookMs } = examined;
  const indent = 4 + 2 + width + 2;
  const isTimed = state !== "skip" && tookMs !== undefined;
  const took = isTimed ? `  ${tone(terminal, "quiet", `${tookMs} ms`)}` : "";
  const text = wrap(says, terminal.width - 10, indent);
  const remedy =
    fix === undefined ? "" : `\n${" ".repeat(indent)}${wrap(fix, terminal.width, indent)}`;
  return `${tone(terminal, STATE_TONE[state], state.padEnd(4))}  ${name.padEnd(width)}  ${text}${took}${remedy}`;
}
